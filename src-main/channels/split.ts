/** Splits a long text to fit the limit of a service, preferably between paragraphs, lines, sentences or words. */

const breaks = [/\n\s*\n/g, /\n/g, /[.!?…] /g, /\s/g] as const
const fence = '```'

export const splitText = (text: string, limit: number): string[] => {
  const pieces: string[] = []
  let rest = text.trim()
  while (rest.length > limit) {
    // Leave room for the closing code fence.
    const at = cutAt(rest, limit - fence.length - 1)
    const piece = rest.slice(0, at).trimEnd()
    const open = opener(piece)
    pieces.push(open === null ? piece : `${piece}\n${fence}`)
    rest = open === null ? rest.slice(at).trimStart() : `${open}\n${rest.slice(at).replace(/^\n/, '')}`
  }
  return rest === '' ? pieces : [...pieces, rest]
}

/** The last good break in the second half. Without one, the text is cut at the limit, but never inside a character. */
const cutAt = (text: string, limit: number): number => {
  const head = text.slice(0, limit)
  for (const pattern of breaks) {
    const last = [...head.matchAll(pattern)].at(-1)
    if (last && last.index > limit / 2) return last.index + last[0].length
  }
  const isHalf = /[\uD800-\uDBFF]/.test(text[limit - 1] ?? '')
  return isHalf ? limit - 1 : limit
}

/** The opening line of a code block that is still open at the end. */
const opener = (text: string): string | null => {
  const fences = text.split('\n').filter((line) => line.startsWith(fence))
  return fences.length % 2 === 1 ? (fences.at(-1) ?? fence).slice(0, 40) : null
}
