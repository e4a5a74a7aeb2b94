import type { Answer } from '../../src-preload/contract/approval'
import type { FileDiff } from '../../src-preload/contract/file-diff'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import type { Grant, ToolCall } from '../../src-preload/contract/tool-calls'
import type { Access, Decision } from '../approval/types'
import type { KeptCopy } from '../receipts/copies'
import type { Receipts } from '../receipts/receipts'
import type { CallGate } from '../tools/permission'
import type { QuestionDraft } from '../tools/question'
import { ToolFailure } from '../tools/tool'
import type { CallRecord } from './call-record'
import { type Clash, changedElsewhere, clashOf, namedFiles, pathsOf, tooLate } from './collide'
import type { GatedCall } from './gate'
import type { HookedCall } from './hooked-call'
import { keepRules } from './keep-rules'
import { recordedChange } from './recorded-change'
import type { RunnerCore } from './runner-core'

/** The session's gate for one call: decides, asks the user, keeps what they said, and has a receipt written. */
export function gateForCall(
  core: RunnerCore,
  call: ToolCall,
  gated: GatedCall,
  record: CallRecord,
  signal: AbortSignal,
  hooked: HookedCall | null = null,
  /** Called once a question waits. */
  asked: () => void = () => {},
): CallGate {
  const { options, questions, trials } = core
  const { gate, store, receipts, collisions } = options
  const { sessionId } = call

  /** The user wants a copy of what would be lost. */
  let copies = false

  let clash: Clash | null = null
  let mode: ApprovalMode = 'ask'

  /** Asks in every mode before overwriting what another session has changed since this one read it. */
  const judge = async (access: Access, uncaged: boolean, callId: string | null): Promise<Decision> => {
    const judged = await gate.decide(access, { ...gated, uncaged })
    mode = judged.mode
    const found = await collidingFiles(core, sessionId, callId, access, judged)
    if (found.length === 0) return judged
    clash = await clashOf(core, access, found)
    return clash ? gate.decide({ ...access, flagged: clash.reason }, { ...gated, uncaged }) : judged
  }

  const decide: CallGate['decide'] = async (access, { uncaged = false } = {}) => {
    receipts?.prepare(access)
    clash = null
    const judged = await judge(access, uncaged, call.id)
    const decision = attended(options, hooked ? await hooked.decide(access, judged) : judged)
    if (decision.verdict === 'allow') noteUse(core, decision)
    return decision
  }

  return {
    get mode() {
      return mode
    },
    decide,
    ask: async (draft, access, decision) => {
      const shown = await shownQuestion(core, withDiffs(draft, clash?.diffs ?? []), access, decision, call)
      let grant: Grant | undefined
      let cage: Decision['cage']
      const recheck = async (): Promise<boolean> => {
        const judged = await judge(access, decision.blocked !== undefined, null)
        const again = hooked ? await hooked.decide(access, judged) : judged
        if (again.verdict !== 'allow') return false
        noteUse(core, again)
        cage = again.cage
        grant = grantOf(again, mode)
        return true
      }
      const waits = !questions.isAnswered(call.id)
      const answering = questions.ask(call, shown, signal, recheck, record.takeFacts)
      if (waits && shown.losses) void core.losses.fill(call.id, access, signal)
      if (waits) asked()
      const answer = await answering
      copies = answer.decision === 'allow' && answer.copy === true
      if (!grant && !core.isClosed()) noteAnswer(core, answer, access, decision, call)
      return { answer, ...(grant && { grant }), ...(grant && cage && { cage }) }
    },
    tried: () => trials.tried(call.id),
    remember: async (answer, decision, access) => {
      const keep = (): boolean => keepRules(store, answer, decision, access, sessionId, core.clock())
      if (!(await core.whenWritable(sessionId, signal, keep))) return
      core.publishRules()
      questions.recheck().catch((error) => options.log.error('Could not look at waiting questions again', { error }))
    },
    remarks: async (access, decision, result) => {
      const text = await instructionsFor(core, sessionId, access, decision)
      const said = (await hooked?.remarks(result.content, result.isError ?? false)) ?? []
      return [...(text ? [text] : []), ...said].map((each) => ({ type: 'text', text: each }))
    },
    begin: async (access, decision) => {
      const { printsForeignText } = await foreignText()
      const late = collisions?.enter(call.id, sessionId, pathsOf(access, decision, false)) ?? []
      if (late.length > 0) throw tooLate(core, access.workspace, late)
      const read = collisions?.reading(sessionId, pathsOf(access, decision, true))
      const recorded = await beginReceipt(core, call, record.line, access, decision, copies).catch((error: unknown) => {
        collisions?.forget(call.id)
        throw error
      })
      return () => {
        collisions?.leave(call.id)
        read?.()
        recorded?.()
        if (printsForeignText(decision.subCommands)) noteTaint(core, sessionId)
      }
    },
  }
}

/** Watches what the call changes, if it is one that has a receipt. Returns how to end that. */
const beginReceipt = async (
  core: RunnerCore,
  { id: callId, sessionId }: ToolCall,
  gist: string,
  access: Access,
  decision: Decision,
  copies: boolean,
): Promise<(() => void) | undefined> => {
  const { receipts } = core.options
  const change = recordedChange(access, decision)
  if (!change || !receipts) return undefined
  const copy = copies ? await keepCopy(core, receipts, callId, access) : undefined
  return receipts.begin({ sessionId, callId, gist, copy, ...change })
}

let loading: Promise<typeof import('../approval/checks/foreign-text')> | null = null

/** Loaded with the first call, as the gate's own knowledge of programs. */
const foreignText = () => {
  loading ??= import('../approval/checks/foreign-text')
  return loading
}

/** The files of a call that others have changed since its session last saw them. */
const collidingFiles = async (
  core: RunnerCore,
  sessionId: string,
  callId: string | null,
  access: Access,
  judged: Decision,
) => {
  const { collisions } = core.options
  const known = collisions?.find(callId, sessionId, pathsOf(access, judged, false)) ?? []
  const stale = collisions?.stale(callId, sessionId, namedFiles(access)) ?? []
  const other = stale.filter(({ path }) => known.every((each) => each.path !== path))
  return [...known, ...(await changedElsewhere(core, sessionId, access, other))]
}

const withDiffs = (draft: QuestionDraft, more: readonly FileDiff[]): QuestionDraft =>
  more.length > 0 ? { ...draft, diff: [...(draft.diff ?? []), ...more] } : draft

const grantOf = ({ ruleId, reason }: Decision, mode: ApprovalMode): Grant =>
  ruleId ? { by: 'rule', ruleId, reason } : { by: 'mode', mode, reason }

/** Marks that the session has read untrusted text. */
const noteTaint = (core: RunnerCore, sessionId: string): void => {
  const { store } = core.options
  if (!core.isClosed()) store.unsaved.save(`taint:${sessionId}`, () => store.taint.add(sessionId))
}

/** The instructions of the folders that the files of a call lie in, where the session has not been told of them yet. */
const instructionsFor = async (
  { options }: RunnerCore,
  sessionId: string,
  access: Access,
  decision: Decision,
): Promise<string | null> => {
  const files = access.command === undefined && access.action !== 'exec' ? filesOf(decision) : []
  return files.length > 0 ? ((await options.instructionsFor?.(sessionId, access.workspace, files)) ?? null) : null
}

/** Takes the copy that the user asked for. If that fails, the call does not run. */
const keepCopy = async (
  core: RunnerCore,
  receipts: Pick<Receipts, 'keepCopy'>,
  callId: string,
  access: Access,
): Promise<KeptCopy | undefined> => {
  try {
    return await receipts.keepCopy(callId, await core.losses.toCopy(access))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ToolFailure(
      'ExecutionFailed',
      `It was not run: the user wanted a copy of what it destroys, and that failed. ${why}`,
    )
  }
}

/** The question with all that the session knows about it. */
export const shownQuestion = async (
  core: RunnerCore,
  draft: QuestionDraft,
  access: Access,
  decision: Decision,
  call: ToolCall,
): Promise<QuestionDraft> => {
  const offered = await withPast(core, draft, access, decision, call.sessionId)
  const tried = await core.trials.offer(offered, access, decision)
  const weighed = await core.losses.offer(tried, access)
  const { withOrigins } = await import('./word-origins')
  return withOrigins(core.options.store, weighed, call, access, decision)
}

/** A hook can require a question in a session where nobody can answer. */
const attended = ({ interactive }: RunnerCore['options'], decision: Decision): Decision =>
  decision.verdict === 'ask' && !interactive
    ? { ...decision, verdict: 'deny', reason: `it needs consent, and nobody is there to ask. ${decision.reason}` }
    : decision

const filesOf = ({ targets }: Decision): string[] =>
  targets.flatMap((target) => (target.kind === 'path' ? target.path : []))

/** Adds to each rule on offer how it would have answered what the user was asked before. */
const withPast = async (
  { options }: RunnerCore,
  draft: QuestionDraft,
  access: Access,
  decision: Decision,
  sessionId: string,
): Promise<QuestionDraft> => {
  const past = draft.offers.length === 0 ? [] : options.store.answers.latest()
  if (past.length === 0) return draft
  const offers = await Promise.all(
    draft.offers.map(async (shown) => {
      const offer = decision.offers[shown.index]
      const tested = offer && (await options.gate.backtest(offer, access, sessionId, past))
      return tested && tested.total > 0 ? { ...shown, past: tested } : shown
    }),
  )
  return { ...draft, offers }
}

const noteAnswer = (
  { options }: RunnerCore,
  answer: Answer,
  access: Access,
  decision: Decision,
  { id: callId, sessionId }: ToolCall,
): void => {
  const { asking = [] } = decision
  if (asking.length === 0 || answer.decision === 'reply' || answer.decision === 'allow-edited') return
  const { action, workspace } = access
  // A rule is compared by the hash; the text is kept with the rule itself.
  const targets = asking.map((target) =>
    target.kind === 'command' && target.bound
      ? { ...target, bound: target.bound.map(({ text: _, ...bound }) => bound) }
      : target,
  )
  const said = answer.decision === 'deny' ? 'deny' : 'allow'
  const { answers, unsaved } = options.store
  unsaved.save(`answer:${callId}`, () => answers.add({ action, workspace, sessionId, targets, answer: said }))
}

const noteUse = (core: RunnerCore, decision: Decision): void => {
  for (const id of decision.ruleIds) core.options.store.rules.use(id)
}
