import type { ILink, ILinkProvider, Terminal } from '@xterm/xterm'
import { type FoundPlace, type Place, placesIn } from '../chat/place'

interface PathLinks {
  /** For each path, whether the file exists. */
  exist(paths: string[]): Promise<boolean[]>
  open(place: Place): void
}

/** Turns the names of existing files in a terminal into links: a click opens them in the user's editor. */
export const pathLinks = (terminal: Terminal, { exist, open }: PathLinks): ILinkProvider => ({
  provideLinks(row, give) {
    const line = terminal.buffer.active.getLine(row - 1)
    const found = line ? placesIn(line.translateToString(true)) : []
    if (found.length === 0) return give(undefined)
    const link = ({ place, from, to, text }: FoundPlace): ILink => ({
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
