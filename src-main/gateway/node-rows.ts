import type { NodeRole } from '../../src-preload/contract/nodes'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'
import type { NodeRuntime } from './runtime'
import { sameHash } from './tokens'

/** What is stored about a node. */
export interface NodeRow {
  id: string
  aliases: string[]
  /** `null`: the node uses the shared token. */
  tokenHash: string | null
  deviceKey: string | null
  role: NodeRole
  /** Capabilities, and `role:execution`, that the user has agreed to; `null` before the first connection. */
  approved: string[] | null
  runtime: (NodeRuntime & { version: string; tools: string[] }) | null
  addedAt: number
  lastSeenAt: number | null
}

/** Stored instead of a hash. No token hashes to it, and since it is not null the shared token is refused as well. */
const revoked = 'revoked'

interface Stored {
  id: string
  aliases: string
  token_hash: string | null
  device_key: string | null
  role: NodeRole
  approved: string | null
  runtime: string | null
  added_at: number
  last_seen_at: number | null
}

export type NodeRows = ReturnType<typeof createNodeRows>

/** All nodes that were ever added, and the state of the gateway itself. */
export const createNodeRows = (database: Database) => {
  const all = (): NodeRow[] => database.prepare<Stored>('SELECT * FROM nodes ORDER BY id').all().map(read)
  const valid = (): NodeRow[] => all().filter((row) => row.tokenHash !== revoked)

  return {
    list: valid,
    get: (id: string): NodeRow | undefined => valid().find((row) => row.id === id),
    isRevoked: (id: string): boolean => all().some((row) => row.id === id && row.tokenHash === revoked),
    /** By the current id or an earlier one. */
    named: (name: string): NodeRow | undefined =>
      valid().find((row) => row.id === name) ?? valid().find((row) => row.aliases.includes(name)),
    /** Compares with every row, so that the timing reveals nothing. */
    withTokenHash: (hash: string): NodeRow | undefined => {
      let found: NodeRow | undefined
      for (const row of valid()) if (row.tokenHash !== null && sameHash(row.tokenHash, hash)) found = row
      return found
    },
    save: (row: NodeRow): void => {
      database
        .prepare(
          `INSERT INTO nodes (id, aliases, token_hash, device_key, role, approved, runtime, added_at, last_seen_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET aliases = excluded.aliases, token_hash = excluded.token_hash,
             device_key = excluded.device_key, role = excluded.role, approved = excluded.approved,
             runtime = excluded.runtime, added_at = excluded.added_at, last_seen_at = excluded.last_seen_at`,
        )
        .run(
          row.id,
          JSON.stringify(row.aliases),
          row.tokenHash,
          row.deviceKey,
          row.role,
          row.approved && JSON.stringify(row.approved),
          row.runtime && JSON.stringify(row.runtime),
          row.addedAt,
          row.lastSeenAt,
        )
    },
    seen: (id: string, at: number): void => {
      database.prepare('UPDATE nodes SET last_seen_at = ? WHERE id = ?').run(at, id)
    },
    rename: (id: string, newId: string, aliases: string[]): void => {
      database.transaction(() => {
        database.prepare('DELETE FROM nodes WHERE id = ? AND token_hash = ?').run(newId, revoked)
        database.prepare('UPDATE nodes SET id = ?, aliases = ? WHERE id = ?').run(newId, JSON.stringify(aliases), id)
      })
    },
    revoke: (id: string): void => {
      database
        .prepare(`UPDATE nodes SET token_hash = '${revoked}', device_key = NULL, runtime = NULL WHERE id = ?`)
        .run(id)
    },
    state: (name: string): string | null =>
      database.prepare<{ value: string }>('SELECT value FROM gateway_state WHERE name = ?').get(name)?.value ?? null,
    setState: (name: string, value: string): void => {
      database
        .prepare(
          'INSERT INTO gateway_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        )
        .run(name, value)
    },
  }
}

const read = (row: Stored): NodeRow => ({
  id: row.id,
  aliases: readJson<string[]>(row.aliases, []),
  tokenHash: row.token_hash,
  deviceKey: row.device_key,
  role: row.role,
  approved: row.approved === null ? null : readJson<string[]>(row.approved, []),
  runtime: row.runtime === null ? null : readJson<NodeRow['runtime'], null>(row.runtime, null),
  addedAt: row.added_at,
  lastSeenAt: row.last_seen_at,
})
