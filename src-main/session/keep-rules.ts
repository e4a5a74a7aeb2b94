import type { Answer } from '../../src-preload/contract/protocol'
import type { Access, Decision } from '../approval/types'
import type { Store } from './store'

type Allowance = Extract<Answer, { decision: 'allow' }>

/** Keeps an answer that was meant for more than one call, as the very rule that the gate had offered for it. */
export const keepRules = (
  store: Store,
  answer: Allowance,
  decision: Decision,
  access: Access,
  sessionId: string,
): boolean => {
  const offer =
    answer.scope === 'rule'
      ? decision.offers[answer.offer]
      : decision.offers.find(({ scope }) => scope === answer.scope)
  if (!offer) return false
  const subject = { process: access.processId ?? '', session: sessionId, workspace: access.workspace, everywhere: '' }[
    offer.scope
  ]
  store.durably(() => {
    for (const match of offer.matches) {
      const { scope, sentence } = offer
      store.rules.add({ scope, subject, verdict: 'allow', action: access.action, match, sentence })
    }
  })
  return true
}
