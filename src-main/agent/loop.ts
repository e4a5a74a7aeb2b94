import type { Content } from '../../src-preload/contract/content'
import type { StopReason } from '../../src-preload/contract/events'
import type { TurnError } from '../../src-preload/contract/messages'
import type { Effort } from '../../src-preload/contract/models'
import { StorageError } from '../storage/storage-error'
import type { ToolDefinition } from '../tools/tool'
import { orAbort } from './abort'
import { CapReached } from './cap-reached'
import type { Model, ModelCall, ModelMessage, NativeAnswer } from './model'
import { watchRepeats } from './repeats'
import { askModel } from './request'
import type { TokenUsage } from './usage'

/** What the loop needs of the session that it works for. */
export interface TurnPorts {
  /**
   * Gets the session ready for the next request, and returns what the model should see now. Calls that were left over are
   * run first, and older messages are summarised where the window is nearly full. Throws `CapReached` where the request
   * could cost more than the user allows.
   */
  nextRequest(): Promise<{ system: string; messages: ModelMessage[]; tools: ToolDefinition[] }>
  readOnly(toolName: string): boolean
  /** Announcements, in order; the session saves and publishes each before this returns, or before its promise settles. */
  emit(event: LoopEvent): void | Promise<void>
  /** Runs a call to its end. Failures come back as content for the model; only an abort or a bug throws. */
  execute(call: ModelCall): Promise<{ content: Content[]; isError: boolean }>
  /** Adds a line to the result of a call that the model has made over and over. */
  remark(call: ModelCall, text: string): void
  /** A user's message came in that this turn should answer before it ends. */
  steered(): boolean
  /** Asks the user whether to go on with a loop that repeats itself. */
  pause(reason: string): Promise<'continue' | 'stop'>
  /** The request did not fit into the model's window. Makes the next one smaller; false when it cannot. */
  shrink?(): Promise<boolean>
}

/** What a model answered to one request. */
export interface AnswerParts {
  text: string
  reasoning: string
  reasoningMs: number
  /** Those with `refused` are kept with that as their result, and are not run. */
  calls: ModelCall[]
  native?: NativeAnswer
  usage: TokenUsage | null
}

/**
 * What a turn announces. A message opens with `assistant-start`, at the first sign of an answer, and is closed exactly once:
 * by `assistant-end`, or by `discard`. When a turn fails, its last `assistant-end` carries the error.
 */
export type LoopEvent =
  | { type: 'assistant-start' }
  | { type: 'delta'; kind: 'text' | 'reasoning'; text: string }
  /** The error is set when the stream broke off; what had come is kept. */
  | ({ type: 'assistant-end'; error?: TurnError } & AnswerParts)
  /** The attempt is void and nothing of it was shown; another begins. */
  | { type: 'discard' }
  /** What an attempt took that was void, or about what an answer took whose end does not say. */
  | { type: 'spent'; usage: TokenUsage }
  /** The same request is about to be made once more, after an attempt that took something. May throw `CapReached`. */
  | { type: 'again' }
  | { type: 'waiting'; phase: 'first-byte' | 'idle' | 'retry'; secondsLeft: number; attempt: number; reason?: string }

export interface TurnOptions {
  model: Model
  modelName: string
  maxIterations: number
  /** Asks whether to go on at the limit, and for as many steps more; otherwise the turn ends there. */
  pausesAtLimit?: boolean
  maxOutputTokens: number
  firstByteMs: number
  idleMs: number
  /** Attempts at a request before any output has come. */
  attempts: number
  /** The pause before the second attempt, doubled with each further one; half a second when absent. */
  backoffMs?: number
  effort?: Effort
  signal: AbortSignal
}

export interface TurnOutcome {
  reason: StopReason
  iterations: number
  error?: TurnError
  /** What was thrown, when the error is of kind `internal`; for the log. */
  cause?: unknown
}

type RunTurn = (ports: TurnPorts, options: TurnOptions) => Promise<TurnOutcome>

const sideBySide = 8
/** Answers in a row of which no call could be run. */
const mostRefusals = 3
const nothingToRun: TurnError = {
  kind: 'cut',
  message: `No call of the last ${mostRefusals} answers could be run: they were cut off at the token limit, or repeated earlier ones.`,
  hint: 'Ask for the work in smaller parts, or choose another model.',
  retryable: true,
}
/** How long a stopped tool may take to settle before the turn ends without it. */
const settleMs = 3000

/**
 * One turn: ask the model, run what it calls, ask again, until it answers without calling anything. Calls decide this and not
 * the finish reason, which servers get wrong.
 */
export const runTurn: RunTurn = async (ports, options) => {
  const { signal } = options
  const repeats = watchRepeats()
  let shrunk = false
  let refusals = 0
  let iterations = 0
  let limit = options.maxIterations
  try {
    for (;;) {
      if (iterations >= limit) {
        const goesOn =
          options.pausesAtLimit && (await orAbort(ports.pause(pausedAfter(iterations)), signal)) === 'continue'
        if (!goesOn) return { reason: 'limit', iterations }
        limit += options.maxIterations
      }
      const next = await orAbort(ports.nextRequest(), signal)
      iterations++
      const request = {
        model: options.modelName,
        ...next,
        maxOutputTokens: options.maxOutputTokens,
        effort: options.effort,
      }
      const reply = await askModel(request, options, ports.emit)
      if (reply.overflow && !shrunk && ports.shrink) {
        shrunk = true
        if (await orAbort(ports.shrink(), signal)) {
          iterations--
          continue
        }
      }
      if (reply.error) {
        if (reply.overflow) await announceFailure(ports, reply.error)
        return { reason: 'failed', iterations, error: reply.error }
      }
      if (reply.answer.calls.length === 0) {
        if (ports.steered()) continue
        return { reason: 'done', iterations }
      }
      const calls = reply.answer.calls.filter((call) => call.refused === undefined)
      refusals = calls.length === 0 ? refusals + 1 : 0
      if (refusals === mostRefusals) {
        await announceFailure(ports, nothingToRun)
        return { reason: 'failed', iterations, error: nothingToRun }
      }
      if ((await runCalls(calls, ports, signal, repeats)) === 'stop') return { reason: 'stopped', iterations }
    }
  } catch (cause) {
    if (signal.aborted) return { reason: 'stopped', iterations }
    if (cause instanceof CapReached) return { reason: 'cap', iterations, error: capError(cause) }
    // What cannot be saved cannot be announced either: the session tells of it in its own way.
    if (cause instanceof StorageError) return { reason: 'failed', iterations, error: cause.turnError, cause }
    const error: TurnError = {
      kind: 'internal',
      message: `Something in Deckhand itself failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      hint: 'The log has the details.',
      retryable: true,
    }
    await announceFailure(ports, error)
    return { reason: 'failed', iterations, error, cause }
  }
}

const capError = ({ message }: CapReached): TurnError => ({
  kind: 'cap',
  message,
  hint: 'Raise the cap, or continue with a cheaper model.',
  retryable: true,
})

const announceFailure = async (ports: TurnPorts, error: TurnError) => {
  ports.emit({ type: 'assistant-start' })
  await ports.emit({ type: 'assistant-end', text: '', reasoning: '', reasoningMs: 0, calls: [], usage: null, error })
}

/** Runs the calls of one message in order; neighbours that only read run side by side. */
const runCalls = async (
  calls: ModelCall[],
  ports: TurnPorts,
  signal: AbortSignal,
  repeats: ReturnType<typeof watchRepeats>,
): Promise<'go-on' | 'stop'> => {
  for (const group of groupReaders(calls, ports)) {
    const results = await runGroup(group, ports, signal)
    for (const [index, call] of group.entries()) {
      const result = results[index]
      if (!result) continue
      const count = repeats.count(call, result.content, ports.readOnly(call.name))
      if (count === 3) ports.remark(call, thirdTime(call))
      if (count !== 5) continue
      const answer = await orAbort(
        ports.pause(`The model has called ${call.name} five times with the same result.`),
        signal,
      )
      if (answer === 'stop') return 'stop'
      repeats.forget()
    }
  }
  return 'go-on'
}

const pausedAfter = (steps: number) => `Paused after ${steps === 1 ? '1 step' : `${steps} steps`}.`

const thirdTime = (call: ModelCall) =>
  `Note: this is the third time you made this exact call (${call.name}), and the result has not changed. ` +
  'Do something else, or say what you are waiting for.'

const groupReaders = (calls: ModelCall[], ports: TurnPorts): ModelCall[][] => {
  const groups: ModelCall[][] = []
  let reading = false
  for (const call of calls) {
    const readOnly = ports.readOnly(call.name)
    if (readOnly && reading) groups.at(-1)?.push(call)
    else groups.push([call])
    reading = readOnly
  }
  return groups
}

const runGroup = async (group: ModelCall[], ports: TurnPorts, signal: AbortSignal) => {
  const results: { content: Content[]; isError: boolean }[] = []
  let next = 0
  const work = async () => {
    while (next < group.length && !signal.aborted) {
      const index = next++
      const call = group[index] as ModelCall
      try {
        results[index] = await orAbort(ports.execute(call), signal, settleMs)
      } catch (error) {
        next = group.length
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(sideBySide, group.length) }, work))
  signal.throwIfAborted()
  return results
}
