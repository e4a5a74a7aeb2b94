/** Parses a patch in the `*** Begin Patch` envelope, without reading any file. */

export type FilePatch =
  | { kind: 'add'; path: string; text: string }
  | { kind: 'delete'; path: string }
  | { kind: 'update'; path: string; moveTo: string | null; hunks: Hunk[] }

export interface Hunk {
  /** Line of the patch on which it begins, for messages. */
  patchLine: number
  /** Lines of the file after which it applies, each found after the previous one. */
  anchors: string[]
  /** First old line by a unified header such as `@@ -12,3 +12,4 @@`; only a hint, since lines shift. */
  startHint: number | null
  lines: { kind: 'keep' | 'remove' | 'add'; text: string }[]
  /** Its last old line is the last of the file. */
  atEnd: boolean
}

export class PatchError extends Error {
  constructor(
    message: string,
    readonly patchLine?: number,
  ) {
    super(patchLine === undefined ? message : `Line ${patchLine} of the patch: ${message}`)
    this.name = 'PatchError'
  }
}

const begin = '*** Begin Patch'
const end = '*** End Patch'
const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const unified = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$/

/** Throws `PatchError`. */
export function parsePatch(patch: string): FilePatch[] {
  const lines = patch.replace(/\r\n/g, '\n').split('\n')
  let at = lines.findIndex((line) => line.trim() !== '')
  if (lines[at]?.trim() !== begin) throw new PatchError(`A patch begins with "${begin}"`, Math.max(at, 0) + 1)
  const last = lines.findLastIndex((line) => line.trim() !== '')
  if (last === at || lines[last]?.trim() !== end) throw new PatchError(`A patch ends with "${end}"`, last + 1)

  const files: FilePatch[] = []
  at++
  while (at < last) {
    const line = lines[at] ?? ''
    if (line.trim() === '') {
      at++
      continue
    }
    const found = header.exec(line.trimEnd())
    if (!found) throw new PatchError(`expected "*** Add File: ", "*** Update File: " or "*** Delete File: "`, at + 1)
    const [, kind, path = ''] = found
    let next = at + 1
    while (next < last && !header.test((lines[next] ?? '').trimEnd())) next++
    files.push(parseFile(kind as 'Add' | 'Update' | 'Delete', path.trim(), lines.slice(at + 1, next), at + 2))
    at = next
  }
  if (files.length === 0) throw new PatchError('The patch names no file')
  return files
}

function parseFile(kind: 'Add' | 'Update' | 'Delete', path: string, body: string[], firstLine: number): FilePatch {
  // Blank lines before the next header separate sections and belong to none.
  const lines = body.slice(0, body.findLastIndex((line) => line !== '') + 1)
  if (kind === 'Add') return { kind: 'add', path, text: parseAdded(lines, firstLine) }
  if (kind === 'Delete') {
    if (lines.length > 0) throw new PatchError('nothing may follow "*** Delete File: "', firstLine)
    return { kind: 'delete', path }
  }
  const move = /^\*\*\* Move to: (.+)$/.exec(lines[0]?.trimEnd() ?? '')
  const hunks = parseHunks(move ? lines.slice(1) : lines, move ? firstLine + 1 : firstLine)
  if (hunks.length === 0 && !move) throw new PatchError(`no change is given for ${path}`, firstLine)
  return { kind: 'update', path, moveTo: move?.[1]?.trim() ?? null, hunks }
}

function parseAdded(lines: string[], firstLine: number): string {
  return lines
    .map((line, index) => {
      if (line !== '' && !line.startsWith('+'))
        throw new PatchError('lines of a new file begin with "+"', firstLine + index)
      return `${line.slice(1)}\n`
    })
    .join('')
}

function parseHunks(lines: string[], firstLine: number): Hunk[] {
  const hunks: Hunk[] = []
  let hunk: Hunk | null = null
  const open = (patchLine: number): Hunk => {
    const opened: Hunk = { patchLine, anchors: [], startHint: null, lines: [], atEnd: false }
    hunks.push(opened)
    return opened
  }
  for (const [index, line] of lines.entries()) {
    const patchLine = firstLine + index
    if (line.startsWith('@@')) {
      // Several anchors in a row narrow down the place: class, then method.
      if (!hunk || hunk.lines.length > 0) hunk = open(patchLine)
      readAnchor(line, hunk)
      continue
    }
    if (!hunk || hunk.atEnd) hunk = open(patchLine)
    if (line.trimEnd() === '*** End of File') hunk.atEnd = true
    else if (line.startsWith('\\')) continue
    else if (line.startsWith('+')) hunk.lines.push({ kind: 'add', text: line.slice(1) })
    else if (line.startsWith('-')) hunk.lines.push({ kind: 'remove', text: line.slice(1) })
    else if (line.startsWith(' ') || line === '') hunk.lines.push({ kind: 'keep', text: line.slice(1) })
    else throw new PatchError('lines of a change begin with " ", "-", "+" or "@@"', patchLine)
  }
  const empty = hunks.find(({ lines: changes }) => !changes.some(({ kind }) => kind !== 'keep'))
  if (empty) throw new PatchError('this hunk changes nothing', empty.patchLine)
  return hunks
}

function readAnchor(line: string, hunk: Hunk): void {
  const numbered = unified.exec(line)
  if (numbered) {
    hunk.startHint = Number(numbered[1])
    return
  }
  const anchor = line.replace(/^@@ ?/, '').replace(/ ?@@$/, '')
  if (anchor.trim() !== '') hunk.anchors.push(anchor)
}
