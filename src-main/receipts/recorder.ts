import { realpathSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import type { ReceiptsEvent } from '../../src-preload/contract/receipts'
import type { Logger } from '../log'
import type { ProcessTable } from '../nodes/process-table'
import { troubleOf } from '../storage/storage-error'
import { trackWork } from '../track-work'
import { addCopied } from './copied-files'
import type { Copies } from './copies'
import { createReceiptWriter, type OpenReceipt, type RecordedCall, sharedMs } from './receipt-writer'
import type { ReceiptHead, ReceiptRows } from './rows'
import type { Interval, WorkspaceRecord } from './workspace-record'

/** Follows calls from their start to the end of what they started, and writes their receipts. */
export interface Recorder {
  /** Call this when a call may soon run in this folder: does as much of the first look as possible in advance. */
  prepare(place: Pick<RecordedCall, 'workspace' | 'node'>): void
  /** Call this before a call runs, and call the function it returns when the call has ended, however it ended. */
  begin(call: RecordedCall): Promise<() => void>
  /**
   * Records changes in a folder outside the recorded calls. The returned function looks for the last time; if something
   * has changed, it passes the paths to its callback, which returns the id of the call to write the receipt for.
   */
  beginRest(place: RestPlace): Promise<EndRest>
  /** Looks again at what a call left running. */
  refresh(callId: string): void
  /** Settles when every call that has ended is recorded. */
  settled(): Promise<void>
  /** Finishes open receipts. Processes should have ended by then. */
  close(): Promise<void>
}

type RestPlace = Pick<RecordedCall, 'sessionId' | 'workspace' | 'gist'>
/** `tell` gets the changed paths and returns the id of their call; without it nothing is written. */
export type EndRest = (tell: ((paths: readonly string[]) => string) | null) => Promise<void>

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
  copies: Copies
  /** Called when a receipt is finished. */
  concluded(): void
  log: Logger
  now(): number
}

/** A killed command may need a moment to end. */
const dyingMs = 3_000

export function createRecorder({ rows, table, publish, log, now, ...deps }: RecorderDeps): Recorder {
  /** By id of a process that continues in the background. */
  const background = new Map<string, OpenReceipt>()
  const pending = trackWork((error) => log.error('Could not record what a call did', { error }))
  const prepared = new Set<string>()

  const writer = createReceiptWriter({ rows, table, publish, log })

  const conclude = async (open: OpenReceipt): Promise<void> => {
    const ended = performance.now()
    try {
      await open.record.close(open.interval)
    } catch (error) {
      deps.renew(error)
      log.warn('Could not look at the workspace after a call', { error })
      open.interval.notes.add(notRecorded(error))
    }
    if (open.call.copy) await addCopied(open.interval, open.root, open.call.callId, open.call.copy, deps.copies)
    if (writer.save(open, 'done', ended)) writer.refreshLater(open.call.callId)
    deps.concluded()
  }

  const finish = async (open: OpenReceipt): Promise<void> => {
    const running = table.ofCall(open.call.callId).filter(({ status }) => status === 'running')
    const goesOn = running.filter((process) => process.background)
    if (goesOn.length === 0) {
      await Promise.all(running.map(({ id }) => table.wait(id, dyingMs)))
      return conclude(open)
    }
    await open.record.look()
    open.interval.background = true
    for (const { id } of goesOn) background.set(id, open)
    writer.save(open, 'open', performance.now() - sharedMs)
    open.published = true
    writer.refreshLater(open.call.callId)
    // Processes that ended during the look were not registered yet, so their end was missed.
    for (const { id, status } of table.ofCall(open.call.callId)) if (status !== 'running') ended(id)
  }

  const ended = (processId: string): void => {
    const open = background.get(processId)
    background.delete(processId)
    if (open && ![...background.values()].includes(open)) pending.add(conclude(open))
  }
  const stopListening = table.onExit(({ id }) => ended(id))

  return {
    refresh: writer.refresh,
    settled: pending.settled,
    prepare(place) {
      const root = rootOf(place, deps.isLocal)
      if (root === null || prepared.has(root)) return
      prepared.add(root)
      pending.add(Promise.resolve().then(() => deps.record(root).prepare()))
    },
    async begin(call) {
      const root = rootOf(call, deps.isLocal)
      if (root === null) return () => {}
      prepared.add(root)
      const { paths, notes } = within(root, call)
      const interval: Interval = { paths, background: false, files: new Map(), notes: new Set(notes) }
      const at = now()
      const head = openHead(call, root, at, notes)
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
        return () => pending.add(finish({ call, root, at, record, interval, published: false }))
      } catch (error) {
        // A problem with a receipt must not stop the user's work; but the receipt says what cannot be undone.
        log.warn('Could not look at the workspace before a call', { error })
        writer.saveNotRecorded({ ...head, state: 'done', notes: [...notes, notRecorded(error)] })
        return () => {}
      }
    },
    beginRest: (place) => beginRest(place, { ...deps, log, now, save: writer.save }),
    async close() {
      stopListening()
      writer.close()
      for (const id of [...background.keys()]) ended(id)
      await pending.settled()
    },
  }
}

/** The canonical folder; null if there is none that can be looked at. */
const rootOf = (
  { workspace, node }: Pick<RecordedCall, 'workspace' | 'node'>,
  isLocal: (node: string) => boolean,
): string | null => {
  if (!isLocal(node)) return null
  try {
    return realpathSync.native(workspace)
  } catch {
    return null // Without a folder there is nothing to record.
  }
}

interface RestDeps extends Pick<RecorderDeps, 'record' | 'isLocal' | 'renew' | 'concluded' | 'log' | 'now'> {
  save: ReturnType<typeof createReceiptWriter>['save']
}

async function beginRest(
  { sessionId, workspace, gist }: RestPlace,
  { log, now, save, ...deps }: RestDeps,
): Promise<EndRest> {
  const root = rootOf({ workspace, node: 'local' }, deps.isLocal)
  if (root === null) return async () => {}
  const interval: Interval = { paths: null, background: false, rest: true, files: new Map(), notes: new Set() }
  const at = now()
  try {
    const record = deps.record(root)
    await record.open(interval)
    return async (tell) => {
      const ended = performance.now()
      await record.close(interval).catch((error: unknown) => {
        deps.renew(error)
        log.warn('Could not look at the workspace after a turn', { error })
      })
      if (interval.files.size === 0 || !tell) return
      interval.notes.add(restNote)
      const call = {
        callId: tell([...interval.files.keys()].sort()),
        sessionId,
        gist,
        workspace,
        node: 'local',
        paths: null,
      }
      save({ call, root, at, record, interval, published: false }, 'done', ended)
      deps.concluded()
    }
  } catch (error) {
    deps.renew(error)
    log.warn('Could not look at the workspace before a turn', { error })
    return async () => {}
  }
}

/** The receipt of a call that has just begun. */
const openHead = (
  { callId, sessionId, gist }: RecordedCall,
  root: string,
  at: number,
  notes: string[],
): ReceiptHead => ({
  callId,
  sessionId,
  workspace: root,
  gist,
  at,
  state: 'open',
  notes,
  processes: [],
  ports: [],
})

const restNote = 'Anything else that changed in the folder meanwhile is listed here too.'

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
