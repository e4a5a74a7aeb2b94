import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileDiff } from '../../src-preload/contract/file-diff'
import type {
  KeptSize,
  Receipt,
  ReceiptFile,
  ReceiptSummary,
  UndoResult,
  UndoStep,
} from '../../src-preload/contract/receipts'
import { hashOf } from '../changes/put'
import type { Database } from '../database'
import { systemPath } from '../file-names'
import { type Copies, createCopies } from './copies'
import type { ImageStore } from './image-store'
import { keptDays, type Limits, maxStoredBytes, sweepAfterBytes } from './limits'
import { createRecorder, type Recorder, type RecorderDeps } from './recorder'
import { createRenewableStore } from './renewable-store'
import { createRewind, type Rewind } from './rewind'
import { createReceiptRows, type ReceiptHead, type ReceiptRows, receiptOf, summaryOf } from './rows'
import { type Direction, preview, receiptDiff, stepsOf } from './undo'
import { bringAll, type UndoneCall, undoneWords } from './undo-call'
import { createWorkspaceRecords } from './workspace-records'

/** Records which files calls change and what they leave running, and undoes it. */
export interface Receipts extends Omit<Recorder, 'refresh'>, Rewind {
  /** Receipts of a session and its sub-agents, oldest first. */
  list(sessionId: string): ReceiptSummary[]
  get(callId: string): Receipt | null
  /**
   * What calls of a session and its sub-agents did to the files of a workspace, oldest first, including what was
   * undone.
   */
  changedFiles(sessionId: string, workspace: string): ReceiptFile[]
  /** The combined change to a file by calls of a session and its sub-agents since then; `null` if there is none. */
  changeSince(sessionId: string, path: string, since: number): FileDiff | null
  /** The stored contents. */
  images(): Pick<ImageStore, 'keep' | 'read'>
  diff(callId: string, path: string): FileDiff
  preview(callId: string, direction: Direction, paths?: readonly string[]): Promise<UndoStep[]>
  undo(callId: string, direction: Direction, force: boolean, paths?: readonly string[]): Promise<UndoResult>
  /** Calls back with a message for the agent after the user undid or redid something. */
  onUndone(listener: (sessionId: string, text: string, forUser: string) => void): void
  /** Copies what a call is about to destroy, to be passed to `begin`; throws `CopyError` if that is not possible. */
  keepCopy: Copies['take']
  /** The session that last wrote each of these files, and what it left there; by absolute path. */
  writersOf: ReceiptRows['writersOf']
  /** The session that left each of these files as it is now, without files that somebody else has changed since. */
  leftBy(paths: readonly string[]): Map<string, string>
  /** A session of another process that may be changing this file at the moment. */
  workingElsewhere: ReceiptRows['workingElsewhere']
  kept(): KeptSize
  forget(): KeptSize
  /** Drops receipts that are old, exceed the limits, or belong to deleted sessions. */
  sweep(): void
}

export interface ReceiptsDeps extends Omit<RecorderDeps, 'rows' | 'record' | 'renew' | 'now' | 'copies' | 'concluded'> {
  /** Tells the user something that does not belong to a session. */
  note(text: string): void
  /** Where contents are stored. */
  folder: string
  /** The app's own folder, which is never watched. */
  dataDir: string
  home: string
  database: Database
  /** The name of this process in rows, and whether the process with another name still runs. */
  owner: string
  isAlive(owner: string): boolean
  isSecret(path: string): boolean
  limits?: Partial<Limits>
  now?: () => number
}

export function createReceipts(deps: ReceiptsDeps): Receipts {
  const { publish, now = Date.now } = deps
  const rows = createReceiptRows(deps.database, deps.owner, deps.isAlive)
  const copies = createCopies(join(deps.folder, 'copies'))
  const listeners = new Set<(sessionId: string, text: string, forUser: string) => void>()
  const images = createRenewableStore({ ...deps, now, setAside: () => records.clear() })
  const { renewing, renewingLater } = images
  const records = createWorkspaceRecords({ ...deps, now, store: images.open, copies })

  const sweep = (): void => {
    const before = now() - keptDays * 24 * 60 * 60 * 1000
    images.open().sweep({ inUse: rows.hashes(), before, maxBytes: maxStoredBytes })
    copies.sweep(before)
  }

  const recorder = createRecorder({
    ...deps,
    rows,
    record: records.of,
    renew: images.renew,
    now,
    copies,
    concluded: () => {
      if (images.open().grown() > sweepAfterBytes) sweep()
    },
  })

  const found = (callId: string): SavedReceipt => present(rows.find(callId))

  const undone: UndoneCall['undone'] = (head, files, direction, done) => {
    rows.save(head, files)
    publish({ type: 'receipt', receipt: summaryOf(head, files) })
    const { text, forUser } = undoneWords(head.gist, direction, done)
    for (const listener of listeners) listener(head.sessionId, text, forUser)
  }

  const keptBytes = (): number => renewing(() => images.open().bytes()) + copies.bytes()
  const kept = (): KeptSize => ({ bytes: keptBytes(), limit: maxStoredBytes })

  return {
    prepare: recorder.prepare,
    begin: recorder.begin,
    beginRest: recorder.beginRest,
    settled: recorder.settled,
    onUndone: (listener) => void listeners.add(listener),
    list(sessionId) {
      for (const { callId, processes } of rows.list(sessionId)) if (processes.length > 0) recorder.refresh(callId)
      return rows.list(sessionId)
    },
    get(callId) {
      const receipt = rows.find(callId)
      return receipt && receiptOf(receipt.head, receipt.files)
    },
    changedFiles: rows.filesOf,
    changeSince(sessionId, path, since) {
      const change = joinedChange(rows.changesSince(sessionId, since), path)
      return change && renewing(() => receiptDiff(images.open(), change))
    },
    images: () => renewing(images.open),
    diff(callId, path) {
      const file = found(callId).files.find((each) => each.path === path)
      if (!file) throw new Error(`The call did not change ${path}.`)
      return renewing(() => receiptDiff(records.contents(), file))
    },
    async preview(callId, direction, paths) {
      const { head, files } = found(callId)
      return renewingLater(() => preview(records.undoDeps(head.workspace), stepsOf(files, direction, paths), direction))
    },
    async undo(callId, direction, force, paths) {
      const { head, files } = found(callId)
      // A running call would rewrite its receipt when it ends, and may rewrite the files at any time.
      if (head.state === 'open') throw new Error('This command is still running. Stop it first.')
      const touched = files.map(({ path }) => path)
      return renewingLater(() => {
        const undoing = records.undoDeps(head.workspace)
        const bring = () => bringAll({ ...found(callId), direction, force, paths, undoing, undone })
        return records.of(undoing.root).aside(touched, bring)
      })
    },
    ...createRewind({ rows, records, publish, renewingLater }),
    keepCopy: copies.take,
    writersOf: rows.writersOf,
    leftBy: (paths) => leftBy(rows.writersOf(paths)),
    workingElsewhere: rows.workingElsewhere,
    kept,
    forget() {
      renewing(() => images.open().forgetAll())
      copies.forgetAll()
      records.clear()
      return kept()
    },
    sweep: () => renewing(sweep),
    async close() {
      records.hurry()
      await recorder.close()
      images.close()
    },
  }
}

const longestRead = 8 * 1024 * 1024

function hashAt(path: string): string | undefined {
  try {
    const data = readFileSync(systemPath(path))
    return data.length <= longestRead ? hashOf(data) : undefined
  } catch {
    return undefined // Gone, or not readable.
  }
}

type SavedReceipt = { head: ReceiptHead; files: ReceiptFile[] }

const present = (receipt: SavedReceipt | null): SavedReceipt => {
  if (!receipt) throw new Error('The record of this call no longer exists.')
  return receipt
}

/**
 * The combined change of several calls to one file, from before the first to after the last; `null` if none changed it.
 */
function joinedChange(
  receipts: readonly { workspace: string; files: readonly ReceiptFile[] }[],
  path: string,
): ReceiptFile | null {
  const changes = receipts.flatMap(({ workspace, files }) =>
    files.filter((file) => join(workspace, file.path) === path),
  )
  const [first, last] = [changes[0], changes.at(-1)]
  return first && last ? { ...first, after: last.after } : null
}

/** Those whose files are still as they left them. */
const leftBy = (writers: ReturnType<ReceiptRows['writersOf']>): Map<string, string> =>
  new Map(
    [...writers].flatMap(([path, { sessionId, hash }]) => (hash === hashAt(path) ? [[path, sessionId] as const] : [])),
  )
