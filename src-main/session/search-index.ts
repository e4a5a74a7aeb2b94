import type { Message, Part } from '../../src-preload/contract/messages'
import type { Database } from '../database'
import type { CallRows } from './call-rows'

/** A search runs what waits first, so only another process can notice this delay. */
const delayMs = 500
/** How far back a start looks for messages that a crash kept from being indexed. */
const mostMissed = 200

/**
 * Puts the words of messages, and the gists of their calls, where search finds them. A turn does not wait for that: messages
 * are collected for a moment and indexed together, which costs a fraction of doing it one by one.
 */
export const createSearchIndex = (database: Database, calls: CallRows, find: (id: string) => Message | null) => {
  const put = database.prepare(
    'INSERT OR REPLACE INTO message_text (rowid, text) SELECT n, ? FROM messages WHERE id = ?',
  )
  const drop = database.prepare('DELETE FROM message_text WHERE rowid = (SELECT n FROM messages WHERE id = ?)')
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | null = null

  const write = (id: string): void => {
    const message = find(id)
    // A message that is still being written is indexed at its end; one that was removed took its words with it.
    if (!message || message.streaming) return
    const gists = new Map(calls.ofMessages([id]).map((call) => [call.id, `${call.name} ${call.gist}`]))
    const text = message.parts
      .map((part) => searchable(part, gists))
      .filter(Boolean)
      .join('\n')
    if (text) put.run(text, id)
    else drop.run(id)
  }

  /** Indexes what waits. What cannot be saved now, on a full disk for example, waits on. */
  const flush = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    if (waiting.size === 0) return
    database.unsaved.save('search', () => {
      database.transaction(() => waiting.forEach(write))
      waiting.clear()
    })
  }

  const add = (id: string): void => {
    waiting.add(id)
    timer ??= setTimeout(flush, delayMs).unref()
  }

  return {
    add,
    flush,
    /** After a crash: indexes the latest messages that are not indexed. */
    catchUp: (): void => {
      const missed = database
        .prepare<{ id: string }>(
          `SELECT id FROM (SELECT n, id FROM messages ORDER BY n DESC LIMIT ?) AS latest
           WHERE NOT EXISTS (SELECT 1 FROM message_text WHERE rowid = latest.n)`,
        )
        .all(mostMissed)
      for (const { id } of missed) waiting.add(id)
      flush()
    },
  }
}

const searchable = (part: Part, gists: Map<string, string>): string => {
  switch (part.type) {
    case 'text':
      return part.text
    case 'file':
      return part.name
    case 'image':
      return part.name ?? ''
    case 'call':
      return gists.get(part.callId) ?? ''
    case 'notice':
      return part.notice.text
    case 'reasoning':
    case 'error':
      return ''
  }
}
