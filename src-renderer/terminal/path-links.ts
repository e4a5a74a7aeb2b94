import type { ILink, ILinkProvider, Terminal } from '@xterm/xterm'
import { type Place, readPlace } from '../chat/place'

/** What a word of a line may be: no blanks, quotes or brackets around it. */
const words = /[^\s"'`<>|]+/g
const mostInLine = 20

interface PathLinks {
  /** For each path, whether there is such a file. */
  exist(paths: string[]): Promise<boolean[]>
  open(place: Place): void
}

/** Files that a line of a terminal names become links, if they are there: a click opens them in the user's editor. */
export const pathLinks = (terminal: Terminal, { exist, open }: PathLinks): ILinkProvider => ({
  provideLinks(row, give) {
    const line = terminal.buffer.active.getLine(row - 1)
    const found = line ? placesIn(line.translateToString(true)) : []
    if (found.length === 0) return give(undefined)
    const link = ({ place, from, to, text }: Found): ILink => ({
      range: { start: { x: from + 1, y: row }, end: { x: to, y: row } },
      text,
      activate: () => open(place),
    })
    exist(found.map(({ place }) => place.path)).then(
      (there) => give(found.filter((_, at) => there[at]).map(link)),
      () => give(undefined),
    )
  },
})

interface Found {
  place: Place
  text: string
  from: number
  to: number
}

/** The places that a line names, without the marks that stand around them. */
export function placesIn(line: string): Found[] {
  return [...line.matchAll(words)]
    .flatMap((match) => {
      const lead = /^[([{,;]+/.exec(match[0])?.[0].length ?? 0
      const whole = match[0].slice(lead)
      const text = readPlace(whole) ? whole : whole.replace(/[)\]},.;:]+$/, '')
      const place = readPlace(text)
      const from = match.index + lead
      return place ? [{ place, text, from, to: from + text.length }] : []
    })
    .slice(0, mostInLine)
}
