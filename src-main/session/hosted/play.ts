import type { StopReason } from '@agentclientprotocol/sdk'
import { hostedAgentOf } from '../../../src-preload/contract/hosted'
import type { TurnError } from '../../../src-preload/contract/messages'
import { noUsage, type Session, type Usage } from '../../../src-preload/contract/sessions'
import type { TurnOutcome } from '../../agent/loop'
import { HostError } from '../../hosts/agent-link'
import type { ReadyAgent } from '../../hosts/hosts'
import { hostLimits } from '../../hosts/limits'
import { StorageError } from '../../storage/storage-error'
import { createAssistantWriter, nothingSaid } from '../assistant-writer'
import { spendingOf } from '../budget'
import { abortOpenCalls, finishTurn } from '../finish-turn'
import { addNotice } from '../notices'
import type { LiveTurn, RunnerCore } from '../runner-core'
import { handOver, wentBack } from './hand-over'
import { type HostedState, hostedStateOf } from './hosted-state'
import type { HostedPorts } from './ports'
import { promptBlocks, unreadMessages } from './prompt'
import { createHostedTurn, type HostedTurn } from './turn'

/** How often the usage that an agent reports is saved. */
const usageMs = 500

/** Agents report what a session costs and how full its context is, not the tokens of each request. */
const noTokens = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }

const leftOpen = 'The agent ended its turn without telling how this ended.'

/** Plays a turn with the session's own agent, as `playTurn` does with our loop. Throws only if nothing can be saved. */
export async function playHostedTurn(core: RunnerCore, live: LiveTurn): Promise<TurnOutcome> {
  const { store, table, log } = core.options
  const session = store.sessions.get(live.sessionId)
  const begin = store.messages.count(session.id)
  const startedAt = Date.now()
  const spent: Usage = { ...noUsage }
  // Questions and calls left from an earlier run: the agent that made them is gone.
  abortOpenCalls(core, session.id)
  const outcome = await play(core, live, session, spent)
  if (outcome.cause) log.error('A turn failed', { session: session.id, error: outcome.cause })
  if (outcome.reason === 'stopped') void table.endOf(session.id, startedAt)
  if (!core.isClosed()) finishTurn(core, live, outcome, spent, begin)
  return outcome
}

async function play(core: RunnerCore, live: LiveTurn, session: Session, spent: Usage): Promise<TurnOutcome> {
  const { options } = core
  const { signal } = live.controller
  const ports = options.hosted
  const writer = createAssistantWriter({
    store: options.store,
    publish: options.publish,
    sessionId: session.id,
    model: session.model,
    refusal: () => [],
    log: options.log,
  })
  live.flush = writer.flush
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  let turn: HostedTurn | null = null
  let outcome: TurnOutcome
  try {
    if (!ports) throw new HostError('Hosted agents are not available here.')
    const state = hostedStateOf(core, ports, session.id)
    const usage = usageKeeper(core, session, state, spent)
    const gist = 'Changes beside the reported calls'
    const resting = options.receipts?.beginRest({ sessionId: session.id, workspace: session.workspace, gist })
    const agent = await orAborted(ports.hosts.open(session, state.client), signal).catch(async (error: unknown) => {
      await (await resting)?.(null)
      throw error
    })
    const rest = await resting
    // The agent reports the cost of the whole session; what it reported before a restart is saved in the session.
    if (agent.fresh) state.cost = 0
    else state.cost ??= session.usage.cost ?? 0
    turn = createHostedTurn({
      core,
      sessionId: session.id,
      workspace: session.workspace,
      agent: hostedAgentOf(session.model) ?? '',
      name: () => agent.name,
      caged: () => session.sandbox && (ports.hosts.info(session.id)?.caged ?? false),
      toolsName: () => ports.hosts.toolsName(session.id),
      writer,
      terminals: state.terminals,
      signal,
      rest: async (tell) => {
        await rest?.(core.isClosed() ? null : tell)
      },
      usage: usage.take,
      note: (text) => live.steer(text),
      fail: failure.reject,
    })
    state.turn = turn
    ports.hosts.busy(session.id, true)
    try {
      const reason = await exchange(core, ports, live, session, agent, turn, failure.promise)
      await turn.close(leftOpen)
      outcome = outcomeOf(reason, agent.name, signal)
    } finally {
      state.turn = null
      usage.flush()
      ports.hosts.busy(session.id, false)
    }
  } catch (cause) {
    outcome = await failed(core, cause, turn, signal)
  }
  if (outcome.error && !core.isClosed()) {
    if (outcome.cause instanceof StorageError) writer.fail(outcome.error)
    else writer.end({ ...nothingSaid, error: outcome.error })
  } else writer.abandon()
  return outcome
}

/** Sends what is new and waits for the end of the turn, as long as the agent shows signs of life. */
async function exchange(
  core: RunnerCore,
  { hosts, table, receipts, clean }: HostedPorts,
  live: LiveTurn,
  session: Session,
  agent: ReadyAgent,
  turn: HostedTurn,
  failure: Promise<never>,
): Promise<StopReason> {
  const { store } = core.options
  const { signal } = live.controller
  const unread = unreadMessages(store, session.id, agent.fresh ? -1 : hosts.sent(session.id))
  const why = agent.notForked
  const told = why === null ? null : addNotice(core, session.id, { kind: 'event', text: why, forUser: why })
  const before = unread[0]?.seq ?? store.messages.count(session.id)
  const past = agent.fresh
    ? handOver(store, session.id, before, receipts?.list(session.id) ?? [], table.list(session.id))
    : null
  const fresh = promptBlocks(unread, agent.takes)
  const blocks = [
    ...(past === null ? [] : [{ type: 'text' as const, text: clean(past) }]),
    ...(agent.replaced === null ? [] : [{ type: 'text' as const, text: wentBack(agent.replaced) }]),
    ...(fresh.length > 0 ? fresh : [{ type: 'text' as const, text: 'Go on.' }]),
  ]
  live.steered = false
  const last = told?.seq ?? unread.at(-1)?.seq
  const noteSent = (): void => {
    if (last !== undefined) store.unsaved.save(`sent:${session.id}`, () => hosts.setSent(session.id, last))
  }
  const { promise: overdue, reject: giveUp } = Promise.withResolvers<never>()
  let killing: NodeJS.Timeout | null = null
  const onAbort = (): void => {
    agent.cancel()
    killing = setTimeout(() => {
      giveUp(new HostError(`${agent.name} did not stop within ${hostLimits.cancelMs / 1000} s and was ended.`))
      hosts.drop(session.id).catch((error: unknown) => core.options.log.warn('Could not end an agent', { error }))
    }, hostLimits.cancelMs)
  }
  const silence = setInterval(() => {
    if (turn.waitsForUser() || signal.aborted) return
    const limit = turn.busy() ? hostLimits.busySilenceMs : hostLimits.silenceMs
    if (performance.now() - agent.lastHeard() < limit) return
    giveUp(new HostError(`${agent.name} said nothing for ${limit / 60_000} minutes and was ended.`))
    agent.kill()
  }, 1000)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    if (signal.aborted) return 'cancelled'
    const asked = performance.now()
    try {
      return await Promise.race([agent.prompt(blocks), failure, overdue])
    } finally {
      // An agent that has said anything since has read it; otherwise the next turn sends it again.
      if (agent.lastHeard() > asked) noteSent()
    }
  } catch (error) {
    // It is in the middle of something whose result nobody wants any more.
    if (!signal.aborted) await hosts.drop(session.id)
    throw error
  } finally {
    clearInterval(silence)
    if (killing) clearTimeout(killing)
    signal.removeEventListener('abort', onAbort)
  }
}

function outcomeOf(reason: StopReason, name: string, signal: AbortSignal): TurnOutcome {
  if (signal.aborted || reason === 'cancelled') return { reason: 'stopped', iterations: 1 }
  if (reason === 'max_tokens' || reason === 'max_turn_requests') return { reason: 'limit', iterations: 1 }
  if (reason !== 'refusal') return { reason: 'done', iterations: 1 }
  const error: TurnError = { kind: 'refused', message: `${name} refused to go on with this.`, retryable: true }
  return { reason: 'failed', iterations: 1, error }
}

async function failed(
  core: RunnerCore,
  cause: unknown,
  turn: HostedTurn | null,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  try {
    await turn?.close(signal.aborted ? 'Stopped' : leftOpen)
  } catch (error) {
    core.options.log.warn('The end of a hosted turn could not be saved', { error })
  }
  if (signal.aborted) return { reason: 'stopped', iterations: 1 }
  if (cause instanceof StorageError) return { reason: 'failed', iterations: 1, error: cause.turnError, cause }
  const signIn = cause instanceof HostError && cause.signIn
  const error: TurnError = {
    kind: signIn ? 'auth' : 'server',
    message: cause instanceof Error ? cause.message : String(cause),
    ...(signIn && { hint: 'Sign in below the message box, then try again.' }),
    retryable: true,
  }
  return { reason: 'failed', iterations: 1, error, ...(!(cause instanceof HostError) && { cause }) }
}

/** Saves the context size and cost that an agent reports, for the session and for this turn. */
function usageKeeper(core: RunnerCore, { id: sessionId, model }: Session, state: HostedState, spent: Usage) {
  const { store } = core.options
  let waiting: { used: number; size: number; cost: number } | null = null
  let timer: NodeJS.Timeout | null = null
  const flush = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    const known = waiting
    waiting = null
    if (!known || core.isClosed()) return
    const rootId = store.sessions.lineage(sessionId).at(-1) ?? sessionId
    store.unsaved.save(`usage:${sessionId}`, () =>
      store.transaction(() => {
        store.sessions.setContext(sessionId, known.used, known.size, known.cost)
        if (known.cost > 0) store.usage.add({ sessionId, rootId, model, usage: noTokens, cost: known.cost })
      }),
    )
    core.publishSession(sessionId)
    if (known.cost > 0) core.options.publish(spendingOf(core, rootId))
  }
  return {
    flush,
    take: (used: number, size: number, total: number | null): void => {
      const before = state.cost ?? 0
      const more = total === null ? 0 : Math.max(0, total - before)
      if (total !== null) state.cost = total
      spent.contextTokens = Math.round(used)
      spent.contextWindow = Math.round(size)
      spent.cost = (spent.cost ?? 0) + more
      waiting = { used: spent.contextTokens, size: spent.contextWindow, cost: (waiting?.cost ?? 0) + more }
      timer ??= setTimeout(flush, usageMs)
    },
  }
}

function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', onAbort))
}
