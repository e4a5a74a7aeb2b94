import { randomBytes } from 'node:crypto'
import type { ModelCall, ModelMessage } from './model'

/**
 * Gives every call of an answer an id of its own: some servers send none, or count from zero in each answer, and a result
 * must name one call and no other. A call that repeats an id which can mean only one call is a repetition and is refused.
 */
export const acceptCalls = (messages: ModelMessage[]) => {
  const seen = new Set<string>()
  let past: Set<string> | undefined
  const usedBefore = (id: string): boolean => {
    past ??= new Set(
      messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map((call) => call.id) : [])),
    )
    return past.has(id)
  }

  return (call: ModelCall): ModelCall => {
    const { id } = call
    if (id === '') return { ...call, id: freshId() }
    const inThisAnswer = seen.has(id)
    seen.add(id)
    const before = usedBefore(id)
    if (!inThisAnswer && !before) return call
    return { ...call, id: freshId(), ...((inThisAnswer || !isCounted(id)) && { refused: repeated(id) }) }
  }
}

/** Such as `0`, `call_3` or `functions.Bash:12`, which a server may use again in each answer. */
const isCounted = (id: string): boolean => /^\D*\d{0,4}$/.test(id)

const freshId = (): string => `call_${randomBytes(12).toString('hex')}`

const repeated = (id: string): string =>
  `Not run: an earlier call has the id ${id.slice(0, 80)} already, and an id stands for one call. Make the call again if it is meant.`

/** Calls of an answer that was cut: the last may lack a part of its arguments, and those after it are missing. */
export const refuseCut = (calls: ModelCall[], maxOutputTokens: number): ModelCall[] =>
  calls.map((call) => ({
    ...call,
    refused:
      `Not run: your answer was cut off at the limit of ${maxOutputTokens} tokens, so this call may not be whole. ` +
      'Make it again in a shorter answer; write a long file in several parts.',
  }))
