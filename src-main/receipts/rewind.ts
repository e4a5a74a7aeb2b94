import { existsSync } from 'node:fs'
import type { ReceiptFile, ReceiptsEvent } from '../../src-preload/contract/receipts'
import type { RewindChoice, RewindStep } from '../../src-preload/contract/rewind'
import {
  type BackResult,
  bringBack,
  bringForward,
  pathsBack,
  previewBack,
  staysOf,
  type WentBack,
} from './rewind-paths'
import { type ReceiptRows, summaryOf } from './rows'
import type { createWorkspaceRecords } from './workspace-records'

/** Takes the files of a session back to an earlier moment, across many calls. */
export interface Rewind {
  /** What would change if the files went back to that moment, and what cannot be restored. */
  previewBack(sessionId: string, since: number): Promise<{ steps: RewindStep[]; stays: string[] }>
  /** Takes the files back to that moment; those in `forced` even if something else has changed them. */
  goBack(sessionId: string, since: number, forced: readonly RewindChoice[]): Promise<BackResult>
  /** Undoes `goBack`, except for files that were changed since. */
  goForward(files: readonly WentBack[]): Promise<Pick<BackResult, 'left'>>
}

interface RewindDeps {
  rows: ReceiptRows
  records: ReturnType<typeof createWorkspaceRecords>
  publish(event: ReceiptsEvent): void
  /** Tries once more with a new store of contents if the old one is unusable. */
  renewingLater<Result>(work: () => Promise<Result>): Promise<Result>
}

export function createRewind({ rows, records, publish, renewingLater }: RewindDeps): Rewind {
  /** What the calls of a session and its sub-agents have done since a moment, by workspace. */
  const since = (sessionId: string, moment: number): Map<string, { callId: string; files: ReceiptFile[] }[]> => {
    const done = rows.list(sessionId).filter(({ at, state }) => at >= moment && state === 'done')
    const whole = done.flatMap(({ callId, workspace }) => {
      const receipt = rows.find(callId)
      return receipt ? [{ callId, workspace, files: receipt.files }] : []
    })
    return Map.groupBy(whole, ({ workspace }) => workspace)
  }

  /** Marks files as undone, or as no longer undone, in the receipts of the calls that changed them. */
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

  return {
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
        if (existsSync(root))
          steps.push(...(await renewingLater(() => previewBack(records.undoDeps(root), root, paths))))
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
          records.of(root).aside(touched, () => bringBack(records.undoDeps(root), root, paths, forced)),
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
          records.of(root).aside(touched, () => bringForward(records.undoDeps(root), entries)),
        )
        mark(result.done, false)
        left.push(...result.left)
      }
      return { left }
    },
  }
}
