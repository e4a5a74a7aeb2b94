import { field, listOf, textOf } from './json'
import type { ModelCall } from './model'

interface Slot extends ModelCall {
  index: unknown
  /** What came with the call and goes back with it, such as a signature of the thoughts before it. */
  extra?: unknown
}

/**
 * Puts calls together from their pieces. By the book a piece names its call by `index`; in the wild there are servers that
 * leave it out, give every call the index 0, change it while the id stays, send whole calls at once, send arguments as an
 * object, begin with empty ones, or know only the older `function_call`.
 */
export const callCollector = () => {
  const slots: Slot[] = []

  const slotFor = (index: unknown, id: string, name: string, given: unknown): Slot => {
    const byId = id === '' ? undefined : slots.findLast((slot) => slot.id === id)
    if (byId && !repeats(byId, name, given)) return byId
    const byIndex = typeof index === 'number' && !byId ? slots.findLast((slot) => slot.index === index) : undefined
    const last = typeof index === 'number' || name !== '' || byId ? undefined : slots.at(-1)
    const candidate = byIndex ?? last
    if (candidate && !beginsAnother(candidate, id, name)) return candidate
    const slot: Slot = { index, id, name, arguments: '' }
    slots.push(slot)
    return slot
  }

  const addPiece = (piece: unknown, fn: unknown) => {
    const id = textOf(field(piece, 'id'))
    const name = textOf(field(fn, 'name'))
    const given = field(fn, 'arguments')
    const slot = slotFor(field(piece, 'index'), id, name, given)
    slot.id ||= id
    slot.name ||= name
    slot.extra ??= field(piece, 'extra_content')
    if (typeof given === 'string') {
      // Sent whole and then once more.
      if (given !== slot.arguments || !isWhole(given))
        slot.arguments = isPlaceholder(slot) && given.trimStart().startsWith('{') ? given : slot.arguments + given
    } else if (given != null) slot.arguments = JSON.stringify(given)
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
    hasExtras: (): boolean => slots.some(({ extra }) => extra != null),
    finish: (): (ModelCall & { extra?: unknown })[] =>
      slots.map(({ id, name, arguments: text, extra }) => ({
        id,
        name,
        arguments: text.trim() === '' ? '{}' : text,
        extra: extra ?? undefined,
      })),
  }
}

/** Whether a piece with the id of a call that is whole makes another call of it, rather than telling it again. */
const repeats = (slot: Slot, name: string, given: unknown): boolean =>
  name !== '' &&
  typeof given === 'string' &&
  given !== '' &&
  given !== slot.arguments &&
  isWhole(slot.arguments) &&
  !(isPlaceholder(slot) && name === slot.name)

/** Whether what came may stand for arguments that are still to come. */
const isPlaceholder = (slot: Slot): boolean => slot.arguments.trim() === '{}'

/** Whether a piece that seems to belong to `slot` is actually the start of the next call. */
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
