import { load } from './load'
import { getState } from './store'

/** The transcript is loaded in pages. */

const pageSize = 100

const loading = new Map<string, Promise<void>>()

/** One page at a time for a session: whether a page is adjacent depends on the one before. */
function readPage(sessionId: string, wish: { beforeSeq?: number; fresh?: boolean }): Promise<void> {
  const underWay = loading.get(sessionId)
  if (underWay) return underWay
  const reading = load('session.page', { id: sessionId, limit: pageSize, ...wish }).finally(() =>
    loading.delete(sessionId),
  )
  loading.set(sessionId, reading)
  return reading
}

/** The page that is being loaded for a session, if any. */
export const pageUnderWay = (sessionId: string): Promise<void> | undefined => loading.get(sessionId)

/** Loads the newest page, replacing what is loaded. */
export const loadLatest = (sessionId: string): Promise<void> => readPage(sessionId, { fresh: true })

/** Loads the page with a message in its middle, replacing what is loaded. */
export const loadAround = (sessionId: string, seq: number): Promise<void> =>
  readPage(sessionId, { beforeSeq: seq + pageSize / 2, fresh: true })

/** Loads the page before the oldest loaded message. */
export function loadOlder(sessionId: string): Promise<void> {
  const first = getState().transcripts[sessionId]?.messages[0]
  return first ? readPage(sessionId, { beforeSeq: first.seq }) : loadLatest(sessionId)
}

/** Loads the page after the newest loaded message. */
export function loadNewer(sessionId: string): Promise<void> {
  const last = getState().transcripts[sessionId]?.messages.at(-1)
  return last ? readPage(sessionId, { beforeSeq: last.seq + 1 + pageSize }) : loadLatest(sessionId)
}
