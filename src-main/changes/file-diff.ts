import { structuredPatch } from 'diff'
import type { FileDiff } from '../../src-preload/contract/file-diff'

/** Larger diffs are slow to make and too long to read. */
const maxChars = 2_000_000
const maxPatchChars = 200_000
const timeoutMs = 500

/** What a change does to a file, for the card. `null` stands for a missing file. */
export function fileDiff(path: string, before: string | null, after: string | null, from?: string): FileDiff {
  const kind = before === null ? 'add' : after === null ? 'delete' : from !== undefined ? 'move' : 'update'
  const old = before ?? ''
  const next = after ?? ''
  const patch =
    old.length + next.length > maxChars
      ? undefined
      : structuredPatch(path, path, old, next, undefined, undefined, { context: 3, timeout: timeoutMs })
  if (!patch) return { path, kind, patch: '', added: countLines(next), removed: countLines(old) }

  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ])
  return {
    path,
    kind,
    patch: lines.join('\n').slice(0, maxPatchChars),
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  }
}

const countLines = (text: string): number => (text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0))
