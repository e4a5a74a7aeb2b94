import type { Answer } from '../../src-preload/contract/approval'
import type { Content } from '../../src-preload/contract/content'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import type { Grant } from '../../src-preload/contract/tool-calls'
import type { Access, Decision } from '../approval/types'
import { type CallSink, Denial, ToolBug } from './call-outcome'
import { type QuestionDraft, questionDraft } from './question'
import { settlePlace } from './sandboxed'
import type { Tool, ToolContext, ToolResult, TriedCommand } from './tool'
import { untilAborted } from './until-aborted'

type Allowance = Extract<Answer, { decision: 'allow' }>

/** The session's side of permissions: what it has decided, and how it asks its user. */
export interface CallGate {
  /** The mode that the last decision was made in. */
  readonly mode: ApprovalMode
  /** With `uncaged`, as if there were no cage. */
  decide(access: Access, options?: { uncaged?: boolean }): Decision | Promise<Decision>
  /** Sets the call to `awaiting` and settles with the answer; rejects when the call's signal aborts. */
  ask(draft: QuestionDraft, access: Access, decision: Decision): Promise<Answered>
  /** Stores an answer that applies to more than this call. */
  remember?(answer: Allowance, decision: Decision, access: Access): void | Promise<void>
  /** The trial whose changes the user accepted, if the answer was `apply`. */
  tried?(): TriedCommand | null
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
export interface Cleared {
  input: unknown
  /** For the model: what the user changed. */
  note: Content[]
  access: Access
  decision: Decision
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

/** Gets permission for a call. Throws if it may not run; the user may have changed its input. */
export async function clear(
  name: string,
  tool: Tool,
  asked: unknown,
  context: ToolContext,
  gate: CallGate,
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

/**
 * The decision. A command that may run in the cage enters it here; if there is no cage, it is decided as without one.
 */
async function decideInPlace(access: Access, context: ToolContext, gate: CallGate): Promise<Decision> {
  const decision = await gate.decide(access)
  if (decision.verdict !== 'allow' || !decision.cage) return decision
  const entered = await context.enterCage?.(decision.cage)
  if (!entered) return gate.decide(access, { uncaged: true })
  context.sandbox = entered
  return decision
}

/** Asks the user about a call. Throws if it may not run. */
export async function ask(
  name: string,
  tool: Tool,
  asked: unknown,
  access: Access,
  decision: Decision,
  context: ToolContext,
  gate: CallGate,
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
      const tried = gate.tried?.()
      if (!tried) throw new ToolBug(name, new Error('a trial to apply that there was not'))
      context.tried = tried
      sink.grant({ by: 'user', scope: 'once', edited, reason: decision.reason, rehearsed: true })
      return { input: asked, note: [triedNote], access, decision }
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

const triedNote: Content = {
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
