import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../database'
import { silentLog } from '../log'
import { createStore } from '../session/store'
import { createReceipts, type Receipts, type ReceiptsDeps } from './receipts'

/** Folders for a test, with a database and one session that works in `root`. */
export const makeTestFolder = (name: string) => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), `deckhand-${name}-`)))
  const [root, data, home] = [join(base, 'work'), join(base, 'data'), join(base, 'home')]
  for (const folder of [root, home]) mkdirSync(folder)
  const database = openDatabase(data)
  const store = createStore(database)
  const newSession = (workspace: string): string =>
    store.sessions.create({ workspace, model: 'm', toolset: 'deckhand', mode: 'safe' }).id
  return {
    base,
    root,
    data,
    home,
    database,
    store,
    newSession,
    sessionId: newSession(root),
    /** Receipts of calls that start no processes. */
    openReceipts: (options: Partial<ReceiptsDeps> = {}): Receipts =>
      createReceipts({
        folder: join(data, 'receipts'),
        dataDir: data,
        home,
        database,
        owner: 'me',
        isAlive: () => false,
        table: { ofCall: () => [], wait: async () => 'exited', onExit: () => () => {} },
        isLocal: () => true,
        isSecret: () => false,
        publish: () => {},
        note: () => {},
        log: silentLog,
        ...options,
      }),
    close: (): void => {
      database.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

export type TestFolder = ReturnType<typeof makeTestFolder>
