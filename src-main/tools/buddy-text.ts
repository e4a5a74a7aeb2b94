import { firstCharacters, lastCharacters } from './characters'

/** The beginning of a text that is too long, with a mark. */
export function clipHead(text: string, most: number): string {
  const head = firstCharacters(text, most)
  return head.whole ? text : `${head.text}...[truncated]`
}

/** The end of a text that is too long, with a line that tells what is missing. */
export function clipTail(text: string, most: number): string {
  const tail = lastCharacters(text, most)
  return tail.dropped === 0 ? text : `[truncated ${tail.dropped} chars from start]\n${tail.text}`
}
