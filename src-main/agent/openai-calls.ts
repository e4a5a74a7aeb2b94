import { field, listOf, textOf } from './json'
import type { ModelCall } from './model'

interface Slot extends ModelCall {
  index: unknown
}

/**
 * Puts calls together from their pieces. By the book a piece names its call by `index`; in the wild there are servers that
 * leave it out, give every call the index 0, send whole calls at once, send arguments as an object, or know only the
 * older `function_call`.
 */
export const callCollector = () => {
  const slots: Slot[] = []

  const slotFor = (index: unknown, id: string, name: string): Slot => {
    const last = slots.at(-1)
    const same = slots.findLast((slot) =>
      typeof index === 'number' ? slot.index === index : id !== '' && slot.id === id,
    )
    const candidate = same ?? (typeof index === 'number' || name !== '' ? undefined : last)
    if (candidate && !beginsAnother(candidate, id, name)) return candidate
    const slot: Slot = { index, id, name, arguments: '' }
    slots.push(slot)
    return slot
  }

  const addPiece = (piece: unknown, fn: unknown) => {
    const id = textOf(field(piece, 'id'))
    const name = textOf(field(fn, 'name'))
    const given = field(fn, 'arguments')
    const slot = slotFor(field(piece, 'index'), id, name)
    slot.id ||= id
    slot.name ||= name
    if (typeof given === 'string') slot.arguments += given
    else if (given != null) slot.arguments = JSON.stringify(given)
  }

  return {
    /** Whether the delta held a piece of a call. */
    add(delta: unknown): boolean {
      const pieces = listOf(field(delta, 'tool_calls'))
      for (const piece of pieces) addPiece(piece, field(piece, 'function') ?? piece)
      const legacy = field(delta, 'function_call')
      if (legacy != null) addPiece({ index: 0 }, legacy)
      return pieces.length > 0 || legacy != null
    },
    finish: (): ModelCall[] =>
      slots.map(({ id, name, arguments: text }) => ({ id, name, arguments: text.trim() === '' ? '{}' : text })),
  }
}

/** Whether a piece that seems to belong to `slot` is in truth the start of the next call. */
const beginsAnother = (slot: Slot, id: string, name: string): boolean => {
  if (name === '') return false
  if (id !== '' && slot.id !== '') return id !== slot.id
  return slot.name !== '' && isWhole(slot.arguments)
}

const isWhole = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
