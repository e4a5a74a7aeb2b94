import type { RewindPreview, RewindProblem, RewindScope } from '../../src-preload/contract/rewind'
import { problemWords as undoWords } from '../receipts/receipt-words'
import { count } from '../state/format'

const labels: Record<RewindScope, string> = { both: 'Chat and files', chat: 'Chat only', files: 'Files only' }

/** The available scopes, the default one first. */
export function scopesOf({ messages, steps }: RewindPreview): { value: RewindScope; label: string }[] {
  const scopes: RewindScope[] = []
  if (messages > 0 && steps.length > 0) scopes.push('both')
  if (messages > 0) scopes.push('chat')
  if (steps.length > 0) scopes.push('files')
  return scopes.map((value) => ({ value, label: labels[value] }))
}

/** What the button does: "Remove 4 messages, restore 2 files". */
export function confirmWords(messages: number, files: number): string {
  const steps = [
    ...(messages > 0 ? [`Remove ${count(messages, 'message')}`] : []),
    ...(files > 0 ? [`Restore ${count(files, 'file')}`] : []),
  ]
  const [first = 'Go back', second] = steps
  return second ? `${first}, ${second.toLowerCase()}` : first
}

export const problemWords: Record<RewindProblem, string> = {
  ...undoWords,
  'changed-since': 'was changed since then, by you or another program. Restoring it discards that change.',
  'changed-between': 'was changed in the meantime, by you or another program. Restoring it discards that change.',
  shared: 'may have been changed by another program.',
}
