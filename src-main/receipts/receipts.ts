import { existsSync } from 'node:fs'
import type { FileDiff } from '../../src-preload/contract/file-diff'
import type {
  KeptSize,
  Receipt,
  ReceiptFile,
  ReceiptSummary,
  UndoResult,
  UndoStep,
} from '../../src-preload/contract/receipts'
import type { RewindChoice, RewindStep } from '../../src-preload/contract/rewind'
import type { Database } from '../database'
import { troubleOf } from '../storage/storage-error'
import { type ImageStore, openImageStore, setImagesAside } from './image-store'
import {
  holdsHome,
  homeLimits,
  keptDays,
  type Limits,
  maxStoredBytes,
  sealedFolders,
  sweepAfterBytes,
  usualLimits,
} from './limits'
import { createRecord, type WorkspaceRecord } from './record'
import { createRecorder, type Recorder, type RecorderDeps } from './recorder'
import { createReceiptRows, type ReceiptHead, receiptOf, summaryOf } from './rows'
import { bring, type Direction, preview, receiptDiff, stepsOf, type UndoDeps } from './undo'
import { createWatch } from './watch'
import { type BackResult, bringBack, bringForward, pathsBack, previewBack, staysOf, type WentBack } from './way-back'

/** Records which files calls change and what they leave running, and undoes it. */
export interface Receipts extends Omit<Recorder, 'refresh'> {
  /** Receipts of a session and its sub-agents, oldest first. */
  list(sessionId: string): ReceiptSummary[]
  get(callId: string): Receipt | null
  /** What calls of a session and its sub-agents did to the files of a workspace, oldest first; what was undone, too. */
  changedFiles(sessionId: string, workspace: string): ReceiptFile[]
  /** The contents that are kept. */
  images(): Pick<ImageStore, 'keep' | 'read'>
  diff(callId: string, path: string): FileDiff
  preview(callId: string, direction: Direction, paths?: readonly string[]): Promise<UndoStep[]>
  undo(callId: string, direction: Direction, force: boolean, paths?: readonly string[]): Promise<UndoResult>
  /** What would change if the files became what they were at a moment, and what cannot be brought back. */
  previewBack(sessionId: string, since: number): Promise<{ steps: RewindStep[]; stays: string[] }>
  /** Makes the files what they were at a moment. `forced`: also these, which something else has changed. */
  goBack(sessionId: string, since: number, forced: readonly RewindChoice[]): Promise<BackResult>
  /** Undoes that, except for files that were changed since. */
  goForward(files: readonly WentBack[]): Promise<Pick<BackResult, 'left'>>
  /** Calls back with a message for the agent after the user undid or redid something. */
  onUndone(listener: (sessionId: string, text: string, forUser: string) => void): void
  kept(): KeptSize
  forget(): KeptSize
  /** Drops receipts that are old, exceed the limits, or belong to deleted sessions. */
  sweep(): void
}

interface ReceiptsDeps extends Omit<RecorderDeps, 'rows' | 'record' | 'renew' | 'now' | 'concluded'> {
  /** Tells the user something that does not belong to a session. */
  note(text: string): void
  /** Where contents are kept. */
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
  const records = new Map<string, WorkspaceRecord>()
  const listeners = new Set<(sessionId: string, text: string, forUser: string) => void>()
  let opened: ImageStore | null = null

  /** Opened on first use: most runs do not need it at the start. */
  const store = (): ImageStore => {
    try {
      opened ??= openImageStore(deps.folder, now)
    } catch (error) {
      if (!cannotOpen(error) || !putAside(error)) throw error
      opened = openImageStore(deps.folder, now)
    }
    return opened
  }

  /** Contents are useful but not required: an unusable store is moved aside, and the user is told once. */
  const putAside = (error: unknown): boolean => {
    records.clear()
    const aside = setImagesAside(deps.folder)
    if (aside === null) return false
    deps.log.warn('The contents kept for undo could not be used', { error, keptAs: aside })
    deps.note(`What was kept for undo could not be read, so earlier changes cannot be undone. It is now in ${aside}.`)
    return true
  }

  const renew = (error: unknown): boolean => {
    if (troubleOf(error) !== 'damaged') return false
    try {
      opened?.close()
    } catch (closing) {
      deps.log.warn('The contents kept for undo could not be closed', { error: closing })
    }
    opened = null
    return putAside(error)
  }

  const limitsOf = (root: string): Limits => ({
    ...(holdsHome(root, deps.home) ? homeLimits : usualLimits),
    ...deps.limits,
  })

  const isSecretIn =
    (root: string) =>
    (path: string): boolean =>
      deps.isSecret(`${root}/${path}`)

  const recordOf = (root: string): WorkspaceRecord => {
    const known = records.get(root)
    if (known) return known
    const isSealed = sealedFolders(root, deps.home, deps.dataDir)
    const watch = createWatch({
      root,
      store: store(),
      limits: limitsOf(root),
      isSealed,
      isSecret: isSecretIn(root),
      now,
    })
    const made = createRecord(watch)
    records.set(root, made)
    return made
  }

  const sweep = (): void => {
    const before = now() - keptDays * 24 * 60 * 60 * 1000
    store().sweep({ inUse: rows.hashes(), before, maxBytes: maxStoredBytes })
  }

  const recorder = createRecorder({
    ...deps,
    rows,
    record: recordOf,
    renew,
    now,
    concluded: () => {
      if (store().grown() > sweepAfterBytes) sweep()
    },
  })

  const found = (callId: string): { head: ReceiptHead; files: ReceiptFile[] } => {
    const receipt = rows.find(callId)
    if (!receipt) throw new Error('The record of this call no longer exists.')
    return receipt
  }

  const undoDeps = (root: string): UndoDeps => {
    if (!existsSync(root)) throw new Error(`The folder of this call no longer exists: ${root}`)
    return { root, store: store(), maxFileBytes: limitsOf(root).maxFileBytes, isSecret: isSecretIn(root) }
  }

  const bringAll = async (
    callId: string,
    direction: Direction,
    force: boolean,
    paths: readonly string[] | undefined,
    undoing: UndoDeps,
  ): Promise<UndoResult> => {
    const { head, files } = found(callId)
    const done: string[] = []
    const left: UndoResult['left'] = []
    try {
      for (const file of stepsOf(files, direction, paths)) {
        const result = await bring(undoing, file, direction, force)
        if (typeof result === 'string') left.push({ path: file.path, problem: result })
        else {
          done.push(file.path)
          files[files.indexOf(file)] = result
        }
      }
    } finally {
      // Records what was done, even if a later step failed.
      if (done.length > 0) {
        rows.save(head, files)
        publish({ type: 'receipt', receipt: summaryOf(head, files) })
        for (const listener of listeners) {
          const { text, forUser } = undoneWords(head.gist, direction, done)
          listener(head.sessionId, text, forUser)
        }
      }
    }
    return { receipt: receiptOf(head, files), done, left }
  }

  /** What the calls of a session and its sub-agents have done since a moment, by workspace. */
  const since = (sessionId: string, moment: number): Map<string, { callId: string; files: ReceiptFile[] }[]> => {
    const done = rows.list(sessionId).filter(({ at, state }) => at >= moment && state === 'done')
    const whole = done.flatMap(({ callId, workspace }) => {
      const receipt = rows.find(callId)
      return receipt ? [{ callId, workspace, files: receipt.files }] : []
    })
    return Map.groupBy(whole, ({ workspace }) => workspace)
  }

  /** Lists files as undone in the receipts of the calls that changed them, or no longer. */
  const mark = (changed: readonly WentBack[], undone: boolean): void => {
    const byCall = Map.groupBy(
      changed.flatMap(({ file, calls }) => calls.map((callId) => ({ callId, file, isLast: callId === calls.at(-1) }))),
      ({ callId }) => callId,
    )
    for (const [callId, entries] of byCall) {
      const receipt = rows.find(callId)
      if (!receipt) continue
      const { head } = receipt
      const files = receipt.files.map((file) => {
        const entry = entries.find((each) => each.file.path === file.path)
        if (!entry) return file
        const { undone: _, ...bare } = file
        const gaveUp = entry.isLast && entry.file.before ? { gaveUp: entry.file.before } : {}
        return undone ? { ...bare, undone: gaveUp } : bare
      })
      rows.save(head, files)
      publish({ type: 'receipt', receipt: summaryOf(head, files) })
    }
  }

  const renewingLater = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      if (!renew(error)) throw error
      return work()
    }
  }

  const kept = (): KeptSize => ({ bytes: renewing(() => store().bytes()), limit: maxStoredBytes })

  /** Tries once more with a new store if the old one is unusable. */
  const renewing = <Result>(work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      if (!renew(error)) throw error
      return work()
    }
  }

  return {
    prepare: recorder.prepare,
    begin: recorder.begin,
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
    images: () => renewing(store),
    diff(callId, path) {
      const file = found(callId).files.find((each) => each.path === path)
      if (!file) throw new Error(`The call did not change ${path}.`)
      return renewing(() => receiptDiff(store(), file))
    },
    async preview(callId, direction, paths) {
      const { head, files } = found(callId)
      return renewingLater(() => preview(undoDeps(head.workspace), stepsOf(files, direction, paths), direction))
    },
    async undo(callId, direction, force, paths) {
      const { head, files } = found(callId)
      // A running call would rewrite its receipt when it ends, and may rewrite the files at any time.
      if (head.state === 'open') throw new Error('This command is still running. Stop it first.')
      const touched = files.map(({ path }) => path)
      return renewingLater(() => {
        const undoing = undoDeps(head.workspace)
        return recordOf(undoing.root).aside(touched, () => bringAll(callId, direction, force, paths, undoing))
      })
    },
    async previewBack(sessionId, moment) {
      const all = rows.list(sessionId)
      const stays = staysOf(
        all.filter(({ at }) => at >= moment),
        all.filter(({ at }) => at < moment),
      )
      const steps: RewindStep[] = []
      for (const [root, receipts] of since(sessionId, moment)) {
        const paths = pathsBack(receipts)
        if (paths.length === 0) continue
        if (existsSync(root)) steps.push(...(await renewingLater(() => previewBack(undoDeps(root), root, paths))))
        else stays.push(`The folder ${root} no longer exists.`)
      }
      return { steps, stays }
    },
    async goBack(sessionId, moment, forced) {
      const result: BackResult = { done: [], left: [] }
      for (const [root, receipts] of since(sessionId, moment)) {
        const paths = pathsBack(receipts)
        if (paths.length === 0 || !existsSync(root)) continue
        const touched = paths.map(({ file }) => file.path)
        const { done, left } = await renewingLater(() =>
          recordOf(root).aside(touched, () => bringBack(undoDeps(root), root, paths, forced)),
        )
        mark(done, true)
        result.done.push(...done)
        result.left.push(...left)
      }
      return result
    },
    async goForward(files) {
      const left: BackResult['left'] = []
      for (const [root, entries] of Map.groupBy(files, ({ workspace }) => workspace)) {
        const touched = entries.map(({ file }) => file.path)
        const result = await renewingLater(() =>
          recordOf(root).aside(touched, () => bringForward(undoDeps(root), entries)),
        )
        mark(result.done, false)
        left.push(...result.left)
      }
      return { left }
    },
    kept,
    forget() {
      renewing(() => store().forgetAll())
      records.clear()
      return kept()
    },
    sweep: () => renewing(sweep),
    async close() {
      for (const record of records.values()) record.hurry()
      await recorder.close()
      opened?.close()
      opened = null
    },
  }
}

const inTheWay = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM'])

/** Something else is at the store's path. A full disk or a lock is temporary and does not count. */
const cannotOpen = (error: unknown): boolean => {
  const trouble = troubleOf(error)
  return trouble === 'unreadable' || trouble === 'damaged' || inTheWay.has((error as NodeJS.ErrnoException).code ?? '')
}

const shownPaths = 10

function undoneWords(gist: string, direction: Direction, paths: readonly string[]): { text: string; forUser: string } {
  const verb = direction === 'undo' ? 'took back' : 'brought back'
  const more = paths.length > shownPaths ? ` and ${paths.length - shownPaths} more` : ''
  const what = `what “${gist}” did to ${paths.slice(0, shownPaths).join(', ')}${more}`
  return {
    text: `The user ${verb} ${what}. Read files again before you rely on them.`,
    forUser: `You ${direction === 'undo' ? 'undid' : 'redid'} ${what}`,
  }
}
