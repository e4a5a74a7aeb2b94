import type { FileImage, ReceiptFile, ReceiptsEvent } from '../../src-preload/contract/receipts'
import type { Logger } from '../log'
import type { ProcessTable } from '../nodes/process-table'
import type { KeptCopy } from './copies'
import { reasons } from './image-diff'
import { leftRunning } from './left-running'
import { maxListed } from './limits'
import { type ReceiptHead, type ReceiptRows, summaryOf } from './rows'
import type { Interval, WorkspaceRecord } from './workspace-record'

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
  /** The copy that was taken before, at the user's request. */
  copy?: KeptCopy
}

/** A call whose receipt is not finished. */
export interface OpenReceipt {
  call: RecordedCall
  root: string
  at: number
  record: WorkspaceRecord
  interval: Interval
  published: boolean
}

interface ReceiptWriterDeps {
  rows: ReceiptRows
  table: Pick<ProcessTable, 'ofCall'>
  publish(event: ReceiptsEvent): void
  log: Logger
}

/** How old a list of processes may be when a receipt is looked at again later. */
export const sharedMs = 500
/** Servers open their ports some time after they were started. */
const lookAgainMs = [1_000, 3_000, 10_000, 30_000]

/** Saves and publishes receipts, and looks again at what calls have left running. */
export function createReceiptWriter({ rows, table, publish, log }: ReceiptWriterDeps) {
  const timers = new Set<NodeJS.Timeout>()

  /** Returns whether something of the call still runs. A finished receipt that says nothing is removed. */
  const save = (
    { call, root, at, interval, published }: OpenReceipt,
    state: ReceiptHead['state'],
    since = performance.now(),
  ): boolean => {
    const { callId, sessionId, gist } = call
    const files = [...interval.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
    // Copied files are all listed, so that all of them can be restored.
    const listed = files.slice(0, maxListed + (call.copy?.size ?? 0))
    const notes = [...interval.notes, ...limitNotes(files)]
    const copied = [...(call.copy?.values() ?? [])].filter(({ kind }) => kind !== 'folder').length
    const head: ReceiptHead = {
      ...(copied > 0 && { copied }),
      callId,
      sessionId,
      workspace: root,
      gist,
      at,
      state,
      notes,
      ...leftRunning(table.ofCall(callId), since),
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
    const left = leftRunning(table.ofCall(callId), performance.now() - sharedMs)
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

  const saveNotRecorded = (head: ReceiptHead): void => {
    publish({ type: 'receipt', receipt: summaryOf(head, []) })
    try {
      rows.save(head, [])
    } catch (error) {
      log.warn('Could not save that a call was not recorded', { error })
    }
  }

  return {
    save,
    refresh: refreshSafely,
    refreshLater,
    saveNotRecorded,
    close: (): void => {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** Which of these changes cannot be undone, and why, in whole sentences. */
function limitNotes(files: readonly ReceiptFile[]): string[] {
  const notes: string[] = []
  if (files.length > maxListed)
    notes.push(`${number(files.length)} files changed: only the first ${number(maxListed)} are listed.`)
  const unkept = new Map<NonNullable<FileImage['unkept']>, ReceiptFile[]>()
  for (const file of files) {
    const why = file.before?.unkept ?? file.after?.unkept
    if (why) unkept.set(why, [...(unkept.get(why) ?? []), file])
  }
  for (const [why, list] of unkept) notes.push(unkeptNote(why, list))
  if (files.some(({ shared }) => shared))
    notes.push(
      'Something else was changing files at the same time. Files it may have changed can only be undone one by one.',
    )
  return notes
}

function unkeptNote(why: NonNullable<FileImage['unkept']>, files: readonly ReceiptFile[]): string {
  const [first] = files
  const size = why === 'large' && first ? ` of ${megabytes(first)}` : ''
  const what = files.length === 1 && first ? `${first.path}${size} was` : `${number(files.length)} files were`
  return `${what} not kept (${reasons[why]}), so this change cannot be undone.`
}

const megabytes = ({ before, after }: ReceiptFile): string =>
  `${number(Math.ceil(Math.max(before?.size ?? 0, after?.size ?? 0) / 1024 / 1024))} MB`

const number = (value: number): string => value.toLocaleString('en')
