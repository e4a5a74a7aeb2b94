import type { SearchHit } from '../../src-preload/contract/sessions'
import type { FoundMessage } from '../../src-preload/contract/writing'
import type { Database } from '../database'

interface Row {
  session_id: string
  title: string
  id: string
  seq: number
  created_at: number
  snippet: string
}

const mostHits = 60

/**
 * Finds the messages that hold all the words, newest first; the last word may be only begun. Newest rather than best: that
 * is what people look for in their own past, and SQLite can stop at the limit instead of weighing every hit.
 */
export const searchMessages = (database: Database, query: string): SearchHit[] => {
  const words = query.match(/[\p{L}\p{N}\p{M}_]+/gu)
  if (!words) return []
  // Quoted, a word has no other meaning to FTS5 than itself: `AND`, `NEAR` and `*` are plain text.
  const match = words.map((word) => `"${word}"`).join(' ') + (/[\s\p{P}]$/u.test(query) ? '' : '*')
  return database
    .prepare<Row>(
      `SELECT messages.session_id, sessions.title, messages.id, messages.seq, messages.created_at,
         snippet(message_text, 0, char(2), char(3), '…', 16) AS snippet
       FROM message_text
       JOIN messages ON messages.n = message_text.rowid
       JOIN sessions ON sessions.id = messages.session_id
       WHERE message_text MATCH ? AND sessions.deleted_at IS NULL
       ORDER BY message_text.rowid DESC LIMIT ?`,
    )
    .all(match, mostHits)
    .map((row) => ({
      sessionId: row.session_id,
      sessionTitle: row.title,
      messageId: row.id,
      seq: row.seq,
      snippet: row.snippet,
      createdAt: row.created_at,
    }))
}

const mostFound = 1000

/**
 * The messages of one session that hold a text as it was typed, in small or capital letters, oldest first; of too many
 * the newest. What is looked through is what search knows: words, and the lines of calls.
 */
export const findInSession = (database: Database, sessionId: string, query: string): FoundMessage[] => {
  // SQLite itself knows only the capitals of ASCII.
  const spellings = [query, query.toLowerCase(), query.toUpperCase()]
  const patterns = spellings.map((text) => `%${text.replace(/[\\%_]/g, '\\$&')}%`)
  return database
    .prepare<{ id: string; seq: number }>(
      `SELECT messages.id, messages.seq FROM messages JOIN message_text ON message_text.rowid = messages.n
       WHERE messages.session_id = ?
         AND (text LIKE ? ESCAPE '\\' OR text LIKE ? ESCAPE '\\' OR text LIKE ? ESCAPE '\\')
       ORDER BY messages.seq DESC LIMIT ?`,
    )
    .all(sessionId, ...patterns, mostFound)
    .map(({ id, seq }) => ({ messageId: id, seq }))
    .reverse()
}
