import { load } from './load'
import { getState } from './store'

/** The transcript comes in pages, one read at a time. */

const pageSize = 100

const loading = new Map<string, Promise<void>>()

/** One read at a time for a session: what joins on to what is held depends on the read before. */
function readPage(sessionId: string, wish: { beforeSeq?: number; fresh?: boolean }): Promise<void> {
  const underWay = loading.get(sessionId)
  if (underWay) return underWay
  const reading = load('session.page', { id: sessionId, limit: pageSize, ...wish }).finally(() =>
    loading.delete(sessionId),
  )
  loading.set(sessionId, reading)
  return reading
}

/** The read that is under way for a session, if there is one. */
export const pageUnderWay = (sessionId: string): Promise<void> | undefined => loading.get(sessionId)

/** Reads the newest page, in place of whatever is held. */
export const loadLatest = (sessionId: string): Promise<void> => readPage(sessionId, { fresh: true })

/** Reads the page that has a message in its middle, in place of whatever is held. */
export const loadAround = (sessionId: string, seq: number): Promise<void> =>
  readPage(sessionId, { beforeSeq: seq + pageSize / 2, fresh: true })

/** Reads the page before the oldest message that is held. */
export function loadOlder(sessionId: string): Promise<void> {
  const first = getState().transcripts[sessionId]?.messages[0]
  return first ? readPage(sessionId, { beforeSeq: first.seq }) : loadLatest(sessionId)
}

/** Reads the page after the newest message that is held. */
export function loadNewer(sessionId: string): Promise<void> {
  const last = getState().transcripts[sessionId]?.messages.at(-1)
  return last ? readPage(sessionId, { beforeSeq: last.seq + 1 + pageSize }) : loadLatest(sessionId)
}
