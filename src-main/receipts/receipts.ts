import { realpathSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import type { FileDiff, ProcessInfo } from '../../src-preload/contract/protocol'
import type {
  KeptSize,
  Receipt,
  ReceiptFile,
  ReceiptSummary,
  ReceiptsEvent,
  UndoResult,
  UndoStep,
} from '../../src-preload/contract/receipts'
import type { Database } from '../database'
import type { Logger } from '../log'
import type { ProcessTable } from '../nodes/process-table'
import { type ImageStore, openImageStore } from './image-store'
import { leftRunning } from './left-running'
import {
  holdsHome,
  homeLimits,
  keptDays,
  type Limits,
  maxListed,
  maxStoredBytes,
  sealedFolders,
  usualLimits,
} from './limits'
import { limitNotes } from './notes'
import { createRecord, type Interval, type WorkspaceRecord } from './record'
import { createReceiptRows, type ReceiptHead, receiptOf, summaryOf } from './rows'
import { bring, type Direction, preview, receiptDiff, stepsOf, type UndoDeps } from './undo'
import { createWatch } from './watch'

/** A call that is about to run. */
export interface Deed {
  callId: string
  sessionId: string
  workspace: string
  /** One line. */
  gist: string
  /** The absolute paths that it may change; `null` for a command, which may change anything. */
  paths: readonly string[] | null
  node: string
}

/** Records what calls do to files and leave running, and takes it back. */
export interface Receipts {
  /** A call may soon want to run in this folder: what can be looked at before it does is looked at now. */
  prepare(place: Pick<Deed, 'workspace' | 'node'>): void
  /** Before a call runs. What comes back is to be called when it has ended, in whatever way. */
  begin(deed: Deed): Promise<() => void>
  /** Of a session, oldest first. */
  list(sessionId: string): ReceiptSummary[]
  get(callId: string): Receipt | null
  diff(callId: string, path: string): FileDiff
  preview(callId: string, direction: Direction, paths?: readonly string[]): Promise<UndoStep[]>
  undo(callId: string, direction: Direction, force: boolean, paths?: readonly string[]): Promise<UndoResult>
  kept(): KeptSize
  forget(): KeptSize
  /** Drops what is old, too much, or of sessions that are gone. */
  sweep(): void
  /** When every call that has ended is recorded. */
  settled(): Promise<void>
  close(): Promise<void>
}

export interface ReceiptsDeps {
  /** Where contents are kept. */
  folder: string
  /** The app's own folder, which is never looked into. */
  dataDir: string
  home: string
  database: Database
  /** The name of this process in rows, and whether the process of another name still runs. */
  owner: string
  isAlive(owner: string): boolean
  table: Pick<ProcessTable, 'list' | 'wait' | 'onExit'>
  /** Only files of this machine can be looked at. */
  isLocal(node: string): boolean
  isSecret(path: string): boolean
  publish(event: ReceiptsEvent): void
  /** The user took something back: the agent should know. */
  tell(sessionId: string, text: string): void
  log: Logger
  limits?: Partial<Limits>
  now?: () => number
}

interface Open {
  deed: Deed
  root: string
  at: number
  interval: Interval
  published: boolean
}

/** A killed command may take a moment to die. */
const dyingMs = 3_000
/** Servers open their ports a while after they were started. */
const lookAgainMs = [1_000, 3_000, 10_000, 30_000]

export function createReceipts(deps: ReceiptsDeps): Receipts {
  const { database, table, publish, log, now = Date.now } = deps
  const rows = createReceiptRows(database, deps.owner, deps.isAlive)
  const records = new Map<string, WorkspaceRecord>()
  /** By id of a process that goes on in the background. */
  const background = new Map<string, Open>()
  const pending = new Set<Promise<void>>()
  const timers = new Set<NodeJS.Timeout>()
  let opened: ImageStore | null = null

  const store = (): ImageStore => {
    opened ??= openImageStore(deps.folder, now)
    return opened
  }

  const limitsOf = (root: string): Limits => ({
    ...(holdsHome(root, deps.home) ? homeLimits : usualLimits),
    ...deps.limits,
  })

  const rootOf = ({ workspace, node }: Pick<Deed, 'workspace' | 'node'>): string | null => {
    if (!deps.isLocal(node)) return null
    try {
      return realpathSync(workspace)
    } catch {
      return null // There is nothing to record where there is no folder.
    }
  }

  const recordOf = (root: string): WorkspaceRecord => {
    const known = records.get(root)
    if (known) return known
    const isSealed = sealedFolders(root, deps.home, deps.dataDir)
    const isSecret = (path: string): boolean => deps.isSecret(`${root}/${path}`)
    const made = createRecord(createWatch({ root, store: store(), limits: limitsOf(root), isSealed, isSecret, now }))
    records.set(root, made)
    return made
  }

  const track = (work: Promise<void>): void => {
    const done = work
      .catch((error: unknown) => log.error('Could not record what a call did', { error }))
      .finally(() => pending.delete(done))
    pending.add(done)
  }

  const processesOf = ({ sessionId, callId }: { sessionId: string; callId: string }): ProcessInfo[] =>
    table.list(sessionId).filter((process) => process.callId === callId)

  const headOf = (open: Open, state: ReceiptHead['state']): ReceiptHead => {
    const { deed, interval } = open
    return {
      callId: deed.callId,
      sessionId: deed.sessionId,
      workspace: open.root,
      gist: deed.gist,
      at: open.at,
      state,
      ...leftRunning(processesOf(deed)),
      notes: [...interval.notes, ...limitNotes([...interval.files.values()])],
    }
  }

  const save = (open: Open, state: ReceiptHead['state']): void => {
    const { callId } = open.deed
    const files = [...open.interval.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, maxListed)
    const head = headOf(open, state)
    const nothing = files.length === 0 && head.processes.length === 0 && head.notes.length === 0
    if (nothing && state === 'done') {
      rows.remove(callId)
      if (open.published) publish({ type: 'receipt-removed', callId })
      return
    }
    rows.save(head, files)
    open.published = true
    publish({ type: 'receipt', receipt: summaryOf(head, files) })
    if (head.processes.length > 0) lookAgain(callId)
  }

  const refresh = (callId: string): void => {
    const found = rows.find(callId)
    if (!found) return
    const left = leftRunning(processesOf(found.head))
    if (JSON.stringify(left) === JSON.stringify({ processes: found.head.processes, ports: found.head.ports })) return
    const head = { ...found.head, ...left }
    rows.save(head, found.files)
    publish({ type: 'receipt', receipt: summaryOf(head, found.files) })
  }

  const lookAgain = (callId: string): void => {
    for (const ms of lookAgainMs) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        refresh(callId)
      }, ms)
      timers.add(timer.unref())
    }
  }

  const finish = async (open: Open): Promise<void> => {
    const running = processesOf(open.deed).filter(({ status }) => status === 'running')
    const record = recordOf(open.root)
    const goesOn = running.filter((process) => process.background)
    if (goesOn.length > 0) {
      await record.look()
      open.interval.background = true
      for (const { id } of goesOn) background.set(id, open)
      save(open, 'open')
      // It may have ended while we looked, when nobody listened yet.
      for (const { id } of goesOn)
        if (table.list(open.deed.sessionId).find((each) => each.id === id)?.endedAt) ended(id)
      return
    }
    await Promise.all(running.map(({ id }) => table.wait(id, dyingMs)))
    await record.close(open.interval)
    save(open, 'done')
  }

  const ended = (processId: string): void => {
    const open = background.get(processId)
    background.delete(processId)
    if (!open || [...background.values()].includes(open)) return
    track(
      recordOf(open.root)
        .close(open.interval)
        .then(() => save(open, 'done')),
    )
  }
  const stopListening = table.onExit(({ id }: ProcessInfo) => ended(id))

  const requireReceipt = (callId: string): { head: ReceiptHead; files: ReceiptFile[] } => {
    const found = rows.find(callId)
    if (!found) throw new Error('There is no record of this call any more.')
    return found
  }

  const pathsOf = (callId: string): string[] => requireReceipt(callId).files.map(({ path }) => path)

  const undoDeps = (root: string): UndoDeps => ({
    root: realpathSync(root),
    store: store(),
    maxFileBytes: limitsOf(root).maxFileBytes,
    isSecret: (path) => deps.isSecret(`${root}/${path}`),
  })

  const kept = (): KeptSize => ({ bytes: store().bytes(), limit: maxStoredBytes })

  return {
    prepare(place) {
      const root = rootOf(place)
      if (root !== null && !records.has(root)) track(recordOf(root).look())
    },
    async begin(deed) {
      const root = rootOf(deed)
      if (root === null) return () => {}
      const { paths, notes } = within(root, deed)
      const interval: Interval = { paths, background: false, files: new Map(), notes: new Set(notes) }
      const open: Open = { deed, root, at: now(), interval, published: false }
      try {
        await recordOf(root).open(interval)
        rows.save(headOf(open, 'open'), [])
      } catch (error) {
        // A disk that is full must not keep the user from working.
        log.error('Could not look at the workspace before a call', { error })
        return () => {}
      }
      return () => track(finish(open))
    },
    list(sessionId) {
      for (const { callId, processes } of rows.list(sessionId)) if (processes.length > 0) refresh(callId)
      return rows.list(sessionId)
    },
    get(callId) {
      const found = rows.find(callId)
      return found && receiptOf(found.head, found.files)
    },
    diff(callId, path) {
      const file = requireReceipt(callId).files.find((each) => each.path === path)
      if (!file) throw new Error(`The call did not change ${path}.`)
      return receiptDiff(store(), file)
    },
    preview(callId, direction, paths) {
      const { head, files } = requireReceipt(callId)
      return preview(undoDeps(head.workspace), stepsOf(files, direction, paths), direction)
    },
    undo(callId, direction, force, paths) {
      const { workspace } = requireReceipt(callId).head
      const undoing = undoDeps(workspace)
      return recordOf(undoing.root).aside(pathsOf(callId), async () => {
        const { head, files } = requireReceipt(callId)
        const done: string[] = []
        const left: UndoResult['left'] = []
        for (const file of stepsOf(files, direction, paths)) {
          const result = await bring(undoing, file, direction, force)
          if (typeof result === 'string') left.push({ path: file.path, problem: result })
          else {
            done.push(file.path)
            files[files.indexOf(file)] = result
            // Saved one by one: what is done stays known, whatever happens to the rest.
            rows.save(head, files)
          }
        }
        const receipt = receiptOf(head, files)
        if (done.length > 0) {
          publish({ type: 'receipt', receipt: summaryOf(head, files) })
          deps.tell(head.sessionId, undoneWords(head.gist, direction, done))
        }
        return { receipt, done, left }
      })
    },
    kept,
    forget() {
      store().forgetAll()
      records.clear()
      return kept()
    },
    sweep() {
      const before = now() - keptDays * 24 * 60 * 60 * 1000
      store().sweep({ inUse: rows.hashes(), before, maxBytes: maxStoredBytes })
    },
    settled: async () => {
      while (pending.size > 0) await Promise.all(pending)
    },
    async close() {
      stopListening()
      for (const timer of timers) clearTimeout(timer)
      for (const id of [...background.keys()]) ended(id)
      while (pending.size > 0) await Promise.all(pending)
      opened?.close()
      opened = null
    },
  }
}

/** The paths of a deed as the workspace knows them; of those outside it is only said that they are. */
function within(root: string, { paths, workspace }: Deed): { paths: string[] | null; notes: string[] } {
  const notes: string[] = []
  if (!paths) return { paths: null, notes }
  const inner: string[] = []
  for (const path of paths) {
    const found = [root, workspace].map((base) => relative(base, path)).find((each) => !isOutside(each))
    if (found) inner.push(found)
    else notes.push(`${path} is outside the workspace: it was not recorded.`)
  }
  return { paths: inner, notes }
}

const isOutside = (path: string): boolean => path === '' || path.startsWith('..') || isAbsolute(path)

const shownPaths = 10

function undoneWords(gist: string, direction: Direction, paths: readonly string[]): string {
  const deed = direction === 'undo' ? 'took back' : 'brought back'
  const more = paths.length > shownPaths ? ` and ${paths.length - shownPaths} more` : ''
  return `The user ${deed} what “${gist}” did to ${paths.slice(0, shownPaths).join(', ')}${more}. Read files again before you rely on them.`
}
