import type { Answer, RuleMatch } from '../../src-preload/contract/protocol'
import type { Access, Decision, OfferedRule, RuleTarget } from '../approval/types'
import type { Store } from './store'

type Allowance = Extract<Answer, { decision: 'allow' }>

/** Keeps an answer that was meant for more than one call, as the very rule that the card had shown. */
export const keepRules = (
  store: Store,
  answer: Allowance,
  decision: Decision,
  access: Access,
  sessionId: string,
): boolean => {
  const offer = offerFor(answer, decision)
  if (!offer) return false
  const subject = { process: sessionId, session: sessionId, workspace: access.workspace, everywhere: '' }[offer.scope]
  store.transaction(() => {
    for (const match of offer.matches) {
      const { scope, sentence } = offer
      store.rules.add({ scope, subject, verdict: 'allow', action: access.action, match, sentence })
    }
  })
  return true
}

const offerFor = (answer: Allowance, decision: Decision): OfferedRule | null => {
  if (answer.scope === 'once') return null
  if (answer.scope === 'rule') return decision.offers[answer.offer] ?? null
  const offered = decision.offers.find((offer) => offer.scope === 'session')
  if (offered) return offered
  // Nothing to show in words means exactly this call again, and only where it can be told exactly.
  const matches = decision.targets.map(exactly)
  if (decision.typedWord !== undefined || matches.length === 0) return null
  return { scope: 'session', matches, sentence: 'Allow exactly this again in this session' }
}

const exactly = (target: RuleTarget): RuleMatch => {
  switch (target.kind) {
    case 'command':
      return { kind: 'argv', argv: [...target.argv], ...(target.program !== null && { program: target.program }) }
    case 'path':
      return { kind: 'path', path: target.path, recursive: false }
    case 'host':
      return { kind: 'host', host: target.host }
    case 'tool':
      return { kind: 'tool', key: target.key }
  }
}
