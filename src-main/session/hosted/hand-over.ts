import type { ProcessInfo } from '../../../src-preload/contract/processes'
import type { ReceiptSummary } from '../../../src-preload/contract/receipts'
import { exportSession } from '../export'
import type { Store } from '../store'

const mostChars = 60_000

/**
 * What an agent needs to know when it takes over a session: what was said and done, which files were changed, and what
 * is still running. Null if the assistant said nothing before `beforeSeq`.
 */
export function handOver(
  store: Store,
  sessionId: string,
  beforeSeq: number,
  receipts: readonly ReceiptSummary[],
  processes: readonly ProcessInfo[],
): string | null {
  if (!store.messages.since(sessionId, 0).some(({ seq, role }) => seq < beforeSeq && role === 'assistant')) return null
  const past = exportSession(store, sessionId, 'markdown', beforeSeq)
  const shown = past.length > mostChars ? `[The beginning was left out.]\n${past.slice(-mostChars)}` : past
  const changes = receipts.filter((each) => filesOf(each) > 0)
  const running = processes.filter(({ status }) => status === 'running')
  return [
    'You take over a session that another agent or model worked on. This is what was said and done so far; do not do it again.',
    '<past>',
    shown,
    '</past>',
    ...(changes.length > 0
      ? ['Files were changed by:', ...changes.map((each) => `- ${each.gist} (${filesOf(each)} files)`)]
      : []),
    ...(running.length > 0
      ? ['Still running:', ...running.map(({ id, command, cwd }) => `- ${id}: ${command} (in ${cwd})`)]
      : []),
    'What follows is new.',
  ].join('\n')
}

/** For an agent that remembers more of the session than its branch contains. */
export const wentBack = (replaced: string): string =>
  [
    '[Deckhand] The user went back to an earlier point of this session and goes on from there in a new one. Disregard this message of theirs and everything that was said after it:',
    `<disregard>${replaced}</disregard>`,
    'Changes to files were not taken back. This stands in its place:',
  ].join('\n')

const filesOf = ({ created, changed, deleted }: ReceiptSummary): number => created + changed + deleted
