import type { TurnError } from '../../src-preload/contract/messages'
import type { Effort } from '../../src-preload/contract/models'
import { noUsage, type Session, type Usage } from '../../src-preload/contract/sessions'
import { usualSteps } from '../../src-preload/contract/settings'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { estimateOverhead } from '../agent/context'
import { runTurn, type TurnOutcome, type TurnPorts } from '../agent/loop'
import type { ModelCall } from '../agent/model'
import type { TokenUsage } from '../agent/usage'
import { StorageError } from '../storage/storage-error'
import type { Toolset } from '../tools/tool'
import { type AssistantEnd, type AssistantWriter, createAssistantWriter, nothingSaid } from './assistant-writer'
import { createBudget } from './budget'
import type { CallResult } from './call-rows'
import { createContextWindow, windowOf } from './context-window'
import { createConversation } from './conversation'
import { executeCall } from './execute'
import { finishTurn } from './finish-turn'
import { newId } from './ids'
import { askToGoOn } from './pause'
import { withPlanTool } from './plan-first'
import { createRequestHead } from './request-head'
import { callAgain } from './rerun'
import type { LiveTurn, RunnerCore } from './runner-core'
import type { TokenCount } from './session-rows'
import type { ModelChoice, RunnerOptions } from './types'

const attempts = 4
const mostOutputTokens = 16_384

/** Runs a turn to its end, from the current state of the session. Throws only if nothing can be saved any more. */
export const playTurn = async (core: RunnerCore, live: LiveTurn): Promise<TurnOutcome> => {
  const { options } = core
  const session = options.store.sessions.get(live.sessionId)
  const begin = options.store.messages.count(session.id)
  const startedAt = Date.now()
  const writer = createAssistantWriter({
    store: options.store,
    publish: options.publish,
    sessionId: session.id,
    model: session.model,
    refusal: (name, message) => options.toolsetFor(session).renderFailure({ name, kind: 'InvalidArgs', message }),
    log: options.log,
  })
  live.flush = writer.flush
  const spent: Usage = { ...noUsage }
  let outcome: TurnOutcome
  let choice: ModelChoice | null = null
  try {
    choice = await options.modelFor(session.model)
    spent.contextWindow = choice.contextWindow
    const settings = options.settings()
    const effort = effortOf(choice, options.effortFor?.(session), session.effort)
    outcome = await runTurn(portsFor(core, live, session, choice, writer, spent), {
      model: choice.model,
      modelName: choice.modelName,
      ...stepLimit(options, session),
      maxOutputTokens: longestAnswer(choice),
      firstByteMs: settings.firstByteSeconds * 1000,
      idleMs: settings.idleSeconds * 1000,
      attempts,
      ...(effort && { effort }),
      signal: live.controller.signal,
    })
  } catch (cause) {
    if (cause instanceof StorageError) {
      outcome = { reason: 'failed', iterations: 0, error: cause.turnError, cause }
    } else {
      const error = startError(cause, choice === null)
      if (!core.isClosed()) writer.end({ ...nothingSaid, error })
      outcome = { reason: 'failed', iterations: 0, error, cause }
    }
  }
  if (outcome.cause) options.log.error('A turn failed', { session: session.id, error: outcome.cause })
  // The signal has ended the turn's own commands; this ends what earlier calls of the turn left running.
  if (outcome.reason === 'stopped') void options.table.endOf(session.id, startedAt)
  if (outcome.cause instanceof StorageError) writer.fail(outcome.cause.turnError)
  else writer.abandon()
  if (!core.isClosed()) finishTurn(core, live, outcome, spent, begin)
  return outcome
}

/** A session that plans first can submit its plan. */
const toolsetOf = ({ options: { toolsetFor, store } }: RunnerCore, session: Session): Toolset =>
  session.mode === 'plan'
    ? withPlanTool(toolsetFor(session), (id) => store.sessions.get(id).mode === 'plan')
    : toolsetFor(session)

const longestAnswer = (choice: ModelChoice): number =>
  Math.min(mostOutputTokens, Math.max(1024, Math.floor(windowOf(choice) / 4)))

/** A vocabulary with a limit of its own stops there, unless another was chosen; elsewhere the user is asked. */
const stepLimit = ({ settings, toolsetFor, interactive, stepsChosen }: RunnerOptions, session: Session) => {
  const { maxIterations } = settings()
  const own = toolsetFor(session).maxIterations
  if (own === undefined) return { maxIterations, pausesAtLimit: interactive }
  return { maxIterations: stepsChosen || maxIterations !== usualSteps ? maxIterations : own }
}

/**
 * An effort level that the model supports; one that was chosen for another model is not sent. A job may set a level for a
 * model whose levels are unknown.
 */
const effortOf = ({ efforts = [] }: ModelChoice, ofJob: Effort | undefined, chosen: Effort | null): Effort | null => {
  if (ofJob && (efforts.length === 0 || efforts.includes(ofJob))) return ofJob
  return chosen && efforts.includes(chosen) ? chosen : null
}

/** The error of a turn that could not begin, usually because the model is no longer available. */
const startError = (cause: unknown, noModel: boolean): TurnError => ({
  kind: noModel ? 'model-not-found' : 'internal',
  message: cause instanceof Error ? cause.message : String(cause),
  hint: noModel ? 'Choose another model below the message box.' : 'The log has the details.',
  retryable: true,
})

const portsFor = (
  core: RunnerCore,
  live: LiveTurn,
  session: Session,
  choice: ModelChoice,
  writer: AssistantWriter,
  spent: Usage,
): TurnPorts => {
  const { options } = core
  const { store, publish } = options
  const { id: sessionId } = session
  const { signal } = live.controller
  const toolset = toolsetOf(core, session)
  /** By the provider's id, which the loop makes unique within a conversation. */
  const made = new Map<string, ToolCall>()
  let resumed = false
  const conversation = createConversation(store, sessionId)
  /** Checked before each request, since nodes come and go and the model may ask for more tools. */
  const head = createRequestHead(core, session, toolset)
  let overhead = 0
  let requestTokens = 0
  const budget = createBudget(core, sessionId, choice, signal)
  /** Records a request without an answer in the chat: a summary, or a failed attempt. */
  const recordBeside = (usage: TokenUsage): void => {
    const cost = budget.costOf(usage)
    addUsage(spent, usage, cost)
    store.unsaved.save(`usage:${newId('u')}`, () => {
      budget.record(usage)
      store.sessions.addSpending(sessionId, countOf(usage, cost))
    })
    budget.publish()
  }
  const contextWindow = createContextWindow(core, sessionId, conversation, choice, {
    overhead: () => overhead,
    budget: { check: budget.check, record: recordBeside },
    signal,
  })

  const keep = ({ calls }: { calls: ToolCall[] }): void => {
    for (const call of calls) {
      made.set(call.providerId, call)
      core.callMade(call)
    }
  }

  const end = async (event: AssistantEnd): Promise<void> => {
    const { usage } = event
    const cost = usage && budget.costOf(usage)
    keep(
      await core.whenWritable(sessionId, signal, () => {
        if (!usage) return writer.end(event)
        return writer.end(event, { ...usage, cost }, () => {
          budget.record(usage)
          store.sessions.addUsage(sessionId, countOf(usage, cost), choice.contextWindow)
        })
      }),
    )
    budget.ended()
    if (!usage) return
    addUsage(spent, usage, cost)
    spent.contextTokens = usage.inputTokens + usage.outputTokens
    core.publishSession(sessionId)
    budget.publish()
  }

  const checkRequest = (): Promise<void> =>
    budget.check(requestTokens, longestAnswer(choice) + (choice.thinkingTokens ?? 0))

  /** The empty answer makes way for a question, and takes its place behind it. */
  const checkAgain = async (): Promise<void> => {
    writer.discard()
    await checkRequest()
    await core.whenWritable(sessionId, signal, () => void (core.isClosed() || writer.start()))
  }

  const execute = (call: ModelCall): Promise<CallResult> => {
    const row = made.get(call.id)
    if (!row) throw new Error(`The loop ran a call that it had not announced: ${call.id}`)
    return executeCall(core, toolset, row, signal, undefined, true)
  }

  return {
    readOnly: (name) => toolset.tools.get(name)?.readOnly ?? false,
    nextRequest: async () => {
      const reruns = live.reruns.splice(0)
      if (reruns.length > 0) await core.whenWritable(sessionId, signal, () => callAgain(core, sessionId, reruns))
      if (!resumed || reruns.length > 0) await finishCalls(core, toolset, sessionId, signal)
      resumed = true
      let { system, tools, changed } = await head.next()
      if (changed) overhead = estimateOverhead(system, tools)
      const { tokens, shrunk } = await contextWindow.ensure()
      if (shrunk) {
        head.restart()
        ;({ system, tools } = await head.next())
      }
      requestTokens = tokens
      await checkRequest()
      return core.whenWritable(sessionId, signal, () => {
        // Nothing runs between here and the return, so a message that arrives later counts as a new steer.
        live.steered = false
        const messages = conversation.forModel()
        // Reserves the position of the answer now: a message that arrives before its first word was not part of the request.
        if (!core.isClosed()) writer.start()
        return { system, messages, tools }
      })
    },
    steered: () => live.steered,
    execute,
    remark: (call, text) => {
      const row = made.get(call.id)
      if (!row) return
      store.unsaved.save(`remark:${row.id}`, () => publish({ type: 'call', call: store.calls.addRemark(row.id, text) }))
    },
    shrink: () => {
      writer.discard()
      head.restart()
      return contextWindow.shrink()
    },
    pause: (reason) => askToGoOn(core, sessionId, reason, signal),
    emit: (event) => {
      if (core.isClosed()) return
      switch (event.type) {
        case 'assistant-start':
          writer.start()
          return
        case 'delta':
          return writer.delta(event.kind, event.text)
        case 'discard':
          return writer.discard()
        case 'spent':
          return recordBeside(event.usage)
        case 'again':
          return checkAgain()
        case 'waiting':
          return publish({ ...event, sessionId })
        case 'assistant-end':
          return end(event)
      }
    },
  }
}

/**
 * Runs the calls of a message that a question held back before a restart, and those behind it,
 * in order. Calls that had begun are not run again.
 */
const finishCalls = async (
  core: RunnerCore,
  toolset: Toolset,
  sessionId: string,
  signal: AbortSignal,
): Promise<void> => {
  const last = core.options.store.messages.lastOfRole(sessionId, 'assistant')
  if (!last) return
  for (const { id } of core.options.store.calls.ofMessages([last.id])) {
    const call = core.options.store.calls.get(id)
    if (call.state.status === 'pending' || call.state.status === 'awaiting') {
      await executeCall(core, toolset, call, signal, undefined, true)
    }
  }
}

const countOf = (usage: TokenUsage, cost: number | null): TokenCount => ({
  ...usage,
  cost,
  unpricedTokens: cost === null ? usage.inputTokens + usage.outputTokens : 0,
})

const addUsage = (total: Usage, usage: TokenUsage, cost: number | null): void => {
  total.inputTokens += usage.inputTokens
  total.outputTokens += usage.outputTokens
  total.cachedTokens += usage.cachedTokens
  if (cost === null) total.unpricedTokens += usage.inputTokens + usage.outputTokens
  const known = (total.cost ?? 0) + (cost ?? 0)
  total.cost = known === 0 && total.unpricedTokens > 0 ? null : known
}
