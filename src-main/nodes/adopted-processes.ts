import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { NodeProcess } from './node'
import type { ProcessBook } from './process-book'
import { ProcessRefusal } from './process-refusal'

export type AdoptedProcess = Pick<
  ProcessInfo,
  'id' | 'sessionId' | 'callId' | 'node' | 'command' | 'title' | 'cwd' | 'byUser' | 'background' | 'bytes' | 'startedAt'
>

const fresh = {
  tty: true,
  status: 'running',
  exitCode: null,
  signal: null,
  timedOut: false,
  secretInput: false,
  endedAt: null,
} as const

/** Processes that were started on other machines, which come and go with the connection to their machine. */
export function adoptedProcesses(book: ProcessBook) {
  const { entries, announce, finish } = book
  return {
    adopt(row: AdoptedProcess, process: NodeProcess): ProcessInfo {
      const known = entries.get(row.id)
      if (known && (known.info.link === undefined || known.info.sessionId !== row.sessionId)) {
        throw new ProcessRefusal('unknown', `Process ${row.id} belongs to somebody else`)
      }
      const info: ProcessInfo = known?.info ?? { ...fresh, ...row, pid: process.pid }
      Object.assign(info, row, { pid: process.pid, link: 'up' })
      book.follow(known ?? book.add(info, process), process)
      return { ...info }
    },
    detach(id: string): void {
      const entry = entries.get(id)
      if (entry?.info.status !== 'running') return
      entry.process = null
      Object.assign(entry.info, { link: 'down', secretInput: false })
      delete entry.info.prompt
      announce(entry)
      book.goneAway(entry)
    },
    lose(id: string): void {
      const entry = entries.get(id)
      if (entry?.info.status === 'running') finish(entry, { status: 'lost', exitCode: null, signal: null })
    },
    renameNode(node: string, newName: string): void {
      for (const entry of entries.values()) {
        if (entry.info.node !== node) continue
        entry.info.node = newName
        announce(entry)
      }
    },
  }
}
