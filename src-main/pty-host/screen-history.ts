/**
 * What must be known about output that is no longer replayed: the modes and the screen size at a given offset of the
 * log. With it a mirror can start in the middle of a long log and still show a full-screen program correctly. Also
 * finds a program's queries to its terminal.
 */
export interface ScreenHistory {
  /** Scans a chunk of raw output that begins at `offset`, and returns the queries in it. */
  note(chunk: Uint8Array, offset: number): TerminalQuery[]
  resized(offset: number, cols: number, rows: number): void
  sizeAt(offset: number): Size
  /** The next change of size after `offset`, if there was one. */
  resizeAfter(offset: number): { offset: number; size: Size } | null
  /** Sequences that put a new terminal into the modes at `offset`. */
  modesAt(offset: number): string
}

export interface Size {
  cols: number
  rows: number
}

export type TerminalQuery = 'cursor' | 'status' | 'attributes'

/** Private modes set and reset; queries for cursor position, status and primary attributes. */
const NOTABLE = /\x1b\[(?:\?([\d;]{1,32})([hl])|([56])n|0?(c))/g
const MAX_SEQUENCE = 40
const MAX_CHANGES = 512
/** Application cursor keys, wraparound, cursor, alternate screens, mouse, focus, bracketed paste. */
const KEPT_MODES = new Set([1, 7, 25, 47, 1047, 1049, 9, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 2004])
const ON_BY_DEFAULT = new Set([7, 25])

export function createScreenHistory(size: Size): ScreenHistory {
  let carried = ''
  let changes: { offset: number; mode: number; on: boolean }[] = []
  const sizes: { offset: number; size: Size }[] = [{ offset: 0, size }]

  const modesUntil = (offset: number): Map<number, boolean> => {
    const modes = new Map<number, boolean>()
    for (const change of changes) if (change.offset < offset) modes.set(change.mode, change.on)
    return modes
  }
  const noteMode = (offset: number, mode: number, on: boolean) => {
    if (!KEPT_MODES.has(mode)) return
    changes.push({ offset, mode, on })
    if (changes.length <= MAX_CHANGES) return
    // A program may toggle its cursor for hours: of the older half only the final state is kept.
    const middle = changes[MAX_CHANGES / 2]?.offset ?? 0
    const outcome = [...modesUntil(middle)].map(([each, state]) => ({ offset: middle - 1, mode: each, on: state }))
    changes = [...outcome, ...changes.filter((change) => change.offset >= middle)]
  }

  return {
    note(chunk, offset) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      const text = carried + bytes.toString('latin1')
      const start = offset - carried.length
      const queries: TerminalQuery[] = []
      let end = 0
      NOTABLE.lastIndex = 0
      for (let match = NOTABLE.exec(text); match; match = NOTABLE.exec(text)) {
        end = NOTABLE.lastIndex
        const [, modes, flag, report, attributes] = match
        if (modes) for (const mode of modes.split(';')) noteMode(start + match.index, Number(mode), flag === 'h')
        else if (report) queries.push(report === '6' ? 'cursor' : 'status')
        else if (attributes) queries.push('attributes')
      }
      const open = text.lastIndexOf('\x1b')
      carried = open >= end && text.length - open < MAX_SEQUENCE ? text.slice(open) : ''
      return queries
    },
    resized(offset, cols, rows) {
      sizes.push({ offset, size: { cols, rows } })
      if (sizes.length > MAX_CHANGES) sizes.shift()
    },
    sizeAt(offset) {
      return (sizes.findLast((each) => each.offset <= offset) ?? sizes[0])?.size ?? size
    },
    resizeAfter: (offset) => sizes.find((each) => each.offset > offset) ?? null,
    modesAt(offset) {
      let text = ''
      for (const [mode, on] of modesUntil(offset)) {
        if (on !== ON_BY_DEFAULT.has(mode)) text += `\x1b[?${mode}${on ? 'h' : 'l'}`
      }
      return text
    },
  }
}
