import type { Answer } from '../../src-preload/contract/approval'
import type { Content } from '../../src-preload/contract/content'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import type { Display, Grant, ToolErrorKind, ToolState } from '../../src-preload/contract/tool-calls'
import type { Access, Decision } from '../approval/types'
import { nearest } from '../nearest'
import { StorageError } from '../storage/storage-error'
import { duplicateKey } from './duplicate-key'
import { boundContent, type ResultLimits } from './output'
import { type QuestionDraft, questionDraft } from './question'
import { blockedWords, cageNote, explained, isBlockedInCage, settlePlace, showsCage } from './sandboxed'
import { failureOf } from './system-error'
import { type Rehearsed, type Tool, type ToolContext, ToolFailure, type ToolResult, type Toolset } from './tool'
import { unknownArguments } from './unknown-arguments'

export interface DispatchCall {
  toolset: Toolset
  name: string
  /** JSON text as the model wrote it, or the value itself. */
  arguments: unknown
}

type Allowance = Extract<Answer, { decision: 'allow' }>

/** The session's side of permissions: what it has decided, and how it asks its user. */
export interface Gate {
  readonly mode: ApprovalMode
  /** With `uncaged`, as if there were no cage. */
  decide(access: Access, options?: { uncaged?: boolean }): Decision | Promise<Decision>
  /** Sets the call to `awaiting` and settles with the answer; rejects when the call's signal aborts. */
  ask(draft: QuestionDraft, access: Access, decision: Decision): Promise<Answered>
  /** Stores an answer that applies to more than this call. */
  remember?(answer: Allowance, decision: Decision, access: Access): void | Promise<void>
  /** The trial whose changes the user accepted, if the answer was `apply`. */
  rehearsed?(): Rehearsed | null
  /** Called right before an allowed call runs. The returned function is called when it has ended, however it ended. */
  begin?(access: Access, decision: Decision): Promise<() => void>
  /** What the model should read with the result of a call that has run. */
  remarks?(access: Access, decision: Decision, result: ToolResult): Promise<Content[]>
}

interface Answered {
  answer: Answer
  /** Set if a new rule or mode answered the question instead of the user. */
  grant?: Grant
  /** The cage that it then runs in. */
  cage?: Decision['cage']
}

/** An allowed call, with the decision about it. */
interface Cleared {
  input: unknown
  /** For the model: what the user changed. */
  note: Content[]
  access: Access
  decision: Decision
}

/** Receives the states of a call. */
export interface CallSink {
  gist(text: string): void
  grant(grant: Grant): void
  /** A call runs only after this has settled: then the state is saved, and survives a crash. */
  state(state: ToolState): unknown
}

export interface CallOutcome {
  /** Exactly what the model reads. */
  content: Content[]
  isError: boolean
  error: { kind: ToolErrorKind; message: string } | null
}

/** Thrown when a tool fails because of a bug: the turn has to fail visibly. */
export class ToolBug extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name} failed in a way it should not: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'ToolBug'
  }
}

/** Denied by the user, a rule or the mode. */
class Denial extends ToolFailure {
  constructor(
    message: string,
    /** Set if the user denied it. */
    readonly answer?: { note?: string },
  ) {
    super('PermissionDenied', message)
  }
}

/** The message for the user; the model also reads what to do now. */
function denialWords({ answer, message }: Denial): string {
  if (!answer) return message
  return answer.note ? `You denied it: ${answer.note}` : 'You denied it.'
}

function deniedByUser(said: string | undefined): Denial {
  const note = said?.trim()
  return note
    ? new Denial(`The user denied this call and says: ${note}`, { note })
    : new Denial(
        'The user denied this call. Do not try it again in another way; ask what to do instead, or go on without it.',
        {},
      )
}

/**
 * The path of every call: parse → decide → ask → run → bound. Failures are returned as content for the model; only an
 * abort (of `scope.signal`), a bug, and a disk on which nothing can be saved throw, and all leave the call in a final
 * state.
 */
export async function dispatch(
  call: DispatchCall,
  scope: Omit<ToolContext, 'show' | 'resultBytes' | 'env' | 'knownShell' | 'follow' | 'checked' | 'rehearsed'>,
  gate: Gate,
  sink: CallSink,
  given: ResultLimits,
): Promise<CallOutcome> {
  const limits = call.toolset.cut ? { ...given, cut: call.toolset.cut } : given
  let display: Display | undefined
  let started = false
  const context: ToolContext = {
    ...scope,
    resultBytes: limits.maxResultBytes,
    show(next, progress) {
      display = showsCage(next, context)
      sink.state({ status: 'running', display, ...(progress !== undefined && { progress }) })
    },
  }
  const askUser = scope.askUser
  if (askUser) {
    context.askUser = async (question, choices) => {
      const reply = await askUser(question, choices)
      sink.state({ status: 'running', ...(display && { display }) })
      return reply
    }
  }

  const submitPlan = scope.submitPlan
  if (submitPlan) {
    context.submitPlan = async (plan) => {
      const verdict = await submitPlan(plan)
      sink.state({ status: 'running' })
      return verdict
    }
  }

  const askForm = scope.askForm
  if (askForm) {
    context.askForm = (title, form, signal) =>
      askForm(title, form, signal).finally(() => {
        // The question may have been withdrawn: the call continues without an answer, unless it was stopped.
        if (!scope.signal.aborted) sink.state({ status: 'running', ...(display && { display }) })
      })
  }

  try {
    scope.signal.throwIfAborted()
    const { tool, input: asked } = parse(await find(call, scope), call)
    sink.gist(tool.gist(asked))
    const cleared = await clear(call.name, tool, asked, context, gate, sink)
    await sink.state({ status: 'running' })
    started = true
    const result = await explained(await run(tool, cleared, context, gate), context)
    if (isBlockedInCage(result)) return await runOutside(tool, cleared, result)
    return await settle(result, [...cleared.note, ...(await remarksOn(cleared, result))])
  } catch (error) {
    return fail(error)
  }

  /** The cage got in the way: the user is asked, once, whether it may run outside. */
  async function runOutside(tool: Tool, { input, access, note }: Cleared, first: ToolResult): Promise<CallOutcome> {
    const blocked = blockedWords(first)
    const decision = await gate.decide(access, { uncaged: true })
    if (decision.verdict === 'deny') return settle(first, [...note, cageNote(blocked, 'nobody')])
    const outside: Decision = { ...decision, verdict: 'ask', reason: blocked, blocked }
    delete context.sandbox
    let again: Cleared
    try {
      again = await ask(call.name, tool, input, access, outside, context, gate, sink, false)
    } catch (error) {
      if (!(error instanceof Denial)) throw error
      return settle(first, [...note, cageNote(blocked, 'denied', error.answer?.note)])
    }
    await sink.state({ status: 'running' })
    const result = await explained(await run(tool, again, context, gate), context)
    return settle(result, [...again.note, cageNote(blocked, 'allowed'), ...(await remarksOn(again, result))])
  }

  async function remarksOn({ access, decision }: Cleared, result: ToolResult): Promise<Content[]> {
    return (await gate.remarks?.(access, decision, result)) ?? []
  }

  async function settle(result: ToolResult, note: Content[]): Promise<CallOutcome> {
    const content = await boundContent([...result.content, ...note], limits, scope.callId)
    const shown = result.display ?? display
    if (result.isError) {
      const error = { kind: 'ExecutionFailed' as const, message: firstText(result.content) }
      sink.state({ status: 'failed', error, content, ...(shown && { display: shown }) })
      return { content, isError: true, error }
    }
    sink.state({ status: 'done', content, ...(shown && { display: shown }) })
    return { content, isError: false, error: null }
  }

  async function fail(thrown: unknown): Promise<CallOutcome> {
    if (scope.signal.aborted) {
      sink.state({ status: 'aborted', message: 'Stopped', ...(display && { display }) })
      throw scope.signal.reason
    }
    if (thrown instanceof StorageError) {
      const message = started ? thrown.message : `It was not run. ${thrown.message}`
      const error = { kind: 'ExecutionFailed' as const, message }
      await sink.state({ status: 'failed', error, content: [{ type: 'text', text: message }] })
      throw thrown
    }
    const failure = failureOf(thrown)
    const bug = failure ? null : new ToolBug(call.name, thrown)
    const { kind, message } = failure ?? { kind: 'ExecutionFailed' as const, message: (bug as ToolBug).message }
    const detail = failure?.detail
    const rendered = call.toolset.renderFailure({
      name: call.name,
      kind,
      message,
      ...(detail?.content && { content: detail.content }),
      ...(thrown instanceof Denial && thrown.answer && { denied: thrown.answer }),
    })
    const content = await boundContent(rendered, limits, scope.callId)
    const shown = detail?.display ?? display
    if (thrown instanceof Denial) sink.state({ status: 'denied', message: denialWords(thrown) })
    else sink.state({ status: 'failed', error: { kind, message }, content, ...(shown && { display: shown }) })
    if (bug) throw bug
    return { content, isError: true, error: { kind, message } }
  }
}

async function run(
  tool: Tool,
  { input, access, decision }: Cleared,
  context: ToolContext,
  gate: Gate,
): Promise<ToolResult> {
  const ended = await gate.begin?.(access, decision)
  try {
    context.signal.throwIfAborted()
    return await untilAborted(tool.run(input, context), context.signal)
  } finally {
    ended?.()
  }
}

export async function find(
  { toolset, name }: DispatchCall,
  { workspace, signal }: Pick<ToolContext, 'workspace' | 'signal'>,
): Promise<Tool> {
  const known = toolset.tools.get(name)
  if (known) return known
  const why = await toolset.whyMissing?.(name, workspace, signal)
  const late = toolset.tools.get(name)
  if (late) return late
  if (why) throw new ToolFailure('NotFound', `${JSON.stringify(name)} cannot be called. ${why}`)
  const near = nearest(name, toolset.tools.keys())
  const hint =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are: ${[...toolset.tools.keys()].join(', ')}.`
  throw new ToolFailure('NotFound', `There is no tool named ${JSON.stringify(name)}. ${hint}`)
}

export function parse(tool: Tool, call: DispatchCall): { tool: Tool; input: unknown } {
  const given = typeof call.arguments === 'string' ? parseJson(call.arguments) : call.arguments
  const unknown = tool.foreignSchema ? [] : unknownArguments(tool.schema, given, tool.unlisted)
  try {
    const input = tool.parse(given)
    if (unknown.length === 0) return { tool, input }
  } catch (error) {
    if (unknown.length > 0 && error instanceof ToolFailure) unknown.unshift(error.message)
    else throw error
  }
  throw new ToolFailure('InvalidArgs', unknown.join('; '))
}

/** Models send empty text for a call without arguments. */
function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ToolFailure('InvalidArgs', `The arguments are not valid JSON: ${(error as SyntaxError).message}`)
  }
  const twice = duplicateKey(text)
  if (twice !== null) throw new ToolFailure('InvalidArgs', `The arguments have \`${twice}\` twice. Give it once.`)
  return value
}

/** Gets permission for a call. Throws if it may not run; the user may have changed its input. */
async function clear(
  name: string,
  tool: Tool,
  asked: unknown,
  context: ToolContext,
  gate: Gate,
  sink: CallSink,
  edited = false,
): Promise<Cleared> {
  const access = await tool.access(asked, context)
  const decision = await decideInPlace(access, context, gate)
  context.signal.throwIfAborted()
  noteChecked(context, access, decision)
  if (decision.verdict === 'deny') throw new Denial(`Not permitted: ${decision.reason}`)
  if (decision.verdict === 'allow') {
    if (decision.env) context.env = decision.env
    if (decision.knownShell) context.knownShell = true
    if (decision.follow) context.follow = decision.follow
    if (!decision.cage) settlePlace(context, access, decision)
    sink.grant(automaticGrant(access, decision, gate.mode))
    return { input: asked, note: [], access, decision }
  }
  return ask(name, tool, asked, access, decision, context, gate, sink, edited)
}

/** The decision; a command that runs in the cage has entered it. Without a cage it is decided about as if there were none. */
async function decideInPlace(access: Access, context: ToolContext, gate: Gate): Promise<Decision> {
  const decision = await gate.decide(access)
  if (decision.verdict !== 'allow' || !decision.cage) return decision
  const entered = await context.enterCage?.(decision.cage)
  if (!entered) return gate.decide(access, { uncaged: true })
  context.sandbox = entered
  return decision
}

/** Asks the user about a call. Throws if it may not run. */
async function ask(
  name: string,
  tool: Tool,
  asked: unknown,
  access: Access,
  decision: Decision,
  context: ToolContext,
  gate: Gate,
  sink: CallSink,
  edited: boolean,
): Promise<Cleared> {
  const diff = tool.preview && (await tool.preview(asked, context))
  const editable = access.command !== undefined && tool.withCommand !== undefined
  const draft = questionDraft(name, access, decision, editable, diff)
  const { answer, grant, cage } = await untilAborted(gate.ask(draft, access, decision), context.signal)
  switch (answer.decision) {
    case 'allow': {
      await gate.remember?.(answer, decision, access)
      const entered = cage && (await context.enterCage?.(cage))
      if (cage && !entered) return clear(name, tool, asked, context, gate, sink, edited)
      if (entered) context.sandbox = entered
      else settlePlace(context, access, decision)
      sink.grant(grant ?? { by: 'user', scope: grantScope(answer, decision), edited, reason: decision.reason })
      return { input: asked, note: edited ? [editedNote(access.command ?? '')] : [], access, decision }
    }
    case 'allow-edited': {
      if (!tool.withCommand) throw new ToolBug(name, new Error('an edited answer to a call without a command'))
      const input = tool.withCommand(asked, answer.command)
      const wanted = await tool.access(input, context)
      const again = await gate.decide(wanted, { uncaged: true })
      if (again.verdict === 'deny') throw new Denial(`The edited command is not permitted: ${again.reason}`)
      sink.gist(tool.gist(input))
      // The confirmation was typed for another command, so a dangerous edited command is asked about again.
      if (again.typedWord !== undefined) return clear(name, tool, input, context, gate, sink, true)
      settlePlace(context, wanted, again)
      sink.grant({ by: 'user', scope: 'once', edited: true, reason: decision.reason })
      return { input, note: [editedNote(answer.command)], access: wanted, decision: again }
    }
    case 'apply': {
      const rehearsed = gate.rehearsed?.()
      if (!rehearsed) throw new ToolBug(name, new Error('a trial to apply that there was not'))
      context.rehearsed = rehearsed
      sink.grant({ by: 'user', scope: 'once', edited, reason: decision.reason, rehearsed: true })
      return { input: asked, note: [rehearsedNote], access, decision }
    }
    case 'deny':
      throw deniedByUser(answer.note)
    case 'reply':
      throw deniedByUser(answer.text)
    case 'approve-plan':
      throw new ToolBug(name, new Error('the approval of a plan for a call that has none'))
  }
}

/** Only if the gate could resolve every path. */
function noteChecked(context: ToolContext, access: Access, decision: Decision): void {
  const paths = decision.targets.flatMap((target) => (target.kind === 'path' ? target.path : []))
  if (paths.length > 0 && paths.length === access.paths?.length) context.checked = paths
}

const rehearsedNote: Content = {
  type: 'text',
  text: 'The user had this command tried in a copy of the workspace, without network, and then took its changes over. It was not run again: this is the output of the trial.',
}

const editedNote = (command: string): Content => ({
  type: 'text',
  text: `The user edited the command before allowing it. What ran: ${command}`,
})

function automaticGrant(access: Access, decision: Decision, mode: ApprovalMode): Grant {
  if (decision.ruleId !== undefined) return { by: 'rule', ruleId: decision.ruleId, reason: decision.reason }
  const touchesNothing = access.action === 'read' && !access.paths?.length && !access.hosts?.length
  if (touchesNothing) return { by: 'harmless', reason: decision.reason }
  if (decision.contained && !decision.leaves) return { by: 'sandbox', reason: decision.reason }
  return { by: 'mode', mode, reason: decision.reason }
}

function grantScope(answer: Allowance, decision: Decision): Extract<Grant, { by: 'user' }>['scope'] {
  if (answer.scope !== 'rule') return answer.scope
  return decision.offers[answer.offer]?.scope ?? 'once'
}

/** Stops waiting at once, even for a tool that ignores the signal. Its later result is dropped. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function firstText(content: Content[]): string {
  const text = content.find((part) => part.type === 'text')
  return text?.type === 'text' ? text.text : 'The tool reports a failure'
}
