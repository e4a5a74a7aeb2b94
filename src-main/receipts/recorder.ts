import { realpathSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { ReceiptsEvent } from '../../src-preload/contract/receipts'
import type { Logger } from '../log'
import type { ProcessTable } from '../nodes/process-table'
import { troubleOf } from '../storage/storage-error'
import { leftRunning } from './left-running'
import { maxListed } from './limits'
import { limitNotes } from './notes'
import type { Interval, WorkspaceRecord } from './record'
import { type ReceiptHead, type ReceiptRows, summaryOf } from './rows'

/** A call that is about to run. */
export interface RecordedCall {
  callId: string
  sessionId: string
  node: string
  workspace: string
  /** One line. */
  gist: string
  /** The absolute paths that it may change; `null` for a command, which may change anything. */
  paths: readonly string[] | null
  /** Files and folders outside the workspace that a command may also change. */
  beyond?: readonly string[]
}

/** Follows calls from their start to the end of what they started, and writes their receipts. */
export interface Recorder {
  /** A call may soon run in this folder: does as much of the first look as possible now. */
  prepare(place: Pick<RecordedCall, 'workspace' | 'node'>): void
  /** Call this before a call runs, and call the function it returns when the call has ended, however it ended. */
  begin(call: RecordedCall): Promise<() => void>
  /** Looks again at what a call left running. */
  refresh(callId: string): void
  /** Settles when every call that has ended is recorded. */
  settled(): Promise<void>
  /** Finishes open receipts. Processes should have ended by then. */
  close(): Promise<void>
}

export interface RecorderDeps {
  rows: ReceiptRows
  /** The state of a workspace, by its canonical path. */
  record(root: string): WorkspaceRecord
  table: Pick<ProcessTable, 'ofCall' | 'wait' | 'onExit'>
  /** Only files on this machine can be looked at. */
  isLocal(node: string): boolean
  publish(event: ReceiptsEvent): void
  /** Called when something could not be recorded; true if another try makes sense. */
  renew(error: unknown): boolean
  /** Called when a receipt is finished. */
  concluded(): void
  log: Logger
  now(): number
}

/** A call whose receipt is not finished. */
interface Open {
  call: RecordedCall
  root: string
  at: number
  record: WorkspaceRecord
  interval: Interval
  published: boolean
}

/** A killed command may need a moment to end. */
const dyingMs = 3_000
/** How old a list of processes may be when a receipt is looked at again later. */
const sharedMs = 500
/** Servers open their ports some time after they were started. */
const lookAgainMs = [1_000, 3_000, 10_000, 30_000]

export function createRecorder({ rows, table, publish, log, now, ...deps }: RecorderDeps): Recorder {
  /** By id of a process that continues in the background. */
  const background = new Map<string, Open>()
  const pending = new Set<Promise<void>>()
  const timers = new Set<NodeJS.Timeout>()
  const prepared = new Set<string>()

  const rootOf = ({ workspace, node }: Pick<RecordedCall, 'workspace' | 'node'>): string | null => {
    if (!deps.isLocal(node)) return null
    try {
      return realpathSync(workspace)
    } catch {
      return null // Without a folder there is nothing to record.
    }
  }

  const track = (work: Promise<void>): void => {
    const done = work
      .catch((error: unknown) => log.error('Could not record what a call did', { error }))
      .finally(() => pending.delete(done))
    pending.add(done)
  }

  const processesOf = ({ callId }: Pick<RecordedCall, 'callId'>): ProcessInfo[] => table.ofCall(callId)

  const save = (
    { call, root, at, interval, published }: Open,
    state: ReceiptHead['state'],
    since = performance.now(),
  ): boolean => {
    const { callId, sessionId, gist } = call
    const files = [...interval.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
    const listed = files.slice(0, maxListed)
    const notes = [...interval.notes, ...limitNotes(files)]
    const head: ReceiptHead = {
      callId,
      sessionId,
      workspace: root,
      gist,
      at,
      state,
      notes,
      ...leftRunning(processesOf(call), since),
    }
    if (state === 'done' && files.length === 0 && head.processes.length === 0 && notes.length === 0) {
      rows.remove(callId)
      if (published) publish({ type: 'receipt-removed', callId })
      return false
    }
    rows.save(head, listed)
    publish({ type: 'receipt', receipt: summaryOf(head, listed) })
    return head.processes.length > 0
  }

  const refresh = (callId: string): void => {
    const found = rows.find(callId)
    if (!found) return
    const { processes, ports } = found.head
    const left = leftRunning(processesOf(found.head), performance.now() - sharedMs)
    if (JSON.stringify(left) === JSON.stringify({ processes, ports })) return
    const head = { ...found.head, ...left }
    rows.save(head, found.files)
    publish({ type: 'receipt', receipt: summaryOf(head, found.files) })
  }

  /** An incomplete receipt must not make a call fail. */
  const refreshSafely = (callId: string): void => {
    try {
      refresh(callId)
    } catch (error) {
      log.warn('Could not look again at what a call left running', { error })
    }
  }

  const refreshLater = (callId: string): void => {
    for (const ms of lookAgainMs) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        refreshSafely(callId)
      }, ms)
      timers.add(timer.unref())
    }
  }

  const conclude = async (open: Open): Promise<void> => {
    const ended = performance.now()
    try {
      await open.record.close(open.interval)
    } catch (error) {
      deps.renew(error)
      log.warn('Could not look at the workspace after a call', { error })
      open.interval.notes.add(notRecorded(error))
    }
    if (save(open, 'done', ended)) refreshLater(open.call.callId)
    deps.concluded()
  }

  const finish = async (open: Open): Promise<void> => {
    const running = processesOf(open.call).filter(({ status }) => status === 'running')
    const goesOn = running.filter((process) => process.background)
    if (goesOn.length === 0) {
      await Promise.all(running.map(({ id }) => table.wait(id, dyingMs)))
      return conclude(open)
    }
    await open.record.look()
    open.interval.background = true
    for (const { id } of goesOn) background.set(id, open)
    save(open, 'open', performance.now() - sharedMs)
    open.published = true
    refreshLater(open.call.callId)
    // Nobody was notified of processes that ended during the look.
    for (const { id, status } of processesOf(open.call)) if (status !== 'running') ended(id)
  }

  const ended = (processId: string): void => {
    const open = background.get(processId)
    background.delete(processId)
    if (open && ![...background.values()].includes(open)) track(conclude(open))
  }
  const stopListening = table.onExit(({ id }) => ended(id))

  const tellNotRecorded = (head: ReceiptHead): void => {
    publish({ type: 'receipt', receipt: summaryOf(head, []) })
    try {
      rows.save(head, [])
    } catch (error) {
      log.warn('Could not save that a call was not recorded', { error })
    }
  }

  const settled = async (): Promise<void> => {
    while (pending.size > 0) await Promise.all(pending)
  }

  return {
    refresh: refreshSafely,
    settled,
    prepare(place) {
      const root = rootOf(place)
      if (root === null || prepared.has(root)) return
      prepared.add(root)
      track(Promise.resolve().then(() => deps.record(root).prepare()))
    },
    async begin(call) {
      const root = rootOf(call)
      if (root === null) return () => {}
      prepared.add(root)
      const { paths, notes } = within(root, call)
      const interval: Interval = { paths, background: false, files: new Map(), notes: new Set(notes) }
      const { callId, sessionId, gist } = call
      const at = now()
      const head: ReceiptHead = {
        callId,
        sessionId,
        workspace: root,
        gist,
        at,
        state: 'open',
        notes,
        processes: [],
        ports: [],
      }
      const look = async (): Promise<WorkspaceRecord> => {
        const record = deps.record(root)
        await record.open(interval)
        return record
      }
      try {
        const record = await look().catch((error: unknown) => {
          if (!deps.renew(error)) throw error
          return look()
        })
        rows.save(head, [])
        return () => track(finish({ call, root, at, record, interval, published: false }))
      } catch (error) {
        // A problem with a receipt must not stop the user's work; but the receipt says what cannot be undone.
        log.warn('Could not look at the workspace before a call', { error })
        tellNotRecorded({ ...head, state: 'done', notes: [...notes, notRecorded(error)] })
        return () => {}
      }
    },
    async close() {
      stopListening()
      for (const timer of timers) clearTimeout(timer)
      for (const id of [...background.keys()]) ended(id)
      await settled()
    },
  }
}

const notRecorded = (error: unknown): string => {
  const trouble = troubleOf(error)
  const why =
    trouble === 'full' ? ': the disk is full' : trouble === 'locked' ? ': another program has locked them' : ''
  return `This call cannot be undone. The contents of files could not be kept${why}.`
}

/** The paths of a call relative to the workspace; paths outside are only noted as such. */
function within(
  root: string,
  { paths, workspace, beyond = [] }: RecordedCall,
): { paths: string[] | null; notes: string[] } {
  if (!paths) return { paths: null, notes: beyondNotes(beyond) }
  const notes: string[] = []
  const inner: string[] = []
  for (const path of paths) {
    const found = [root, workspace].map((base) => relative(base, path)).find((each) => !isOutside(each))
    if (found) inner.push(found)
    else notes.push(`${path} is outside the workspace: it was not recorded.`)
  }
  return { paths: inner, notes }
}

const beyondNotes = ([first, ...more]: readonly string[]): string[] => {
  if (first === undefined) return []
  const what = more.length > 0 ? `${first} and ${more.length} more are` : `${first} is`
  return [`${what} outside the workspace: what the command did there was not recorded.`]
}

const isOutside = (path: string): boolean => path === '' || path.startsWith('..') || isAbsolute(path)
