import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { ProcessTable } from '../nodes/process-table'
import type { Store } from './store'

/** Removes what sessions that are gone for good have left in the data folder. Not for the way to the first window. */
export const sweep = async (options: {
  store: Store
  table: Pick<ProcessTable, 'list' | 'remove'>
  spillDir: string
}): Promise<void> => {
  const { store, table, spillDir } = options
  for (const process of table.list()) {
    if (!isLeft(process) && !store.sessions.exists(process.sessionId)) await table.remove(process.id)
  }
  const alive = new Set(
    table
      .list()
      .filter(isLeft)
      .map(({ id }) => id),
  )
  for (const { id, scope, subject } of store.rules.list())
    if (scope === 'process' && !alive.has(subject)) store.rules.revoke(id)
  for (const name of await filesIn(spillDir)) {
    // One call may have left several: `c_id.txt`, `c_id-1.txt`.
    const callId = /^(c_[\w-]{12})(?:-\d+)?\.txt$/.exec(name)?.[1]
    if (callId && !store.calls.find(callId)) await rm(join(spillDir, name), { force: true })
  }
}

const isLeft = ({ status }: ProcessInfo): boolean => status !== 'exited' && status !== 'lost'

const filesIn = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
