import type { TurnError } from '../../src-preload/contract/messages'
import { Aborted, sleep } from './abort'
import { cutError, emptyError, endedEarly, silenceError } from './answer-errors'
import { acceptCalls, refuseCut } from './call-ids'
import type { AnswerParts, TurnOptions, TurnPorts } from './loop'
import type { ModelEvent, ModelRequest } from './model'
import { unreportedUsage } from './unreported'
import type { TokenUsage } from './usage'
import { watchSilence } from './watchdog'

export interface Answer extends AnswerParts {
  ended: 'stop' | 'length' | 'refused'
  /** Something has come, so that it is paid for. */
  begun: boolean
}

interface Failure {
  error: TurnError
  retryAfterMs?: number
}

type Emit = TurnPorts['emit']
type Request = Omit<ModelRequest, 'signal'>

/** A provider that asks for more than this is not waited for: the user should know and decide. */
const longestWaitMs = 60_000
const worthRetrying: ReadonlySet<TurnError['kind']> = new Set(['network', 'server', 'rate-limit', 'timeout', 'cut'])

const emptyAnswer = (): Answer => ({
  text: '',
  reasoning: '',
  reasoningMs: 0,
  calls: [],
  usage: null,
  ended: 'stop',
  begun: false,
})

/**
 * The message that is being written. It opens with the first event of an answer and is closed exactly once: by
 * `assistant-end`, or by `discard` when nothing of it was shown.
 */
const openMessage = (emit: Emit, unreported: (answer: Answer) => TokenUsage | null) => {
  let open = false
  const start = () => {
    if (open) return
    open = true
    emit({ type: 'assistant-start' })
  }
  return {
    start,
    async end(whole: Answer, error?: TurnError) {
      const { ended: _, begun: __, ...answer } = whole
      start()
      open = false
      const usage = answer.usage ? null : unreported(whole)
      if (usage) emit({ type: 'spent', usage })
      await emit({ type: 'assistant-end', ...answer, error })
    },
    /** Returns whether the attempt took anything. */
    discard(answer: Answer): boolean {
      const usage = answer.usage ?? unreported(answer)
      if (usage) emit({ type: 'spent', usage })
      if (open) emit({ type: 'discard' })
      open = false
      return usage !== null
    },
  }
}

/**
 * Asks the model until there is an answer, an error worth telling, or an abort (thrown as `Aborted`). Whatever happens,
 * the message is closed when this returns; calls are handed out only with an answer that is complete.
 */
export const askModel = async (
  request: Request,
  options: TurnOptions,
  emit: Emit,
): Promise<{ answer: Answer; error?: TurnError; overflow?: true }> => {
  const message = openMessage(emit, ({ begun, text, reasoning, calls }) =>
    begun
      ? unreportedUsage(options.model, request, [text, reasoning, ...calls.map((call) => call.name + call.arguments)])
      : null,
  )
  let cutBefore = false
  let emptyBefore = false

  for (let attempt = 1; ; attempt++) {
    const answer = emptyAnswer()
    let failure: Failure | null
    try {
      failure = await readAnswer(request, options, answer, attempt, message.start, emit)
    } catch (error) {
      await closeAfterStop(message, answer)
      throw error
    }
    const shown = answer.text !== '' || answer.reasoning !== ''

    if (!failure) {
      // Stopped by a filter, perhaps in the middle of a call: it would be stopped there again.
      if (answer.ended === 'refused') dropCalls(answer)
      const empty = answer.text.trim() === '' && answer.calls.length === 0
      if (!empty) {
        if (answer.ended === 'length') answer.calls = refuseCut(answer.calls, options.maxOutputTokens)
        await message.end(answer, endedEarly(answer, options))
        return { answer }
      }
      if (!shown && !emptyBefore && answer.ended === 'stop') {
        emptyBefore = true
        if (message.discard(answer)) await emit({ type: 'again' })
        continue
      }
      failure = { error: emptyError(answer, options) }
    } else if (failure.error.kind === 'context-overflow' && !shown) {
      message.discard(answer)
      return { answer: emptyAnswer(), error: failure.error, overflow: true }
    } else if (!shown && worthRetrying.has(failure.error.kind) && attempt < options.attempts) {
      // A stream that breaks off will often break off again, and each try is paid for: one is enough.
      const broke = failure.error.kind === 'cut' || answer.calls.length > 0
      const waitMs = failure.retryAfterMs ?? backoff(attempt, options.backoffMs ?? 500)
      if (!(broke && cutBefore) && waitMs <= longestWaitMs) {
        cutBefore ||= broke
        const spent = message.discard(answer)
        await waitToRetry(waitMs, attempt + 1, failure.error.message, options.signal, emit)
        if (spent) await emit({ type: 'again' })
        continue
      }
    }
    const broken = withoutCalls(answer)
    await message.end(broken, failure.error)
    return { answer: broken, error: failure.error }
  }
}

const closeAfterStop = async (message: ReturnType<typeof openMessage>, answer: Answer) => {
  // Calls of a stopped answer are never run, so they are not kept as if they could be.
  if (answer.text === '' && answer.reasoning === '') message.discard(answer)
  else await message.end(withoutCalls(answer))
}

const dropCalls = (answer: Answer) => {
  answer.calls = []
  delete answer.native
}

const withoutCalls = ({ native: _, ...answer }: Answer): Answer => ({ ...answer, calls: [] })

/** Why a connection is closed after each answer: made once, because to make an error takes longer than to close. */
const over = new Error('The answer is over.')

/** Reads one attempt into `answer`. Returns what went wrong, or null; throws `Aborted` when the user stops. */
const readAnswer = async (
  request: Request,
  options: TurnOptions,
  answer: Answer,
  attempt: number,
  start: () => void,
  emit: Emit,
): Promise<Failure | null> => {
  if (options.signal.aborted) throw new Aborted()
  const connection = new AbortController()
  let left: Failure | 'aborted' | null = null
  let wake = () => {}
  const leave = (why: Failure | 'aborted') => {
    left ??= why
    connection.abort()
    wake()
  }
  const onAbort = () => leave('aborted')
  options.signal.addEventListener('abort', onAbort, { once: true })
  const silence = watchSilence(options, {
    tick: (phase, secondsLeft) => emit({ type: 'waiting', phase, secondsLeft, attempt }),
    timeout: (phase) => leave({ error: silenceError(phase, options) }),
  })

  let textFrom = 0
  let reasoningFrom = 0
  const accept = acceptCalls(request.messages)
  const events = options.model
    .stream({ ...request, signal: connection.signal }, (sign) =>
      sign === 'working' ? silence.output() : silence.sign(),
    )
    [Symbol.asyncIterator]()
  try {
    for (;;) {
      // Not Promise.race: against one long-lived promise it would gather a reaction for each event.
      const next = await new Promise<IteratorResult<ModelEvent> | undefined>((resolve, reject) => {
        wake = () => resolve(undefined)
        events.next().then(resolve, reject)
        if (left) wake()
      })
      if (left === 'aborted') throw new Aborted()
      if (left) return left
      if (!next || next.done) return { error: cutError }
      silence.output()
      const event = next.value
      answer.begun ||= event.type !== 'error'
      switch (event.type) {
        case 'text':
        case 'reasoning':
          if (event.text === '') break
          start()
          if (event.type === 'text') {
            textFrom ||= performance.now()
            answer.text += event.text
          } else {
            reasoningFrom ||= performance.now()
            answer.reasoning += event.text
            answer.reasoningMs = Math.round(performance.now() - reasoningFrom)
          }
          emit({ type: 'delta', kind: event.type, text: event.text })
          break
        case 'was-thought':
          answer.text = ''
          answer.reasoning = event.text
          answer.reasoningMs = textFrom === 0 ? 0 : Math.round(performance.now() - textFrom)
          break
        case 'call':
          start()
          answer.calls.push(accept(event.call))
          break
        case 'usage': {
          const { type: _, ...usage } = event
          answer.usage = usage
          break
        }
        case 'native':
          answer.native = event.native
          break
        case 'end':
          answer.ended = event.reason
          return null
        case 'error':
          return event
      }
      // An abort while the event was handed on (a stop pressed because of what it showed) counts at once.
      if (options.signal.aborted) throw new Aborted()
    }
  } finally {
    silence.stop()
    options.signal.removeEventListener('abort', onAbort)
    connection.abort(over)
    // Not awaited: a model that does not heed its signal must not hold up the turn.
    Promise.resolve(events.return?.()).catch(() => undefined)
  }
}

const backoff = (attempt: number, baseMs: number) =>
  Math.min(20_000, baseMs * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2)

const waitToRetry = async (ms: number, attempt: number, reason: string, signal: AbortSignal, emit: Emit) => {
  for (let left = ms; left > 0; left -= 1000) {
    emit({ type: 'waiting', phase: 'retry', secondsLeft: Math.ceil(left / 1000), attempt, reason })
    await sleep(Math.min(left, 1000), signal)
  }
}
