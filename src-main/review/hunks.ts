import { structuredPatch } from 'diff'
import type { ReviewHunk, ReviewLine } from '../../src-preload/contract/review'

/** Comparing texts that differ everywhere takes long. */
const timeoutMs = 1_500
const context = 3

/** What leads from one text to another; null where that would take too long to find out. */
export function hunksBetween(left: string, right: string): ReviewHunk[] | null {
  const patch = structuredPatch('a', 'a', left, right, undefined, undefined, { context, timeout: timeoutMs })
  if (!patch) return null
  let next = 0
  return patch.hunks.map((hunk) => {
    let before = hunk.oldStart
    let after = hunk.newStart
    const lines: ReviewLine[] = []
    for (const line of hunk.lines) {
      const sign = line[0]
      const text = line.slice(1)
      if (sign === '\\') {
        const last = lines.at(-1)
        if (last) last.unended = true
      } else if (sign === '+') lines.push({ kind: 'add', text, after: after++, index: next++ })
      else if (sign === '-') lines.push({ kind: 'remove', text, before: before++, index: next++ })
      else lines.push({ kind: 'same', text, before: before++, after: after++ })
    }
    return { before: hunk.oldStart, after: hunk.newStart, lines }
  })
}

/** The left text with those changes that are picked. With all of them it is the right text, with none the left one. */
export function applyPicked(left: string, hunks: readonly ReviewHunk[], isPicked: (index: number) => boolean): string {
  const lines = linesOf(left)
  const made: string[] = []
  let at = 0
  for (const hunk of hunks) {
    // A hunk that only adds to an empty text starts before its first line.
    const start = Math.max(0, hunk.lines.some(({ kind }) => kind !== 'add') ? hunk.before - 1 : hunk.before)
    for (; at < start && at < lines.length; at++) made.push(lines[at] ?? '')
    for (const { kind, text, index = -1, unended } of hunk.lines) {
      if (kind === 'add') {
        if (isPicked(index)) made.push(unended ? text : `${text}\n`)
        continue
      }
      if (kind === 'same' || !isPicked(index)) made.push(lines[at] ?? '')
      at++
    }
  }
  for (; at < lines.length; at++) made.push(lines[at] ?? '')
  // Only the last line may be without an end.
  return made.map((line, place) => (place < made.length - 1 && !line.endsWith('\n') ? `${line}\n` : line)).join('')
}

/** Each with its end. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
