import { homedir } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import type { Part } from '../../src-preload/contract/messages'
import { type DamagedDatabase, openDamaged } from './read-damaged'
import { isFull } from './storage-error'

/** What came of reading a damaged database. */
export interface Salvage {
  sessions: number
  messages: number
  /** Sessions of which only the messages are left. */
  namelessSessions: number
  /** Messages that are known to have been there; each is marked in its place. */
  missingMessages: number
  /** Tables that have lost rows, of those that have no mark of their own. */
  incomplete: string[]
}

/** Made anew from the rows of other tables. */
const isIndex = (table: string): boolean => /^(message_text|memory_text|sqlite_)/.test(table)

/**
 * Copies all rows that can be read from a damaged file into an empty database with the same tables. `donors` are healthy
 * databases that may lend a header.
 */
export function salvage(
  path: string,
  into: DatabaseSync,
  donors: readonly string[],
  migrate: (from: number) => void,
): Salvage | null {
  const damaged = openDamaged(path, donors)
  if (!damaged) return null
  try {
    const incomplete = copyTables(damaged, into, migrate)
    const facts = mendLinks(into)
    const count = (table: string): number => Number(into.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n) || 0
    return {
      ...facts,
      sessions: count('sessions'),
      messages: count('messages') - facts.missingMessages,
      incomplete: incomplete.filter((table) => table !== 'sessions' && table !== 'messages'),
    }
  } finally {
    damaged.close()
  }
}

function copyTables(damaged: DamagedDatabase, into: DatabaseSync, migrate: (from: number) => void): string[] {
  const incomplete: string[] = []
  migrate(damaged.version())
  const known = new Set(damaged.tables())
  into.exec('PRAGMA foreign_keys = OFF; BEGIN')
  try {
    for (const { name } of into.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()) {
      const table = String(name)
      if (isIndex(table)) continue
      if (!known.has(table) || copyRows(damaged, into, table) > 0) incomplete.push(table)
    }
    into.exec('COMMIT')
  } catch (error) {
    if (into.isTransaction) into.exec('ROLLBACK')
    throw error
  } finally {
    into.exec('PRAGMA foreign_keys = ON')
  }
  return incomplete
}

/** Returns how many holes there were, and rows that make no sense. */
function copyRows(damaged: DamagedDatabase, into: DatabaseSync, table: string): number {
  const columns = new Set(
    into
      .prepare(`PRAGMA table_info("${table}")`)
      .all()
      .map(({ name }) => String(name)),
  )
  let lost = 0
  const rows = damaged.rows(table)
  for (;;) {
    let step: ReturnType<typeof rows.next>
    try {
      step = rows.next()
    } catch {
      return lost + 1
    }
    if (step.done) return lost + step.value.holes
    const { '#': rowid, ...row } = step.value
    const names = Object.keys(row).filter((name) => columns.has(name))
    const values = names.map((name) => row[name] ?? null)
    try {
      into
        .prepare(
          `INSERT OR IGNORE INTO "${table}" (rowid, ${names.map((name) => `"${name}"`).join(', ')})
           VALUES (?${', ?'.repeat(names.length)})`,
        )
        .run(rowid ?? null, ...values)
    } catch (error) {
      if (isFull(error)) throw error
      lost++
    }
  }
}

const lostMessage: Part[] = [
  { type: 'notice', notice: { kind: 'damaged', text: 'A message was here. It was damaged and could not be saved.' } },
]

/** Gives every row what it refers to, or removes it: a session for messages, a mark where one is missing. */
function mendLinks(into: DatabaseSync): Pick<Salvage, 'namelessSessions' | 'missingMessages'> {
  into.exec('BEGIN')
  const namelessSessions = Number(
    into
      .prepare(
        `INSERT INTO sessions (id, title, auto_title, workspace, model, toolset, mode, status, created_at, updated_at)
         SELECT session_id, 'Recovered session', 0, ?, '', 'deckhand', 'ask', 'idle', min(created_at), max(created_at)
         FROM messages WHERE session_id NOT IN (SELECT id FROM sessions) GROUP BY session_id`,
      )
      .run(homedir()).changes,
  )
  const missingMessages = Number(
    into
      .prepare(
        `WITH RECURSIVE places (session_id, seq, last, at) AS (
           SELECT session_id, 0, max(seq), min(created_at) FROM messages GROUP BY session_id
           UNION ALL SELECT session_id, seq + 1, last, at FROM places WHERE seq < last
         )
         INSERT INTO messages (id, session_id, seq, role, parts, created_at)
         SELECT 'm_' || lower(hex(randomblob(8))), session_id, seq, 'system', ?, at FROM places
         WHERE NOT EXISTS (SELECT 1 FROM messages WHERE session_id = places.session_id AND seq = places.seq)`,
      )
      .run(JSON.stringify(lostMessage)).changes,
  )
  for (const { table, rowid } of into.prepare('PRAGMA foreign_key_check').all())
    into.prepare(`DELETE FROM "${table}" WHERE rowid = ?`).run(rowid ?? null)
  indexMessages(into)
  into.exec('COMMIT')
  return { namelessSessions, missingMessages }
}

/** Makes messages known to the search that are not. */
export const indexMessages = (sqlite: DatabaseSync): void =>
  sqlite.exec(`
    INSERT INTO message_text (rowid, text)
    SELECT messages.n, group_concat(json_extract(part.value, '$.text'), char(10))
    FROM messages, json_each(CASE WHEN json_valid(messages.parts) THEN messages.parts ELSE '[]' END) AS part
    WHERE messages.n NOT IN (SELECT rowid FROM message_text) AND json_extract(part.value, '$.type') = 'text'
    GROUP BY messages.n`)
