/** The word behind an `@` that is being typed, and where it stands. */
interface Mention {
  /** Where the `@` stands. */
  from: number
  /** Behind the last letter of the word. */
  to: number
  word: string
}

/**
 * The mention that the caret is in. The `@` begins a word, so that an address of mail is none; a name with spaces stands in
 * quotes, which may still be open.
 */
export function mentionAt(text: string, caret: number): Mention | null {
  const before = text.slice(0, caret)
  const [, lead, quoted, plain] = /(^|[\s([{])@(?:"([^"\n]*)|([^\s"]*))$/.exec(before) ?? []
  if (lead === undefined) return null
  const word = quoted ?? plain ?? ''
  const from = caret - word.length - (quoted === undefined ? 1 : 2)
  return { from, to: caret, word }
}

/** A path as a message names it. */
export const mentioned = (path: string): string => (/[\s"]/.test(path) ? `@"${path}"` : `@${path}`)

/** A folder as the beginning of a path that goes on. */
export const openPath = (path: string): string => (/\s/.test(path) ? `@"${path}` : `@${path}`)

/** The text with something else in place of the mention, and where the caret then stands. */
export function replaceMention(text: string, { from, to }: Mention, by: string): { text: string; caret: number } {
  const rest = text.slice(to)
  const gap = by.endsWith(' ') && /^\s/.test(rest) ? by.slice(0, -1) : by
  return { text: text.slice(0, from) + gap + rest, caret: from + gap.length }
}
