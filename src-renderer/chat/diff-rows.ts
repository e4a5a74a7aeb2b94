export interface DiffRow {
  key: number
  kind: 'add' | 'remove' | 'same' | 'gap' | 'note'
  before: number | null
  after: number | null
  text: string
}

/** The rows of a unified diff without file headers, each with its line number on either side. */
export function diffRows(patch: string): DiffRow[] {
  const rows: DiffRow[] = []
  let before = 1
  let after = 1
  const push = (row: Omit<DiffRow, 'key'>) => rows.push({ key: rows.length, ...row })
  const lines = patch.replace(/\n$/, '').split('\n')
  for (const line of patch ? lines : []) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/.exec(line)
    if (hunk) {
      before = Number(hunk[1])
      after = Number(hunk[2])
      // The first hunk needs no gap when it starts at the top.
      if (rows.length > 0 || before > 1) push({ kind: 'gap', before: null, after: null, text: hunk[3] ?? '' })
    } else if (line.startsWith('+')) push({ kind: 'add', before: null, after: after++, text: line.slice(1) })
    else if (line.startsWith('-')) push({ kind: 'remove', before: before++, after: null, text: line.slice(1) })
    else if (line.startsWith('\\')) push({ kind: 'note', before: null, after: null, text: line.slice(2) })
    else push({ kind: 'same', before: before++, after: after++, text: line.slice(1) })
  }
  return rows
}
