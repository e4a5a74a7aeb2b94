import type { MemoryFile, MemoryHit } from '../../src-preload/contract/memory'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'
import type { Chunk } from './chunk'

interface FileRow {
  path: string
  hash: string
  size: number
  modifiedAt: number
}

interface PassageRow {
  id: number
  path: string
  startLine: number
  endLine: number
  text: string
}

export type MemoryRows = ReturnType<typeof createMemoryRows>

const keptRecalls = 500
const passage = 'id, path, start_line AS startLine, end_line AS endLine, text'

/** The meaning of passages, as vectors. */
const vectorRows = ({ prepare, transaction }: Database) => ({
  /** Deletes the vectors of any other model, since vectors of different models cannot be compared. */
  expectModel(model: string): void {
    transaction(() => {
      const row = prepare<{ value: string }>(`SELECT value FROM service_state WHERE name = 'memory.model'`).get()
      if (row?.value === model) return
      prepare('UPDATE memory_chunks SET vector = NULL WHERE vector IS NOT NULL').run()
      prepare(`INSERT OR REPLACE INTO service_state (name, value) VALUES ('memory.model', ?)`).run(model)
    })
  },

  setVectors(vectors: readonly { id: number; vector: Float32Array }[]): void {
    transaction(() => {
      const update = prepare('UPDATE memory_chunks SET vector = ? WHERE id = ?')
      for (const { id, vector } of vectors)
        update.run(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), id)
    })
  },

  embeddedIds: (agentId: string): number[] =>
    prepare<{ id: number }>('SELECT id FROM memory_chunks WHERE agent_id = ? AND vector IS NOT NULL ORDER BY id')
      .all(agentId)
      .map(({ id }) => id),

  vector(id: number): Float32Array | null {
    const bytes = prepare<{ vector: Uint8Array | null }>('SELECT vector FROM memory_chunks WHERE id = ?').get(
      id,
    )?.vector
    return bytes ? new Float32Array(bytes.slice().buffer) : null
  },
})

/** What was asked of the memory and found, for the user to see. */
const recallRows = ({ prepare, transaction }: Database) => ({
  addRecall(agentId: string, recall: { sessionId: string; query: string; at: number; hits: MemoryHit[] }): void {
    transaction(() => {
      prepare('INSERT INTO memory_recalls (agent_id, session_id, query, at, hits) VALUES (?, ?, ?, ?, ?)').run(
        agentId,
        recall.sessionId,
        recall.query,
        recall.at,
        JSON.stringify(recall.hits),
      )
      prepare(
        `DELETE FROM memory_recalls WHERE agent_id = ?1 AND n <=
           (SELECT n FROM memory_recalls WHERE agent_id = ?1 ORDER BY n DESC LIMIT 1 OFFSET ${keptRecalls})`,
      ).run(agentId)
    })
  },

  recalls: (agentId: string, limit: number) =>
    prepare<{ id: number; sessionId: string; query: string; at: number; hits: string }>(
      `SELECT n AS id, session_id AS sessionId, query, at, hits FROM memory_recalls
       WHERE agent_id = ? ORDER BY n DESC LIMIT ?`,
    )
      .all(agentId, limit)
      .map(({ hits, ...row }) => ({ ...row, hits: readJson<MemoryHit[]>(hits, []) })),
})

/** Storage for the passages of all agents, their word index and vectors, and recalls. */
export function createMemoryRows(database: Database) {
  const { prepare, transaction } = database

  return {
    files: (agentId: string): FileRow[] =>
      prepare<FileRow>(
        'SELECT path, hash, size, modified_at AS modifiedAt FROM memory_files WHERE agent_id = ? ORDER BY path',
      ).all(agentId),

    filesWithPassages: (agentId: string): MemoryFile[] =>
      prepare<MemoryFile>(
        `SELECT path, size, modified_at AS modifiedAt,
           (SELECT count(*) FROM memory_chunks c WHERE c.agent_id = f.agent_id AND c.path = f.path) AS passages
         FROM memory_files f WHERE agent_id = ? ORDER BY path DESC`,
      ).all(agentId),

    /** Replaces the passages of a file; passages whose text is unchanged keep their vector. */
    replace(agentId: string, file: FileRow, chunks: readonly Chunk[]): void {
      transaction(() => {
        const before = prepare<{ context: string; text: string; vector: Uint8Array | null }>(
          'SELECT context, text, vector FROM memory_chunks WHERE agent_id = ? AND path = ?',
        ).all(agentId, file.path)
        const known = new Map(before.map(({ context, text, vector }) => [`${context}\n${text}`, vector]))
        prepare('DELETE FROM memory_chunks WHERE agent_id = ? AND path = ?').run(agentId, file.path)
        const insert = prepare(
          `INSERT INTO memory_chunks (agent_id, path, start_line, end_line, context, text, vector)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        )
        for (const { startLine, endLine, context, text } of chunks)
          insert.run(agentId, file.path, startLine, endLine, context, text, known.get(`${context}\n${text}`) ?? null)
        saveFile(agentId, file)
      })
    },

    touch: (agentId: string, file: FileRow): void => saveFile(agentId, file),

    remove(agentId: string, path: string): void {
      transaction(() => {
        prepare('DELETE FROM memory_chunks WHERE agent_id = ? AND path = ?').run(agentId, path)
        prepare('DELETE FROM memory_files WHERE agent_id = ? AND path = ?').run(agentId, path)
      })
    },

    pending: (agentId: string): number =>
      prepare<{ n: number }>('SELECT count(*) AS n FROM memory_chunks WHERE agent_id = ? AND vector IS NULL').get(
        agentId,
      )?.n ?? 0,

    /** Passages of an agent that have no vector yet. */
    unembedded: (agentId: string, limit: number): { id: number; context: string; text: string }[] =>
      prepare<{ id: number; context: string; text: string }>(
        'SELECT id, context, text FROM memory_chunks WHERE agent_id = ? AND vector IS NULL ORDER BY id LIMIT ?',
      ).all(agentId, limit),

    pendingIds: (agentId: string): number[] =>
      prepare<{ id: number }>('SELECT id FROM memory_chunks WHERE agent_id = ? AND vector IS NULL')
        .all(agentId)
        .map(({ id }) => id),

    /** Changes whenever a passage is added, removed or gets its vector, in any process. */
    stamp(agentId: string): string {
      const row = prepare<{ n: number; last: number | null }>(
        'SELECT count(*) AS n, max(id) AS last FROM memory_chunks WHERE agent_id = ?',
      ).get(agentId)
      return `${row?.n ?? 0} ${row?.last ?? 0} ${this.pending(agentId)}`
    },

    ...vectorRows(database),

    /** Ids of passages, of any agent, that contain a form of the word; `limit` at most. */
    holding: (word: string, limit: number): number[] =>
      prepare<{ rowid: number }>('SELECT rowid FROM memory_text WHERE memory_text MATCH ? LIMIT ?')
        // Quoted, so that operators of the query language count as plain words.
        .all(`"${word.replaceAll('"', '""')}"`, limit)
        .map(({ rowid }) => rowid),

    passage: (id: number): PassageRow | undefined =>
      prepare<PassageRow>(`SELECT ${passage} FROM memory_chunks WHERE id = ?`).get(id),

    ...recallRows(database),
  }

  function saveFile(agentId: string, { path, hash, size, modifiedAt }: FileRow): void {
    prepare('INSERT OR REPLACE INTO memory_files (agent_id, path, hash, size, modified_at) VALUES (?, ?, ?, ?, ?)').run(
      agentId,
      path,
      hash,
      size,
      modifiedAt,
    )
  }
}
