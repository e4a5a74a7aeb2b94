import type { Answer, RuleMatch } from '../../src-preload/contract/approval'
import type { Access, Decision } from '../approval/types'
import type { Store } from './store'

const dayMs = 86_400_000

type Allowance = Extract<Answer, { decision: 'allow' }>

/** Saves an answer for more than one call as the rule that the gate had offered. */
export const keepRules = (
  store: Store,
  answer: Allowance,
  decision: Decision,
  access: Access,
  sessionId: string,
  now: number,
): boolean => {
  const offer =
    answer.scope === 'rule'
      ? decision.offers[answer.offer]
      : decision.offers.find(({ scope }) => scope === answer.scope)
  if (!offer) return false
  const subject = { process: access.processId ?? '', session: sessionId, workspace: access.workspace, everywhere: '' }[
    offer.scope
  ]
  const expiresAt = answer.scope === 'rule' && answer.days !== undefined ? now + answer.days * dayMs : null
  store.durably(() => {
    for (const match of offer.matches) {
      const { scope, sentence } = offer
      for (const rule of store.rules.list())
        if (rule.scope === scope && rule.subject === subject && replaces(match, rule.match)) store.rules.revoke(rule.id)
      store.rules.add({
        scope,
        subject,
        verdict: 'allow',
        action: offer.action ?? access.action,
        match,
        sentence,
        expiresAt,
      })
    }
  })
  return true
}

/** A new answer about a script takes the place of the one about its older content. */
const replaces = (match: RuleMatch, old: RuleMatch): boolean =>
  (match.kind === 'family' &&
    old.kind === 'family' &&
    JSON.stringify([match.name, match.family, match.program, match.cwd]) ===
      JSON.stringify([old.name, old.family, old.program, old.cwd])) ||
  (match.kind === 'argv' &&
    old.kind === 'argv' &&
    old.bound !== undefined &&
    JSON.stringify([match.argv, match.program, match.cwd, match.node]) ===
      JSON.stringify([old.argv, old.program, old.cwd, old.node]))
