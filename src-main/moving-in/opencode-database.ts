import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../is-record'
import type { HistoryMessage } from './draft'
import { readJson, textOf } from './files'
import type { History } from './history'

/** A session of opencode as its database has it. */
interface StoredSession {
  id: string
  history: History
}

const maxBytes = 500 * 1024 * 1024

/**
 * The latest sessions in the database that opencode keeps since its version 1.2; null where it cannot be read. A copy is
 * read: opening a database can write files beside it.
 */
export async function readDatabase(path: string, most: number): Promise<StoredSession[] | null> {
  const folder = await mkdtemp(join(tmpdir(), 'deckhand-import-'))
  try {
    const copy = join(folder, 'copy.db')
    await copyIfSmall(path, copy)
    // What was written last may still be in here only.
    await copyIfSmall(`${path}-wal`, `${copy}-wal`).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    })
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(copy)
    try {
      return readSessions(database, most)
    } finally {
      database.close()
    }
  } catch {
    // Too large, of another version, or being written at this moment: the page says so.
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function copyIfSmall(from: string, to: string): Promise<void> {
  const stats = await stat(from)
  if (!stats.isFile() || stats.size > maxBytes) throw new Error(`${from} is too large.`)
  await copyFile(from, to)
}

function readSessions(database: DatabaseSync, most: number): StoredSession[] {
  const sessions = database
    .prepare('SELECT id, directory, title FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC LIMIT ?')
    .all(most)
  const rows = database.prepare(
    `SELECT message.id, message.data AS message, part.data AS part FROM message LEFT JOIN part ON part.message_id = message.id
     WHERE message.session_id = ? ORDER BY message.time_created, message.id, part.id`,
  )
  return sessions.map(({ id, directory, title }) => ({
    id: String(id),
    history: { workspace: textOf(directory), title: textOf(title), messages: messagesOf(rows.all(id ?? '')) },
  }))
}

/** One message for all the parts that are words of the user or the model. */
function messagesOf(rows: readonly Record<string, unknown>[]): HistoryMessage[] {
  const messages = new Map<unknown, HistoryMessage>()
  for (const row of rows) {
    const role = readJson(textOf(row.message))?.role
    if (role !== 'user' && role !== 'assistant') continue
    const known = messages.get(row.id) ?? { role, text: '' }
    messages.set(row.id, known)
    const part = readJson(textOf(row.part))
    if (!isRecord(part) || part.type !== 'text' || part.synthetic === true || part.ignored === true) continue
    known.text = [known.text, textOf(part.text)].filter(Boolean).join('\n')
  }
  return [...messages.values()]
}
