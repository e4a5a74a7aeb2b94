import type * as acp from '@agentclientprotocol/sdk'
import type { Answer, Question } from '../../src-preload/contract/approval'
import type { DeckhandEvent, StopReason } from '../../src-preload/contract/events'
import type { Attachment } from '../../src-preload/contract/messages'
import type { Engine } from '../engine'
import { callUpdate, defined } from './updates'

const stopReasons: Record<StopReason, acp.StopReason> = {
  done: 'end_turn',
  stopped: 'cancelled',
  interrupted: 'cancelled',
  limit: 'max_turn_requests',
  cap: 'max_turn_requests',
  failed: 'end_turn',
}

const yes = { optionId: 'allow', name: 'Allow once', kind: 'allow_once' as const }
const forSession = { optionId: 'allow-session', name: 'Allow for this session', kind: 'allow_always' as const }
const no = { optionId: 'deny', name: 'Deny', kind: 'reject_once' as const }

/** Plays one turn and tells the client of it, in order; questions become permission requests. */
export async function followTurn(
  engine: Engine,
  sdk: typeof acp,
  client: acp.AgentContext,
  sessionId: string,
  text: string,
  attachments: Attachment[],
  cancelled: AbortSignal,
): Promise<acp.StopReason> {
  const { runner, store } = engine
  const { workspace, agentId } = store.sessions.get(sessionId)
  const told = new Set<string>()
  const asked = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()
  const { promise: ended, resolve: end } = Promise.withResolvers<Extract<DeckhandEvent, { type: 'turn-end' }>>()

  /** One after the other, so that nothing overtakes what was said before it. */
  const tell = (update: acp.SessionUpdate): void => {
    last = last
      .then(() => client.notify(sdk.methods.client.session.update, { sessionId, update }))
      .catch(() => {
        // The client is gone; the end of the connection ends the turn.
      })
  }
  const say = (words: string): void =>
    tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } })

  const ask = async (question: Question): Promise<void> => {
    if (asked.has(question.id)) return
    asked.add(question.id)
    await last
    const answer = await answerOf(client, question, store.calls.get(question.callId), workspace)
    const open = runner.questions().some(({ question: each }) => each.id === question.id)
    if (open) runner.answer(question.id, answer)
  }

  const unsubscribe = engine.subscribe((event) => {
    if (event.type === 'delta' && event.sessionId === sessionId) {
      const content = { type: 'text' as const, text: event.text }
      tell({ sessionUpdate: event.kind === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk', content })
    }
    if (event.type === 'call' && event.call.sessionId === sessionId) {
      const update = callUpdate(event.call, workspace, true)
      if (told.has(event.call.id)) tell({ sessionUpdate: 'tool_call_update', ...update })
      else tell({ sessionUpdate: 'tool_call', ...defined(update) })
      told.add(event.call.id)
      if (event.call.state.status === 'awaiting')
        ask(event.call.state.question).catch((error: unknown) => {
          engine.log.warn('A client could not be asked', { error })
          runner.stop(sessionId)
        })
    }
    if (event.type === 'todo' && event.sessionId === sessionId) {
      const status = { pending: 'pending', active: 'in_progress', done: 'completed' } as const
      const entries = event.items.map((item) => ({
        content: item.text,
        priority: 'medium' as const,
        status: status[item.status],
      }))
      tell({ sessionUpdate: 'plan', entries })
    }
    if (event.type === 'turn-end' && event.sessionId === sessionId) end(event)
  })
  try {
    let all: Attachment[]
    try {
      const slashed = await engine.slash.attachmentsFor({ sessionId, workspace, agentId }, text, attachments)
      all = await engine.hooks.attachmentsFor(sessionId, text, slashed)
      if (cancelled.aborted) return 'cancelled'
    } catch (error) {
      // A hook refuses the message, or a command cannot be made: nothing was said to the model.
      say(error instanceof Error ? error.message : String(error))
      await last
      return 'refusal'
    }
    runner.send(sessionId, text, all)
    const { reason, error, usage } = await ended
    if (error) say(`\n${error.message}${error.hint ? `\n${error.hint}` : ''}`)
    if (usage.contextWindow > 0)
      tell({ sessionUpdate: 'usage_update', used: usage.contextTokens, size: usage.contextWindow })
    await last
    return stopReasons[reason]
  } finally {
    unsubscribe()
  }
}

/** Said to the model where a word has to be typed: a client may agree to everything without asking anybody. */
const needsWord =
  'This is dangerous and needs a word typed by the user, which this editor cannot ask for. The user can run it themselves.'

/** What the client says to a question. */
async function answerOf(
  client: acp.AgentContext,
  question: Question,
  call: Parameters<typeof callUpdate>[0],
  workspace: string,
): Promise<Answer> {
  if (question.typedWord !== undefined) return { decision: 'deny', note: needsWord }
  const choices = question.choices?.map((name, index) => ({
    optionId: `choice-${index}`,
    name,
    kind: 'allow_once' as const,
  }))
  const offersSession = question.offers.some(({ scope }) => scope === 'session')
  const options: acp.PermissionOption[] = choices ? [...choices, no] : [yes, ...(offersSession ? [forSession] : []), no]
  const toolCall: acp.ToolCallUpdate = {
    ...callUpdate(call, workspace, true),
    title: question.command ?? question.title,
    ...(question.command !== undefined && { rawInput: { command: question.command, cwd: question.cwd } }),
  }
  const request: acp.RequestPermissionRequest = { sessionId: question.sessionId, toolCall, options }
  const { outcome } = await client.request('session/request_permission', request)
  if (outcome.outcome !== 'selected') return { decision: 'deny' }
  if (outcome.optionId === forSession.optionId) return { decision: 'allow', scope: 'session' }
  const chosen = choices?.find(({ optionId }) => optionId === outcome.optionId)
  if (chosen) return { decision: 'reply', text: chosen.name }
  if (outcome.optionId !== yes.optionId) return { decision: 'deny' }
  // A client cannot choose a mode along with it: what only reads runs, and the rest asks.
  if (question.plan !== undefined) return { decision: 'approve-plan', plan: question.plan, mode: 'safe' }
  return { decision: 'allow', scope: 'once', typed: question.typedWord }
}
