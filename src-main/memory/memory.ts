import type { MemoryEvent, MemoryHit, MemoryRecall, MemoryState } from '../../src-preload/contract/memory'
import { localDate } from '../agents/dates'
import type { OwnFiles } from '../agents/own-files'
import { OwnFileError } from '../agents/own-path'
import type { Database } from '../database'
import type { Logger } from '../log'
import type { Embedder } from './embedder'
import { createNoteIndex } from './note-index'
import { notePath } from './notes'
import { rank } from './rank'
import { createMemoryRows, type MemoryRows } from './rows'
import { createVectors, type Nearness } from './vectors'
import { watchNotes } from './watch'
import { coverage } from './words'

interface SearchWish {
  query: string
  /** 6 when left out. */
  limit?: number
  /** Minimum score, 0 to 1; 0.35 when left out. */
  minScore?: number
}

interface NoteLines {
  path: string
  startLine: number
  endLine: number
  totalLines: number
  text: string
}

/** An agent's memory: MEMORY.md and memory/*.md among its own files, searchable by meaning and by words. */
export interface Memory {
  /** Best match first; empty if nothing is close enough. With a session, the hits are recorded as recalled there. */
  search(agentId: string, wish: SearchWish, sessionId?: string): Promise<MemoryHit[]>
  /** Lines of a note, from 1; the rest of it where `lines` is left out. */
  get(agentId: string, path: string, from?: number, lines?: number): Promise<NoteLines>
  /** Default path for a new note: the note of the day. */
  today(): string
  /** The content of a note before and after appending a text; writes nothing. */
  appended(agentId: string, path: string, text: string): Promise<{ path: string; before: string | null; after: string }>
  append(agentId: string, path: string, text: string): Promise<NoteLines>
  state(agentId: string): Promise<MemoryState>
  /** How many passages have no embedding yet and can be found by words only, as of the last refresh. */
  indexing(agentId: string): { pending: number; passages: number }
  recalls(agentId: string): Omit<MemoryRecall, 'sessionTitle'>[]
  /** Starts watching for changes on disk. */
  watch(): Promise<void>
  close(): Promise<void>
}

export interface MemoryDeps {
  database: Database
  files: OwnFiles
  /** Holds a folder for each agent. */
  agentsFolder: string
  embedder: Embedder
  timeZone(): string
  publish(event: MemoryEvent): void
  log: Logger
  now?(): number
}

const defaultLimit = 6
const defaultMinScore = 0.35
const longestQuery = 2000
const longestSnippet = 700
const shownRecalls = 100
/** How long a search waits for indexing: enough for a new note, not for a whole new collection. */
const patienceMs = 4_000

export function createMemory(deps: MemoryDeps): Memory {
  const { files, embedder, publish, log, now = Date.now } = deps
  const rows = createMemoryRows(deps.database)
  const near = createVectors(rows)
  const index = createNoteIndex({ ...deps, rows, isClosed: () => closed })
  const { refresh } = index
  let stopWatching = async (): Promise<void> => {}
  let closed = false

  const search: Memory['search'] = async (agentId, wish, sessionId) => {
    const { limit = defaultLimit, minScore = defaultMinScore } = wish
    const query = wish.query.trim().slice(0, longestQuery)
    if (query === '') return []
    await refresh(agentId)
    await Promise.race([index.embedding(agentId), pause(patienceMs)])
    const byMeaning = !embedder.problem
    const nearness = byMeaning ? near(agentId, await embedder.embed(query, 'now')) : nothingNear
    const waiting = new Set([...rows.pendingIds(agentId), ...(byMeaning ? [] : rows.embeddedIds(agentId))])
    const mine = {
      size: nearness.ids.length + waiting.size,
      has: (id: number) => nearness.has(id) || waiting.has(id),
    }
    const ranked = rank(nearness, coverage(query, mine, rows), embedder.nearness, { limit, minScore })
    const hits = ranked.flatMap((each) => hitOf(rows, each) ?? [])
    if (sessionId !== undefined) {
      rows.addRecall(agentId, { sessionId, query, at: now(), hits })
      publish({ type: 'memory', agentId })
    }
    return hits
  }

  const appended: Memory['appended'] = async (agentId, path, text) => {
    const name = notePath(path)
    const before = (await files.find(agentId, name))?.content ?? null
    const kept = before?.trimEnd() ?? ''
    return { path: name, before, after: `${kept}${kept ? '\n\n' : ''}${text.trim()}\n` }
  }

  return {
    search,
    async get(agentId, path, from = 1, count) {
      const file = await files.read(agentId, notePath(path))
      const lines = file.content.replace(/\n$/, '').split(/\r?\n/)
      if (from > lines.length)
        throw new OwnFileError('ExecutionFailed', `${file.path} has ${lines.length} lines; there is no line ${from}`)
      const taken = lines.slice(from - 1, count === undefined ? undefined : from - 1 + count)
      return {
        path: file.path,
        startLine: from,
        endLine: from + taken.length - 1,
        totalLines: lines.length,
        text: taken.join('\n'),
      }
    },
    today: () => `memory/${localDate(now(), deps.timeZone())}.md`,
    appended,
    async append(agentId, path, text) {
      const { path: name, after } = await appended(agentId, path, text)
      await files.write(agentId, name, after)
      void refresh(agentId).catch((error: unknown) => log.error('Reading the notes failed', { agentId, error }))
      const totalLines = after.trimEnd().split('\n').length
      const added = text.trim()
      return {
        path: name,
        startLine: totalLines - added.split('\n').length + 1,
        endLine: totalLines,
        totalLines,
        text: added,
      }
    },
    async state(agentId) {
      await refresh(agentId)
      const found = rows.filesWithPassages(agentId)
      const passages = found.reduce((sum, file) => sum + file.passages, 0)
      if (embedder.problem) return { files: found, passages, pending: 0, byWordsOnly: embedder.problem }
      return { files: found, passages, pending: rows.pending(agentId) }
    },
    indexing(agentId) {
      const passages = rows.filesWithPassages(agentId).reduce((sum, file) => sum + file.passages, 0)
      return { pending: embedder.problem ? 0 : rows.pending(agentId), passages }
    },
    recalls: (agentId) => rows.recalls(agentId, shownRecalls),
    async watch() {
      const look = (agentId: string): void =>
        void refresh(agentId).catch((error: unknown) => log.error('Reading the notes failed', { agentId, error }))
      stopWatching = await watchNotes(deps.agentsFolder, look, (error) =>
        log.warn('Watching the notes failed', { error }),
      )
      if (closed) await stopWatching()
    },
    async close() {
      closed = true
      await stopWatching()
      await embedder.close()
      await index.settled()
    },
  }
}

const hitOf = (rows: MemoryRows, { id, score }: { id: number; score: number }): MemoryHit | null => {
  const found = rows.passage(id)
  if (!found) return null
  const { path, startLine, endLine, text } = found
  return { path, startLine, endLine, score: Math.round(score * 1000) / 1000, snippet: text.slice(0, longestSnippet) }
}

/** Without a model no passage is near to a question; its words decide. */
const nothingNear: Nearness = { ids: [], cosines: new Float32Array(0), has: () => false }

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms).unref())
