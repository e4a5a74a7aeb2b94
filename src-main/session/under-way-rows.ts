import type { Database } from '../database'
import type { WorstCase } from './caps'
import { isAlive } from './owner'

/** What requests could take that are under way, for other processes on the same folder: the cap of a day is for all. */
export const createUnderWayRows = (database: Database, owner: string) => {
  const put = database.prepare('INSERT OR REPLACE INTO requests_under_way VALUES (?, ?, ?, ?)')
  const all = database.prepare<WorstCase & { owner: string }>('SELECT owner, cost, tokens FROM requests_under_way')
  const remove = database.prepare('DELETE FROM requests_under_way WHERE id = ?')
  return {
    put: (id: string, { cost, tokens }: WorstCase): void => void put.run(id, owner, cost, Math.ceil(tokens)),
    remove: (id: string): void => void remove.run(id),
    /** Those of other processes that still run. */
    elsewhere: (): WorstCase[] => all.all().filter((row) => row.owner !== owner && isAlive(row.owner)),
    /** Forgets those of processes that are gone. */
    forget: (isGone: (other: string) => boolean): void => {
      const gone = new Set(
        all
          .all()
          .map((row) => row.owner)
          .filter(isGone),
      )
      for (const other of gone) database.prepare('DELETE FROM requests_under_way WHERE owner = ?').run(other)
    },
  }
}
