import { type Hunk, PatchError } from './patch'

interface FileLine {
  text: string
  /** `\n`, `\r\n`, or empty at the end of the file. */
  end: string
}

/** The lines of the file from `start` to `start + length` become `lines`. */
interface Change {
  start: number
  length: number
  lines: FileLine[]
}

/** How lines are compared, strictest first. Unchanged lines stay as they are in the file. */
const likenesses: ((line: string) => string)[] = [(line) => line, (line) => line.trimEnd(), (line) => line.trim()]

/** The text with all hunks applied; throws a `PatchError` that names the first one which does not fit. */
export function applyHunks(path: string, text: string, hunks: Hunk[]): string {
  const lines = splitLines(text)
  const lineEnd = lines.some(({ end }) => end === '\r\n') ? '\r\n' : '\n'
  const changes: Change[] = []
  let cursor = 0
  for (const [index, hunk] of hunks.entries()) {
    const name = `hunk ${index + 1} of ${hunks.length} for ${path}`
    const change = placeHunk(lines, hunk, cursor, name, lineEnd)
    if (
      changes.some((other) => change.start < other.start + other.length && other.start < change.start + change.length)
    ) {
      throw new PatchError(`${name} changes lines that an earlier hunk has changed`, hunk.patchLine)
    }
    changes.push(change)
    cursor = change.start + change.length
  }
  const next: FileLine[] = []
  let at = 0
  for (const change of changes.toSorted((a, b) => a.start - b.start)) {
    for (const line of lines.slice(at, change.start)) next.push(line)
    for (const line of change.lines) next.push(line)
    at = change.start + change.length
  }
  for (const line of lines.slice(at)) next.push(line)
  return joinLines(next, text === '' || text.endsWith('\n'), lineEnd)
}

function placeHunk(lines: FileLine[], hunk: Hunk, cursor: number, name: string, lineEnd: string): Change {
  const old = hunk.lines.filter(({ kind }) => kind !== 'add').map(({ text }) => text)
  const from = findAnchors(lines, hunk, cursor, name)
  if (old.length === 0) return { start: insertionPoint(lines, hunk, from), length: 0, lines: added(hunk, lineEnd) }

  const start = findBlock(lines, old, from, hunk) ?? (hunk.anchors.length === 0 ? findBlock(lines, old, 0, hunk) : null)
  if (start === null) throw new PatchError(`${name} does not fit: ${mismatch(lines, old, from)}`, hunk.patchLine)
  let at = start
  const next: FileLine[] = []
  for (const line of hunk.lines) {
    if (line.kind === 'add') next.push({ text: line.text, end: lineEnd })
    else {
      const kept = lines[at++]
      if (line.kind === 'keep' && kept) next.push(kept)
    }
  }
  return { start, length: old.length, lines: next }
}

const added = (hunk: Hunk, end: string): FileLine[] => hunk.lines.map(({ text }) => ({ text, end }))

/** The line after the last anchor; anchors above the cursor count if there is none below. */
function findAnchors(lines: FileLine[], hunk: Hunk, cursor: number, name: string): number {
  let from = cursor
  for (const anchor of hunk.anchors) {
    const found = findBlock(lines, [anchor], from) ?? findBlock(lines, [anchor], 0)
    if (found === null) throw new PatchError(`${name} does not fit: no line reads ${quote(anchor)}`, hunk.patchLine)
    // The anchor may itself be the first old line.
    const first = hunk.lines.find(({ kind }) => kind !== 'add')
    from = first && first.text.trim() === anchor.trim() ? found : found + 1
  }
  return from
}

function insertionPoint(lines: FileLine[], hunk: Hunk, from: number): number {
  if (hunk.anchors.length > 0) return from
  return hunk.startHint === null ? lines.length : Math.min(lines.length, hunk.startHint)
}

function findBlock(lines: FileLine[], block: string[], from: number, hunk?: Hunk): number | null {
  const lastStart = lines.length - block.length
  for (const alike of likenesses) {
    const wanted = block.map(alike)
    const fits = (start: number): boolean =>
      wanted.every((line, step) => alike(lines[start + step]?.text ?? '') === line)
    if (hunk?.atEnd && lastStart >= from && fits(lastStart)) return lastStart
    const starts: number[] = []
    for (let start = from; start <= lastStart; start++) {
      if (!fits(start)) continue
      if (hunk?.startHint == null) return start
      starts.push(start)
    }
    const hint = (hunk?.startHint ?? 1) - 1
    const [nearest] = starts.sort((a, b) => Math.abs(a - hint) - Math.abs(b - hint))
    if (nearest !== undefined) return nearest
  }
  return null
}

/** Where the file and the hunk differ, at the place with the longest match. */
function mismatch(lines: FileLine[], old: string[], from: number): string {
  let best = { start: -1, length: 0 }
  for (let start = 0; start < lines.length; start++) {
    let length = 0
    while (length < old.length && lines[start + length]?.text.trim() === old[length]?.trim()) length++
    if (length > best.length || (length === best.length && best.start < from && start >= from && length > 0)) {
      best = { start, length }
    }
  }
  if (best.length === 0) return `no line reads ${quote(old[0] ?? '')}`
  const found = lines[best.start + best.length]
  const there = found ? `has ${quote(found.text)}` : 'is past the end of the file'
  return `line ${best.start + best.length + 1} ${there} where ${quote(old[best.length] ?? '')} was expected`
}

const quote = (line: string): string => JSON.stringify(line.length > 120 ? `${line.slice(0, 120)}…` : line)

function splitLines(text: string): FileLine[] {
  const lines: FileLine[] = []
  for (const [, line = '', end = ''] of text.matchAll(/([^\n]*?)(\r?\n|$)/g)) {
    if (line !== '' || end !== '') lines.push({ text: line, end })
  }
  return lines
}

/** A file keeps its last line end, or the lack of it. */
function joinLines(lines: FileLine[], endsInBreak: boolean, lineEnd: string): string {
  return lines
    .map(({ text, end }, index) => {
      const isLast = index === lines.length - 1
      if (!isLast) return text + (end || lineEnd)
      return text + (endsInBreak ? end || lineEnd : '')
    })
    .join('')
}
