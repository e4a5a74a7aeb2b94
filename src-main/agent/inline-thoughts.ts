import type { ModelEvent } from './model'

type Piece = Extract<ModelEvent, { type: 'text' | 'reasoning' | 'was-thought' }>

const tags = ['think', 'thought', 'thinking'] as const
const opening = tags.map((tag) => `<${tag}>`)
const closing = tags.map((tag) => `</${tag}>`)
/** A tag on a line of its own, and room for one with its line breaks. */
const endLine = /^[ \t]*<\/(?:think|thought|thinking)>[ \t]*$/m
const endLineChars = 24

/**
 * Takes thoughts out of a text that some servers write there, between tags: at its beginning, and again right after other
 * thoughts. A tag later on belongs to the answer, except one that ends what the prompt of the model has begun: then all
 * that came before it was a thought.
 */
export const splitThoughts = () => {
  let held = ''
  /** The tag that ends the thought; empty before one and after. */
  let end = ''
  let begun = false
  let afterThought = false
  /** The text so far, while it may be a thought that the prompt has begun; and its end. */
  let said: string[] | null = []
  let tail = ''

  const say = (text: string, isLast = false): Piece[] => {
    begun = true
    const piece: Piece[] = text === '' ? [] : [{ type: 'text', text }]
    if (!said) return piece
    said.push(text)
    tail = (tail + text).slice(-(text.length + endLineChars))
    if (!tail.includes('</th')) return piece
    const whole = said.join('')
    const at = whole.search(endLine)
    const line = at === -1 ? '' : (whole.slice(at).split('\n', 1)[0] ?? '')
    // Without its line break more may follow on the line.
    if (at === -1 || (!isLast && at + line.length === whole.length)) return piece
    const thought = whole.slice(0, at)
    said = null
    if (isQuoted(thought)) return piece
    begun = false
    afterThought = true
    held = whole.slice(at + line.length)
    return [{ type: 'was-thought', text: thought.trim() }, ...begin()]
  }

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
    if (afterThought) said = null
    const text = afterThought ? start : held
    held = ''
    return say(text)
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
      if (begun) return say(text)
      held += text
      return end === '' ? begin() : think()
    },
    /** What was held back because a tag might have begun there. */
    end(): Piece[] {
      const text = afterThought && end === '' ? held.trimStart() : held
      held = ''
      if (end === '') return say(text, true)
      return text === '' ? [] : [{ type: 'reasoning', text }]
    },
    /** The server marks its thoughts in another way. */
    markedElsewhere(): void {
      said = null
    },
  }
}

/** Whether a tag after this text is in a block of code, or ends what the text itself has begun. */
const isQuoted = (text: string): boolean =>
  opening.some((tag) => text.includes(tag)) || (text.match(/^[ \t]*```/gm) ?? []).length % 2 === 1

/** How many characters at the end of a text may be the beginning of a tag. */
const heldBack = (text: string, tag: string): number => {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (tag.startsWith(text.slice(-length))) return length
  return 0
}
