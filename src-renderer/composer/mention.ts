/** The word after an `@` that is being typed, and its position. */
interface Mention {
  /** The position of the `@`. */
  from: number
  /** The position after the last letter of the word. */
  to: number
  word: string
}

/**
 * The mention that the caret is in. The `@` has to begin a word, so that an email address is none; a name with spaces
 * is in quotes, which may still be open.
 */
export function mentionAt(text: string, caret: number): Mention | null {
  const before = text.slice(0, caret)
  const [, lead, quoted, plain] = /(^|[\s([{])@(?:"([^"\n]*)|([^\s"]*))$/.exec(before) ?? []
  if (lead === undefined) return null
  const word = quoted ?? plain ?? ''
  const from = caret - word.length - (quoted === undefined ? 1 : 2)
  return { from, to: caret, word }
}

/** A path as a mention. */
export const mentioned = (path: string): string => (/[\s"]/.test(path) ? `@"${path}"` : `@${path}`)

/** A folder as the start of a longer path. */
export const openPath = (path: string): string => (/\s/.test(path) ? `@"${path}` : `@${path}`)

/** The text with the mention replaced, and the new position of the caret. */
export function replaceMention(text: string, { from, to }: Mention, by: string): { text: string; caret: number } {
  const rest = text.slice(to)
  const gap = by.endsWith(' ') && /^\s/.test(rest) ? by.slice(0, -1) : by
  return { text: text.slice(0, from) + gap + rest, caret: from + gap.length }
}
