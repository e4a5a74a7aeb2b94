/** Limits that count characters as a reader does: one outside the basic plane counts as one, and none is split. */

/** The beginning of a text, and whether that is all of it. */
export function firstCharacters(text: string, most: number): { text: string; whole: boolean } {
  if (text.length <= most) return { text, whole: true }
  const end = indexAfter(text, most)
  return { text: text.slice(0, end), whole: end === text.length }
}

/** The end of a text, and how many characters are missing before it. */
export function lastCharacters(text: string, most: number): { text: string; dropped: number } {
  if (text.length <= most) return { text, dropped: 0 }
  const dropped = Math.max(0, countOf(text) - most)
  return { text: text.slice(indexAfter(text, dropped)), dropped }
}

function countOf(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function indexAfter(text: string, characters: number): number {
  let index = 0
  for (let left = characters; left > 0 && index < text.length; left--) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  }
  return index
}

/** The beginning of a text that is too long, with a mark. */
export function clipHead(text: string, most: number): string {
  const head = firstCharacters(text, most)
  return head.whole ? text : `${head.text}...[truncated]`
}

/** The end of a text that is too long, with a line that says what is missing. */
export function clipTail(text: string, most: number): string {
  const tail = lastCharacters(text, most)
  return tail.dropped === 0 ? text : `[truncated ${tail.dropped} chars from start]\n${tail.text}`
}
