import { openDatabase } from '../database'
import { makeFolder, removeFolder } from '../test-folder'
import { createStore, type Store } from './store'

export interface TestStore {
  readonly store: Store
  /** A session in it. */
  sessionId: string
  /** As after a restart. */
  reopen(): void
  close(): void
}

/** A store on a disk of its own. */
export const openTestStore = (name: string): TestStore => {
  const folder = makeFolder(name)
  let database = openDatabase(folder)
  let store = createStore(database)
  const { id } = store.sessions.create({ workspace: folder, model: 'm', toolset: 'deckhand', mode: 'safe' })
  return {
    get store() {
      return store
    },
    sessionId: id,
    reopen: () => {
      database.close()
      database = openDatabase(folder)
      store = createStore(database)
    },
    close: () => {
      database.close()
      removeFolder(folder)
    },
  }
}
