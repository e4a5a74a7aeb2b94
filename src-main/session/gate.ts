import type { ApprovalMode, Session } from '../../src-preload/contract/sessions'
import type { Settings } from '../../src-preload/contract/settings'
import type { BackTest, PastDecision } from '../approval/rules/past'
import type { Access, Decision, OfferedRule, Policy } from '../approval/types'
import { lookAtCommit } from '../tools/shell/commit-look'
import type { Store } from './store'

/** The call that a decision is about. */
export interface GatedCall {
  sessionId: string
  /** Its commands run in the sandbox. */
  sandboxed?: boolean
  /** The user wants this call to run outside the sandbox. */
  outside?: boolean
  /** It is decided about as if there were no cage. */
  uncaged?: boolean
}

/** A decision, with the mode that held when it was made. */
type DecisionInMode = Decision & { mode: ApprovalMode }

/** Decides whether a call may run. Every call of every session passes here, whether a model or the command line makes it. */
export interface Gate {
  decide(access: Access, call: GatedCall): Promise<DecisionInMode>
  /** The mode that holds for a session now: a turn that the user did not begin may have less than the session's. */
  modeOf(sessionId: string): ApprovalMode
  /** How a rule on offer would have answered past questions. */
  backtest(offer: OfferedRule, access: Access, sessionId: string, past: readonly PastDecision[]): Promise<BackTest>
}

export interface GateOptions {
  store: Store
  settings(): Settings
  /** Judges a call by what is known of the machine that it runs on. */
  judge(access: Access, policy: Policy): Decision | Promise<Decision>
  backtest(
    offer: OfferedRule,
    access: Access,
    policy: Policy,
    past: readonly PastDecision[],
  ): BackTest | Promise<BackTest>
  /** Folders of the app's own that no call may change. */
  ownFolders: readonly string[]
  /** Of those, the ones whose files a session may read: whole results and logs of processes. */
  readableFolders: readonly string[]
  /** Whether what runs without a question can run in a cage. */
  hasCage?(session: Session): Promise<boolean>
  /** Whether somebody can answer a question. */
  interactive: boolean
  clock?: () => number
}

export function createGate(options: GateOptions): Gate {
  const { store, judge, ownFolders, readableFolders, clock = Date.now } = options

  const modeFor = (session: Session): ApprovalMode => {
    if (session.mode !== 'all') return session.mode
    // The user let the session do everything, not whatever a schedule or a message from outside says in it.
    return store.sessions.origin(session.id)?.mayDoAll === false ? 'safe' : 'all'
  }

  const policyFor = (session: Session, { sandboxed }: GatedCall, cage: boolean): Policy => ({
    mode: modeFor(session),
    rules: store.rules.list(),
    sessionId: session.id,
    ownFolders,
    readableFolders,
    now: clock(),
    cage,
    ...(sandboxed && { sandbox: { hosts: options.settings().sandboxHosts } }),
  })

  const hasCage = async (
    session: Session,
    { cageable, sandboxed }: Access,
    { outside, uncaged }: GatedCall,
  ): Promise<boolean> =>
    cageable === true && !sandboxed && !outside && !uncaged && ((await options.hasCage?.(session)) ?? false)

  /** The access with what is known about it beyond what the tool itself can say. */
  const withFacts = async (access: Access, policy: Policy): Promise<Access> => {
    const known = store.taint.has(policy.sessionId) ? { ...access, tainted: true } : access
    const warning = await lookAtCommit(known, (look) => judge(look, { ...policy, mode: 'safe', rules: [] }))
    return warning === null ? known : { ...known, flagged: warning }
  }

  return {
    decide: async (access, call) => {
      const session = store.sessions.get(call.sessionId)
      const policy = policyFor(session, call, await hasCage(session, access, call))
      const decision = { ...(await judge(await withFacts(access, policy), policy)), mode: policy.mode }
      if (decision.verdict === 'ask' && !options.interactive) return refuseUnattended(decision)
      return call.outside && access.action === 'exec' ? { ...decision, leaves: true } : decision
    },
    modeOf: (sessionId) => modeFor(store.sessions.get(sessionId)),
    backtest: async (offer, access, sessionId, past) =>
      options.backtest(offer, access, { mode: 'ask', rules: [], sessionId, now: clock() }, past),
  }
}

/** Where nobody can answer, what would be asked is refused, with the reason that it would be asked for. */
const refuseUnattended = (decision: DecisionInMode): DecisionInMode => ({
  ...decision,
  verdict: 'deny',
  unattended: true,
  reason: `it needs consent, and nobody is there to ask. ${decision.reason}`,
})
