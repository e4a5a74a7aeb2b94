import type { ReceiptFile, ReceiptSummary, UndoProblem } from '../../src-preload/contract/receipts'
import { count } from '../state/format'

/** What a call did, in one line: "3 files changed, 1 created · 1 process left running · port 5173 open". */
export function receiptWords(receipt: ReceiptSummary): string {
  if (receipt.state === 'incomplete') return 'Changes unknown: Deckhand closed before it could check'
  const folders = receipt.folders > 0 ? `${count(receipt.folders, 'folder')} changed` : ''
  const copied = receipt.copied ? 'a copy was kept' : ''
  const left = [processWords(receipt), portWords(receipt)]
  const facts = [filesWords(receipt), folders, copied, undoneWords(receipt), ...left].filter(Boolean)
  return facts.length > 0 ? facts.join(' · ') : 'No changes seen'
}

/** "3 files changed, 1 created": the noun follows only the first number. */
function filesWords({ changed, created, deleted }: ReceiptSummary): string {
  const counts: [number, string][] = [
    [changed, 'changed'],
    [created, 'created'],
    [deleted, 'deleted'],
  ]
  return counts
    .filter(([number]) => number > 0)
    .map(([number, change], index) => (index === 0 ? `${count(number, 'file')} ${change}` : `${number} ${change}`))
    .join(', ')
}

function undoneWords(receipt: ReceiptSummary): string {
  if (receipt.undone === 0) return ''
  return receipt.undone === totalOf(receipt) ? 'undone' : `${receipt.undone} undone`
}

function processWords({ processes }: ReceiptSummary): string {
  return processes.length === 0 ? '' : `${count(processes.length, 'process', 'processes')} left running`
}

function portWords({ ports }: ReceiptSummary): string {
  if (ports.length === 0) return ''
  return `${ports.length === 1 ? 'port' : 'ports'} ${ports.map(({ port }) => port).join(', ')} open`
}

const totalOf = ({ created, changed, deleted }: ReceiptSummary): number => created + changed + deleted

type Change = 'created' | 'changed' | 'deleted'

export const changeOf = ({ before, after }: ReceiptFile): Change =>
  !before ? 'created' : !after ? 'deleted' : 'changed'

/** Whether undoing it can be offered at all. */
export const canUndo = ({ before, after }: ReceiptFile): boolean => !before?.unkept && !after?.unkept

/** Completes a sentence that starts with the path. */
export const problemWords: Record<UndoProblem, string> = {
  'changed-since': 'was changed since then. Undoing this also undoes the later change.',
  'not-kept': 'cannot be restored: its earlier version was not saved.',
  'not-empty': 'is not empty: something else is in this folder now.',
  'no-way': 'now leads somewhere else.',
}
