import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MemoryEvent } from '../../src-preload/contract/memory'
import { createOwnFiles } from '../agents/own-files'
import { openDatabase } from '../database'
import { openLog } from '../log'
import { createLocalEmbedder, type Embedder } from './embedder'
import { createMemory } from './memory'

/** A memory on a data folder of its own, with the real files, database and model. */
export function createMemoryBench(given: { dataDir?: string; embedder?: Embedder } = {}) {
  const dataDir = given.dataDir ?? mkdtempSync(join(tmpdir(), 'deckhand-memory-'))
  const database = openDatabase(dataDir)
  const files = createOwnFiles(dataDir)
  const events: MemoryEvent[] = []
  const memory = createMemory({
    database,
    files,
    agentsFolder: join(dataDir, 'agents'),
    embedder: given.embedder ?? createLocalEmbedder(),
    timeZone: () => 'UTC',
    publish: (event) => events.push(event),
    log: openLog(dataDir),
    now: () => Date.UTC(2026, 10, 16, 12),
  })
  return {
    dataDir,
    database,
    files,
    memory,
    events,
    /** Waits until every passage has its vector. */
    async settled(agentId = 'main'): Promise<void> {
      while ((await memory.state(agentId)).pending > 0) await new Promise((done) => setTimeout(done, 50))
    },
    async stop(): Promise<void> {
      await memory.close()
      database.close()
    },
    async close(): Promise<void> {
      await this.stop()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** An embedder whose index is never finished: only questions are answered. */
export const unfinishedEmbedder = (): Embedder => {
  const closing = new AbortController()
  return {
    model: 'slow',
    embed: async (_, when) => {
      if (when === 'later')
        await new Promise((_, failed) => closing.signal.addEventListener('abort', () => failed(new Error('closed'))))
      return new Float32Array([1, 0])
    },
    nearness: (cosine) => cosine,
    close: async () => closing.abort(),
  }
}
