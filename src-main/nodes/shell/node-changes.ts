import type { BackendPlace } from '../../../src-preload/contract/backends'
import type { ProcessTable } from '../process-table'
import type { NodeConnection } from './node-connection'
import { freeId } from './node-info'
import type { ShellNodeRow, ShellNodeRows } from './shell-node-rows'

export interface Entry {
  link: NodeConnection
  /** True for a saved node; one that is being added is saved when it has connected. */
  kept: boolean
}

interface NodeChangesOptions {
  entries: Map<string, Entry>
  rows: ShellNodeRows
  table: ProcessTable
  linkTo(row: ShellNodeRow): NodeConnection
  /** Throws if there is no such node. */
  find(id: string): NodeConnection
  idTrouble(id: string): string | null
  changed(): void
}

/** Adds, renames and removes nodes. */
export function createNodeChanges({ entries, rows, table, linkTo, find, idTrouble, changed }: NodeChangesOptions) {
  return {
    async add(place: BackendPlace, wish?: string): Promise<string> {
      const id = wish ?? freeId(place, idTrouble)
      const trouble = idTrouble(id)
      if (trouble) throw new Error(trouble)
      if (entries.has(id)) throw new Error(`${id} is being connected already`)
      const entry = { link: linkTo({ id, place, wanted: true, addedAt: Date.now() }), kept: false }
      entries.set(id, entry)
      try {
        await entry.link.connect()
      } catch (error) {
        entries.delete(id)
        throw error
      }
      rows.save(entry.link.row)
      entry.kept = true
      changed()
      return id
    },
    /** Its terminals are kept. */
    rename(id: string, newId: string): void {
      const entry = entries.get(id)
      const trouble = idTrouble(newId)
      if (trouble) throw new Error(trouble)
      if (!entry || entry.link.connecting) throw new Error(`${id} is being connected; rename it afterwards`)
      entry.link.rename(newId)
      entries.delete(id)
      entries.set(newId, entry)
      rows.remove(id)
      rows.save(entry.link.row)
      changed()
    },
    async remove(id: string): Promise<void> {
      const link = find(id)
      entries.delete(id)
      rows.remove(id)
      await link.end()
      for (const row of table.list()) if (row.node === id && row.link) table.lose(row.id)
    },
  }
}
