import type { ReviewComment } from '../../src-preload/contract/review'

const mostExcerpt = 12

/** All comments as one message to the agent, each with its place and the lines that it is about. */
export function commentsMessage(comments: readonly ReviewComment[], note: string): string {
  const sorted = [...comments].sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
  const parts = sorted.map((comment) => {
    const lines = comment.excerpt.split('\n')
    const more = lines.length > mostExcerpt ? [`… ${lines.length - mostExcerpt} more lines`] : []
    const quoted = [...lines.slice(0, mostExcerpt), ...more].map((line) => `> ${line}`).join('\n')
    return `${placeOf(comment)}\n${quoted}\n\n${comment.text.trim()}`
  })
  const count = parts.length === 1 ? 'a comment' : `${parts.length} comments`
  return [note.trim() || `I have ${count} on your changes.`, ...parts].join('\n\n')
}

function placeOf({ path, side, line, endLine }: ReviewComment): string {
  const lines = line === endLine ? `${line}` : `${line}-${endLine}`
  return `${path}:${lines}${side === 'before' ? ' (before your change)' : ''}`
}
