import { randomUUID } from 'node:crypto'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { ExecReport } from './outbox'

const tailChars = 4000

/** Reports the start and the end of background commands to the gateway. */
export function createExecReports(options: {
  /** The end of a process's output. */
  tail(processId: string, chars: number): Promise<string>
  /** Resolves when the call is answered: before that the gateway does not know the session. */
  settled(callId: string | null): Promise<unknown>
  outbox: { push(report: ExecReport): void }
}) {
  const announced = new Set<string>()

  const report = async (row: ProcessInfo, event: ExecReport['event']): Promise<void> => {
    const outputTail = await options.tail(row.id, tailChars)
    await options.settled(row.callId)
    const { exitCode, signal, startedAt, endedAt } = row
    const known = { eventId: randomUUID(), sessionId: row.id, event, outputTail, startedAt }
    const ended = event === 'started' ? {} : { exitCode, signal, endedAt }
    options.outbox.push({ ...known, ...ended, ...(row.callId && { callId: row.callId }) })
  }

  return {
    changed(row: ProcessInfo): void {
      if (!row.background || row.byUser) return
      if (!announced.has(row.id)) {
        announced.add(row.id)
        void report(row, 'started')
      }
      if (row.status === 'running') return
      announced.delete(row.id)
      void report(row, row.timedOut ? 'timed_out' : row.exitCode === 0 ? 'finished' : 'failed')
    },
  }
}
