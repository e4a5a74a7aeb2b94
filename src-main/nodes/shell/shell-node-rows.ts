import { backendPlace } from '../../../src-preload/contract/backend-calls'
import type { BackendPlace } from '../../../src-preload/contract/backends'
import type { Database } from '../../database'
import { readJson } from '../../storage/read-json'

export interface ShellNodeRow {
  id: string
  place: BackendPlace
  /** Was connected last, and should be reconnected. */
  wanted: boolean
  addedAt: number
}

interface Stored {
  id: string
  place: string
  wanted: number
  added_at: number
}

export const createShellNodeRows = (database: Database) => ({
  list: (): ShellNodeRow[] =>
    database
      .prepare<Stored>('SELECT * FROM backends ORDER BY id')
      .all()
      .flatMap(({ id, place, wanted, added_at }) => {
        const read = backendPlace.safeParse(readJson<unknown>(place, null))
        return read.success ? { id, place: read.data, wanted: wanted === 1, addedAt: added_at } : []
      }),
  save: ({ id, place, wanted, addedAt }: ShellNodeRow): void => {
    database
      .prepare(
        `INSERT INTO backends (id, place, wanted, added_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET place = excluded.place, wanted = excluded.wanted`,
      )
      .run(id, JSON.stringify(place), wanted ? 1 : 0, addedAt)
  },
  remove: (id: string): void => {
    database.prepare('DELETE FROM backends WHERE id = ?').run(id)
  },
})

export type ShellNodeRows = ReturnType<typeof createShellNodeRows>
