import { isRecord } from '../is-record'
import { field, listOf, textOf } from './json'

type Detail = Record<string, unknown>

/**
 * Puts `reasoning_details` together from their pieces: thoughts as OpenRouter and others hand them on, readable, summarised
 * or encrypted. They go back as they came, so only the pieces of one are joined.
 */
export const detailCollector = () => {
  const details: Detail[] = []

  const add = (piece: Detail): void => {
    const last = details.at(-1)
    const goesOn = last && last.type === piece.type && (last.index ?? null) === (piece.index ?? null)
    if (!goesOn) {
      details.push({ ...piece })
      return
    }
    for (const [name, value] of Object.entries(piece)) {
      const isText = name === 'text' || name === 'summary' || name === 'data'
      if (isText) last[name] = textOf(last[name]) + textOf(value)
      else if (value != null && value !== '') last[name] = value
    }
  }

  return {
    /** The words of what the delta adds, for those who read along. */
    add(delta: unknown): string {
      let words = ''
      for (const piece of listOf(field(delta, 'reasoning_details'))) {
        if (!isRecord(piece)) continue
        add(piece)
        words += textOf(piece.text) || textOf(piece.summary)
      }
      return words
    },
    all: (): Detail[] => details,
  }
}
