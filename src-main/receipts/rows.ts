import type { Receipt, ReceiptFile, ReceiptSummary } from '../../src-preload/contract/receipts'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'

/** A receipt without its files. */
export type ReceiptHead = Omit<ReceiptSummary, keyof Counts>

interface Row {
  head: string
  files: string
  state: ReceiptHead['state']
  owner: string
}

type SummaryRow = Pick<Row, 'head' | 'state' | 'owner'> & { counts: string }
type Counts = Pick<ReceiptSummary, 'created' | 'changed' | 'deleted' | 'undone' | 'folders'>

/** The writer of a file is searched for in this many receipts. */
const latestReceipts = 300

/** A session and its sub-agents, with their receipts. */
const family = `WITH RECURSIVE family (id) AS (
    VALUES (?) UNION SELECT sessions.id FROM sessions JOIN family ON sessions.parent_id = family.id
  )`
const receiptsOfFamily = 'FROM receipts JOIN family ON family.id = session_id'

export type ReceiptRows = ReturnType<typeof createReceiptRows>

/** Receipts on disk: rows in, contract objects out. */
export const createReceiptRows = (database: Database, owner: string, isAlive: (owner: string) => boolean) => {
  /** An open receipt is incomplete if the process that could finish it is gone. */
  const stateOf = ({ state, owner: by }: Pick<Row, 'state' | 'owner'>): ReceiptHead['state'] =>
    state === 'open' && by !== owner && !isAlive(by) ? 'incomplete' : state

  /** `null` if it can no longer be read. */
  const headOf = (row: Pick<Row, 'head' | 'state' | 'owner'>): ReceiptHead | null => {
    const head = readJson<ReceiptHead, null>(row.head, null)
    return head && { ...head, state: stateOf(row) }
  }

  const find = (callId: string): { head: ReceiptHead; files: ReceiptFile[] } | null => {
    const row = database.prepare<Row>('SELECT head, files, state, owner FROM receipts WHERE call_id = ?').get(callId)
    const head = row ? headOf(row) : null
    return row && head ? { head, files: readJson<ReceiptFile[]>(row.files, []) } : null
  }

  return {
    find,
    save: (head: ReceiptHead, files: readonly ReceiptFile[]): void => {
      database
        .prepare(
          `INSERT INTO receipts (call_id, session_id, at, state, owner, head, counts, files) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (call_id) DO UPDATE SET
             state = excluded.state, head = excluded.head, counts = excluded.counts, files = excluded.files`,
        )
        .run(
          ...[head.callId, head.sessionId, head.at, head.state, owner],
          ...[head, countsOf(files), files].map((part) => JSON.stringify(part)),
        )
    },
    remove: (callId: string): void => void database.prepare('DELETE FROM receipts WHERE call_id = ?').run(callId),
    /** Receipts of a session and its sub-agents, oldest first. */
    list: (sessionId: string): ReceiptSummary[] =>
      database
        .prepare<SummaryRow>(
          `${family} SELECT head, counts, state, owner ${receiptsOfFamily} ORDER BY at, receipts.rowid`,
        )
        .all(sessionId)
        .flatMap((row) => {
          const head = headOf(row)
          return head ? { ...head, ...readJson<Counts>(row.counts, countsOf([])) } : []
        }),
    /** The files of all receipts of a session and its sub-agents in one workspace, oldest first. */
    filesOf: (sessionId: string, workspace: string): ReceiptFile[] =>
      database
        .prepare<{ files: string }>(
          `${family} SELECT files ${receiptsOfFamily}
           WHERE head ->> 'workspace' = ? ORDER BY at, receipts.rowid`,
        )
        .all(sessionId, workspace)
        .flatMap(({ files }) => readJson<ReceiptFile[]>(files, [])),
    /** The files of receipts of a session and its sub-agents that began since then, oldest first. */
    changesSince: (sessionId: string, since: number): { workspace: string; files: ReceiptFile[] }[] =>
      database
        .prepare<{ workspace: string; files: string }>(
          `${family} SELECT head ->> 'workspace' AS workspace, files ${receiptsOfFamily}
           WHERE at >= ? ORDER BY at, receipts.rowid`,
        )
        .all(sessionId, since)
        .map(({ workspace, files }) => ({ workspace, files: readJson<ReceiptFile[]>(files, []) })),
    /** Hashes of every content that a receipt, or something that was accepted in a review, refers to. */
    hashes: (): Set<string> => {
      const rows = database
        .prepare<{ files: string }>(
          `SELECT files FROM receipts UNION ALL
           SELECT accepted AS files FROM review_files WHERE accepted IS NOT NULL`,
        )
        .all()
      return new Set(rows.flatMap(({ files }) => hashesIn(files)))
    },
    /** The last known writer of each of these files, by absolute path, among the latest receipts. */
    writersOf: (paths: readonly string[]): Map<string, { sessionId: string; hash: string | undefined }> => {
      const left = new Set(paths)
      const found = new Map<string, { sessionId: string; hash: string | undefined }>()
      if (left.size === 0) return found
      const latest = database.prepare<Pick<Row, 'head' | 'files'>>(
        'SELECT head, files FROM receipts ORDER BY at DESC, rowid DESC LIMIT ?',
      )
      for (const row of latest.all(latestReceipts)) {
        for (const { path, ...writer } of left.size === 0 ? [] : writtenBy(row)) {
          if (left.delete(path)) found.set(path, writer)
        }
      }
      return found
    },
    /** A session of another process with a running call in the workspace of this file. */
    workingElsewhere: (path: string): string | null => {
      const open = database.prepare<{ session_id: string; owner: string; workspace: string }>(
        `SELECT session_id, owner, head ->> 'workspace' AS workspace FROM receipts WHERE state = 'open' AND owner <> ?`,
      )
      const found = open.all(owner).find((row) => path.startsWith(`${row.workspace}/`) && isAlive(row.owner))
      return found?.session_id ?? null
    },
    forgetAll: (): void => void database.prepare('DELETE FROM receipts').run(),
  }
}

/** The files of a receipt by absolute path, with what they contained after it. */
const writtenBy = (row: Pick<Row, 'head' | 'files'>) => {
  const head = readJson<ReceiptHead, null>(row.head, null)
  if (!head) return []
  return readJson<ReceiptFile[]>(row.files, []).map(({ path, before, after, undone }) => ({
    path: path.startsWith('/') ? path : `${head.workspace}/${path}`,
    sessionId: head.sessionId,
    hash: (undone ? before : after)?.hash,
  }))
}

const hashesIn = (json: string): string[] =>
  [...json.matchAll(/"hash":"([0-9a-f]{64})"/g)].map(([, hash]) => hash ?? '')

const countsOf = (files: readonly ReceiptFile[]): Counts => {
  const counts: Counts = { created: 0, changed: 0, deleted: 0, undone: 0, folders: 0 }
  // A folder is not counted if files in it are.
  const holding = new Set(files.flatMap(({ path }) => parentsOf(path)))
  for (const { path, before, after, undone } of files) {
    if ((after ?? before)?.kind === 'folder') {
      if (!holding.has(path)) counts.folders++
      continue
    }
    if (!before) counts.created++
    else if (!after) counts.deleted++
    else counts.changed++
    if (undone) counts.undone++
  }
  return counts
}

const parentsOf = (path: string): string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)).filter(Boolean)

export const summaryOf = (head: ReceiptHead, files: readonly ReceiptFile[]): ReceiptSummary => ({
  ...head,
  ...countsOf(files),
})

export const receiptOf = (head: ReceiptHead, files: ReceiptFile[]): Receipt => ({ ...summaryOf(head, files), files })
