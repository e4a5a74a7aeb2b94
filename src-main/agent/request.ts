import type { TurnError } from '../../src-preload/contract/messages'
import { Aborted, sleep } from './abort'
import { acceptCalls, refuseCut } from './call-ids'
import type { AnswerParts, TurnOptions, TurnPorts } from './loop'
import type { ModelEvent, ModelRequest } from './model'
import { keepAliveFactor, type SilencePhase, watchSilence } from './watchdog'

interface Answer extends AnswerParts {
  ended: 'stop' | 'length' | 'refused'
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

const emptyAnswer = (): Answer => ({ text: '', reasoning: '', reasoningMs: 0, calls: [], usage: null, ended: 'stop' })

/**
 * The message that is being written. It opens with the first event of an answer and is closed exactly once: by
 * `assistant-end`, or by `discard` when nothing of it was shown.
 */
const openMessage = (emit: Emit) => {
  let open = false
  const start = () => {
    if (open) return
    open = true
    emit({ type: 'assistant-start' })
  }
  return {
    start,
    async end({ ended: _, ...answer }: Answer, error?: TurnError) {
      start()
      open = false
      await emit({ type: 'assistant-end', ...answer, error })
    },
    discard({ usage }: Answer) {
      if (usage) emit({ type: 'spent', usage })
      if (!open) return
      open = false
      emit({ type: 'discard' })
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
  const message = openMessage(emit)
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
      const empty = answer.text.trim() === '' && answer.calls.length === 0
      if (!empty) {
        if (answer.ended === 'length') {
          answer.calls = refuseCut(answer.calls, options.maxOutputTokens)
          // Thoughts that were cut have no signature.
          delete answer.native
        }
        await message.end(answer, endedEarly(answer, options))
        return { answer }
      }
      if (!shown && !emptyBefore && answer.ended === 'stop') {
        emptyBefore = true
        message.discard(answer)
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
        message.discard(answer)
        await waitToRetry(waitMs, attempt + 1, failure.error.message, options.signal, emit)
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
      switch (event.type) {
        case 'text':
        case 'reasoning':
          if (event.text === '') break
          start()
          if (event.type === 'text') answer.text += event.text
          else {
            reasoningFrom ||= performance.now()
            answer.reasoning += event.text
            answer.reasoningMs = Math.round(performance.now() - reasoningFrom)
          }
          emit({ type: 'delta', kind: event.type, text: event.text })
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

const cutError: TurnError = {
  kind: 'cut',
  message: 'The answer broke off before it was complete.',
  hint: 'What arrived is kept, and none of its tools were run. Try again.',
  retryable: true,
}

const silenceWords: Record<SilencePhase, (options: TurnOptions) => string> = {
  'first-byte': ({ firstByteMs }) => `The model did not start answering within ${seconds(firstByteMs)}.`,
  idle: ({ idleMs }) => `The model stopped sending for ${seconds(idleMs)} in the middle of its answer.`,
  'keep-alive': ({ firstByteMs, idleMs }) =>
    `The server held the connection open for ${seconds(keepAliveFactor * Math.max(firstByteMs, idleMs))}, but sent no answer.`,
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`

const silenceError = (phase: SilencePhase, options: TurnOptions): TurnError => {
  return {
    kind: 'timeout',
    message: silenceWords[phase](options),
    hint: 'Try again. A slow local model may need a longer limit in the settings.',
    retryable: true,
  }
}

const emptyError = (answer: Answer, options: TurnOptions): TurnError => {
  if (answer.ended === 'refused')
    return {
      kind: 'refused',
      message: 'The model declined to answer this.',
      hint: 'Rephrase your message.',
      retryable: false,
    }
  if (answer.ended === 'length') return lengthError(options)
  return {
    kind: 'bad-response',
    message: answer.reasoning
      ? 'The model thought about it, but gave no answer.'
      : 'The model sent an empty answer, twice.',
    hint: 'Try again, or choose another model.',
    retryable: true,
  }
}

/** For an answer that is usable but was cut short: the reader should know that it is incomplete. */
const endedEarly = (answer: Answer, options: TurnOptions): TurnError | undefined => {
  if (answer.calls.length > 0) return undefined
  if (answer.ended === 'length') return lengthError(options)
  if (answer.ended === 'refused')
    return { kind: 'refused', message: 'The provider stopped the answer here.', retryable: false }
  return undefined
}

const lengthError = (options: TurnOptions): TurnError => ({
  kind: 'cut',
  message: `The answer reached the limit of ${options.maxOutputTokens} tokens and stopped here.`,
  hint: 'Ask it to continue.',
  retryable: false,
})
