/** A file named in a text, with the line. */
export interface Place {
  path: string
  line?: number
  column?: number
}

const longest = 300

/** `src/app.ts`, `src/app.ts:12`, `app.ts:12:5`, `app.ts#L12` and `app.ts(12,5)`; null for anything else. */
export function readPlace(text: string): Place | null {
  const { path = '', ...found } = (text.length <= longest && shape.exec(text)?.groups) || {}
  if (!isPath(path)) return null
  const line = Number(found.line ?? found.hash ?? found.round)
  const column = Number(found.column ?? found.roundColumn)
  return { path, ...(line > 0 && { line }), ...(line > 0 && column > 0 && { column }) }
}

const shape =
  /^(?<path>.+?)(?::(?<line>\d{1,7})(?::(?<column>\d{1,7}))?|#L(?<hash>\d{1,7})|\((?<round>\d{1,7})(?:,(?<roundColumn>\d{1,7}))?\))?:?$/

/** Something that contains a folder or an extension; no URL, no option and nothing with spaces. */
const isPath = (path: string): boolean =>
  /^(?:~\/|\.{0,2}\/)?[\p{L}\p{N}@._+\-[\]()$]+(?:\/[\p{L}\p{N}@._+\-[\]()$]+)*\/?$/u.test(path) &&
  (path.includes('/') || /\.[\p{L}\p{N}]{1,10}$/u.test(path)) &&
  !path.startsWith('-') &&
  !/^\d+(?:\.\d+)*$/.test(path)

export interface FoundPlace {
  place: Place
  text: string
  from: number
  to: number
}

/** What a word of a line may be: without spaces, quotes and angle brackets. */
const words = /[^\s"'`<>|]+/g
const mostInLine = 20

/** The places that a line names, without surrounding punctuation. */
export function placesIn(line: string): FoundPlace[] {
  return [...line.matchAll(words)]
    .flatMap((match) => {
      const lead = /^[([{,;]+/.exec(match[0])?.[0].length ?? 0
      const whole = match[0].slice(lead)
      // A sentence may end with a path.
      const text = readPlace(whole) && !/\w\.$/.test(whole) ? whole : whole.replace(/[)\]},.;:]+$/, '')
      const place = readPlace(text)
      const from = match.index + lead
      return place ? [{ place, text, from, to: from + text.length }] : []
    })
    .slice(0, mostInLine)
}
