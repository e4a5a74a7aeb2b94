import { mkdirSync } from 'node:fs'
import { relative, sep } from 'node:path'
import type { MemoryEvent, MemoryHit, MemoryRecall, MemoryState } from '../../src-preload/contract/memory'
import { localDate } from '../agents/dates'
import type { OwnFiles } from '../agents/own-files'
import { OwnFileError } from '../agents/own-path'
import type { Database } from '../database'
import type { Logger } from '../log'
import type { Embedder } from './embedder'
import { createNoteIndex } from './note-index'
import { notePath } from './notes'
import { createMemoryRows, type MemoryRows } from './rows'
import { createVectors, type Nearness } from './vectors'
import { coverage } from './words'

/** One change causes several file events; they are combined into one call. */
const calmMs = 300

/** Weight of the meaning; the words get the rest. */
const meaningShare = 0.7

const wholly = 0.999

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

interface Ranked {
  id: number
  score: number
}

/**
 * Sorts passages by how well they answer a question. The score is 0.7 meaning + 0.3 words, where the word score is at
 * least the meaning score, so that a paraphrase is not penalized. A passage whose meaning alone scores below the
 * minimum is left out, even if it is the best one, unless it contains every word of the question.
 */
function rank(
  nearness: { ids: readonly number[]; cosines: ArrayLike<number>; has(id: number): boolean },
  words: ReadonlyMap<number, number>,
  scale: (cosine: number) => number,
  { limit, minScore }: { limit: number; minScore: number },
): Ranked[] {
  const found: Ranked[] = []
  nearness.ids.forEach((id, place) => {
    const meaning = scale(nearness.cosines[place] ?? 0)
    const share = words.get(id) ?? 0
    const score = meaningShare * meaning + (1 - meaningShare) * Math.max(meaning, share)
    if (meaning >= minScore || (share >= wholly && score >= minScore)) found.push({ id, score })
  })
  // Passages without a vector are scored by words only.
  for (const [id, share] of words) if (!nearness.has(id) && share >= minScore) found.push({ id, score: share })
  return found.sort((one, other) => other.score - one.score || one.id - other.id).slice(0, limit)
}

/** Calls `changed` with an agent's id when its notes change on disk. `root` holds a folder for each agent. */
async function watchNotes(root: string, changed: (agentId: string) => void, failed: (error: unknown) => void) {
  const { watch } = await import('chokidar')
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const timers = new Map<string, NodeJS.Timeout>()
  const parts = (path: string): string[] => relative(root, path).split(sep)
  const watcher = watch(root, {
    ignoreInitial: true,
    persistent: false,
    depth: 2,
    // Watches only notes: other files of an agent, such as skills, may be large.
    ignored: (path) => {
      const [, second, third] = parts(path)
      if (second === undefined) return false
      return third === undefined ? second !== 'MEMORY.md' && second !== 'memory' : !third.endsWith('.md')
    },
  })
  watcher.on('all', (_, path) => {
    const [agentId = ''] = parts(path)
    if (agentId === '') return
    clearTimeout(timers.get(agentId))
    timers.set(agentId, setTimeout(() => changed(agentId), calmMs).unref())
  })
  watcher.on('error', failed)
  return async (): Promise<void> => {
    for (const timer of timers.values()) clearTimeout(timer)
    await watcher.close()
  }
}
