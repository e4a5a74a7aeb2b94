import type { Action, Rule } from '../../../src-preload/contract/approval'
import type { Places } from '../paths/paths'
import type { Access, FileView, OfferedRule, Policy, RuleTarget } from '../types'
import { placesOf } from './places'
import { rulingOn } from './rules'

export interface PastDecision {
  action: Action
  workspace: string
  sessionId: string
  targets: readonly RuleTarget[]
  answer: 'allow' | 'deny'
}

export interface BackTest {
  total: number
  /** Calls that the rules would have settled. */
  matched: number
  /** Of those, how many the user had refused. */
  refused: number
}

/** How rules would have answered what the user has answered before. */
export function backtest(rules: readonly Rule[], past: readonly PastDecision[], places: Places, now: number): BackTest {
  const matched = past.filter(({ action, workspace, sessionId, targets }) => {
    const policy: Policy = { mode: 'ask', rules, sessionId, now }
    const context = {
      action,
      policy,
      workspace,
      places: { ...places, workspace: places.files.realpath(workspace) ?? workspace },
    }
    return targets.length > 0 && targets.every((target) => rulingOn(target, context)?.verdict === 'allow')
  })
  return {
    total: past.length,
    matched: matched.length,
    refused: matched.filter(({ answer }) => answer === 'deny').length,
  }
}

/** The same for a rule that the card offers, with what was asked where it would have held. */
export function backtestOffer(
  offer: OfferedRule,
  access: Access,
  policy: Policy,
  files: FileView,
  past: readonly PastDecision[],
): BackTest {
  const subject = {
    process: access.processId ?? '',
    session: policy.sessionId,
    workspace: access.workspace,
    everywhere: '',
  }[offer.scope]
  const rules = offer.matches.map(
    (match): Rule => ({
      id: '',
      scope: offer.scope,
      subject,
      verdict: 'allow',
      action: offer.action ?? access.action,
      match,
      sentence: offer.sentence,
      createdAt: policy.now,
      expiresAt: null,
      lastUsedAt: null,
      useCount: 0,
    }),
  )
  const within = past.filter(
    ({ sessionId, workspace }) =>
      offer.scope === 'everywhere' ||
      (offer.scope === 'session' && sessionId === policy.sessionId) ||
      (offer.scope === 'workspace' && workspace === access.workspace),
  )
  return backtest(rules, within, placesOf(access, policy, files), policy.now)
}
