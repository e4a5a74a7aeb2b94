import type { ReviewHunk, ReviewLine } from '../../src-preload/contract/review'

/** One row of the split view: the same place on both sides. `at` is the position in the hunk. */
interface SplitRow {
  left: { line: ReviewLine; at: number } | null
  right: { line: ReviewLine; at: number } | null
}

/** Puts removed lines beside the added ones that follow them. */
export function splitRows(lines: readonly ReviewLine[]): SplitRow[] {
  const rows: SplitRow[] = []
  let open = 0
  lines.forEach((line, at) => {
    if (line.kind === 'remove') rows.push({ left: { line, at }, right: null })
    else if (line.kind === 'add') {
      while (open < rows.length && rows[open]?.right) open++
      const beside = rows[open]
      if (beside && !beside.right) beside.right = { line, at }
      else rows.push({ left: null, right: { line, at } })
    } else {
      rows.push({ left: { line, at }, right: { line, at } })
      open = rows.length
    }
  })
  return rows
}

/** The first lines of hunks, up to a limit; the rest is drawn on request. */
export function shownHunks(hunks: readonly ReviewHunk[], limit: number): { shown: ReviewHunk[]; rest: number } {
  const shown: ReviewHunk[] = []
  let left = limit
  let rest = 0
  for (const hunk of hunks) {
    if (left > 0) shown.push(hunk.lines.length <= left ? hunk : { ...hunk, lines: hunk.lines.slice(0, left) })
    rest += Math.max(0, hunk.lines.length - Math.max(0, left))
    left -= hunk.lines.length
  }
  return { shown, rest }
}

/** Where a comment on these lines belongs: in the new text, unless only removed lines are selected. */
export function placeOf(
  lines: readonly ReviewLine[],
): { side: 'before' | 'after'; line: number; endLine: number } | null {
  const side = lines.some(({ after }) => after !== undefined) ? 'after' : 'before'
  const numbers = lines.flatMap((line) => line[side] ?? [])
  const [line, endLine] = [numbers[0], numbers.at(-1)]
  return line === undefined || endLine === undefined ? null : { side, line, endLine }
}
