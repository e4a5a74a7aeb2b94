import type { IBuffer, IBufferCell, IBufferLine, Terminal } from '@xterm/headless'

/** Internal parts of xterm.js that know which cell belongs to which link. */
interface LinkedCell extends IBufferCell {
  hasExtendedAttrs?(): number
  extended?: { urlId?: number }
}
interface LinkStore {
  _core?: { _oscLinkService?: { getLinkData(linkId: number): { id?: string; uri: string } | undefined } }
}

/**
 * A terminal whose text contains its links. The serializer reads cell by cell and ignores the addresses that OSC 8 has
 * set; this view adds each address to the text, opened before the first cell of a link and closed after its last cell
 * in the row.
 */
export function withLinksInText(terminal: Terminal): Terminal {
  // Most programs write no links, and then the search is skipped.
  let anyLinks = false
  terminal.parser.registerOscHandler(8, () => {
    anyLinks = true
    return false
  })
  const store = (terminal as LinkStore)._core?._oscLinkService
  const addressOf = (linkId: number) => {
    const link = store?.getLinkData(linkId)
    // Links are closed at the end of each row; the same id joins the parts again.
    return link && `\x1b]8;id=${link.id ?? `link-${linkId}`};${link.uri}\x07`
  }
  const withLinks = (lines: IBuffer): IBuffer =>
    anyLinks ? view(lines, { getLine: (y: number) => linkedLine(lines.getLine(y), addressOf) }) : lines
  const { buffer } = terminal
  return view(terminal, {
    buffer: view(buffer, {
      get normal() {
        return withLinks(buffer.normal)
      },
      get alternate() {
        return withLinks(buffer.alternate)
      },
    }),
  })
}

function linkedLine(line: IBufferLine | undefined, addressOf: (linkId: number) => string | undefined) {
  if (!line) return undefined
  return view(line, {
    getCell(x: number, into?: IBufferCell) {
      const cell = line.getCell(x, into)
      const linkId = linkOf(cell)
      const address = linkId && addressOf(linkId)
      if (!cell || !address) return cell
      const opening = x > 0 && linkOf(line.getCell(x - 1)) === linkId ? '' : address
      const closing = linkOf(line.getCell(x + Math.max(1, cell.getWidth()))) === linkId ? '' : '\x1b]8;;\x07'
      const chars = cell.getChars()
      return view(cell, { getChars: () => chars && opening + chars + closing })
    },
  })
}

function linkOf(cell: LinkedCell | undefined): number {
  return cell?.hasExtendedAttrs?.() ? (cell.extended?.urlId ?? 0) : 0
}

/** The same object with some properties replaced. */
function view<T extends object>(of: T, changed: object): T {
  return Object.create(of, Object.getOwnPropertyDescriptors(changed))
}
