import type { TurnError } from '../../src-preload/contract/messages'
import type { TurnOptions } from './loop'
import type { Answer } from './request'
import { keepAliveFactor, type SilencePhase } from './watchdog'

/** What the user is told of an answer that did not come, or not as a whole. */

export const cutError: TurnError = {
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

export const silenceError = (phase: SilencePhase, options: TurnOptions): TurnError => {
  return {
    kind: 'timeout',
    message: silenceWords[phase](options),
    hint: 'Try again. A slow local model may need a longer limit in the settings.',
    retryable: true,
  }
}

export const emptyError = (answer: Answer, options: TurnOptions): TurnError => {
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
export const endedEarly = (answer: Answer, options: TurnOptions): TurnError | undefined => {
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
