type Piece = { type: 'text' | 'reasoning'; text: string }

const tags = ['think', 'thought', 'thinking'] as const
const opening = tags.map((tag) => `<${tag}>`)
const closing = tags.map((tag) => `</${tag}>`)

/**
 * Takes thoughts out of a text that some servers write there, between tags: at its beginning, and again right after other
 * thoughts. A tag later on belongs to the answer.
 */
export const splitThoughts = () => {
  let held = ''
  /** The tag that ends the thought; empty before one and after. */
  let end = ''
  let begun = false
  let afterThought = false

  const begin = (): Piece[] => {
    const start = held.trimStart()
    // A server that marks its thoughts in another way may still write the tag that ends them.
    const ended = closing.find((tag) => start.startsWith(tag))
    if (ended) {
      held = start.slice(ended.length)
      afterThought = true
      return begin()
    }
    const tag = opening.findIndex((each) => start.startsWith(each))
    if (tag !== -1) {
      held = start.slice(opening[tag]?.length)
      end = closing[tag] ?? ''
      return think()
    }
    if ([...opening, ...closing].some((each) => each.startsWith(start))) return []
    begun = true
    const text = afterThought ? start : held
    held = ''
    return [{ type: 'text', text }]
  }

  const think = (): Piece[] => {
    const at = held.indexOf(end)
    if (at === -1) {
      const keep = heldBack(held, end)
      const thought = held.slice(0, held.length - keep)
      held = held.slice(held.length - keep)
      return thought === '' ? [] : [{ type: 'reasoning', text: thought }]
    }
    const thought = held.slice(0, at)
    held = held.slice(at + end.length)
    end = ''
    afterThought = true
    const rest = held === '' ? [] : begin()
    return thought === '' ? rest : [{ type: 'reasoning', text: thought }, ...rest]
  }

  return {
    push(text: string): Piece[] {
      if (begun) return [{ type: 'text', text }]
      held += text
      return end === '' ? begin() : think()
    },
    /** What was held back because a tag might have begun there. */
    end(): Piece[] {
      const text = afterThought && end === '' ? held.trimStart() : held
      held = ''
      return text === '' ? [] : [{ type: end === '' ? 'text' : 'reasoning', text }]
    },
  }
}

/** How many characters at the end of a text may be the beginning of a tag. */
const heldBack = (text: string, tag: string): number => {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (tag.startsWith(text.slice(-length))) return length
  return 0
}
