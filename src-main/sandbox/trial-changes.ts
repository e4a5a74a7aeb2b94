import { dirname } from 'node:path'
import type { FileDiff } from '../../src-preload/contract/file-diff'
import { protectedReason } from '../approval/paths/protected-paths'
import type { Change } from '../changes/diff'
import { hashOf } from '../changes/put'
import type { EntryKind } from '../changes/scan'
import { imageDiff } from '../receipts/image-diff'
import { isAsBefore } from './apply'
import { imageAt, TooLarge, type View } from './view'

/** Limit on the files whose diffs the card shows. */
const mostShown = 100
const mostPatchChars = 400_000
/** Larger files are not held in memory to be applied. */
const largestFile = 64 * 1024 * 1024
/** File timestamps may lag behind the clock by this much. */
const clockLagMs = 12

/** What a trial has changed, without files that it only touched. */
export async function realChanges(view: View, workspace: string): Promise<Change[]> {
  try {
    const changes: Change[] = []
    for (const change of await view.changes())
      if (!change.before || !change.after || !(await isUntouched(workspace, view, change.path))) changes.push(change)
    return changes
  } catch (error) {
    if (error instanceof TooLarge) throw new Error(`${error.message}, so it cannot be shown.`)
    throw error
  }
}

async function isUntouched(workspace: string, view: View, path: string): Promise<boolean> {
  const [was, is] = [await imageAt(workspace, path), await view.image(path)]
  if (!was || !is || was.kind !== is.kind) return false
  if (was.kind === 'link' && is.kind === 'link') return was.target === is.target
  if (was.kind === 'file' && is.kind === 'file') return was.mode === is.mode && hashOf(was.data) === hashOf(is.data)
  return was.kind === 'folder' && is.kind === 'folder' && was.mode === is.mode
}

/** Why the changes cannot be applied, mostly because something else changed the same files meanwhile. */
export function obstacleTo(changes: readonly Change[], workspace: string, startedAt: number): string | null {
  const odd = changes.find(({ after }) => after?.kind === 'other')
  if (odd) return `It made ${odd.path}, which is neither a file nor a folder.`
  const large = changes.find(({ after }) => after?.kind === 'file' && after.size > largestFile)
  if (large) return `${large.path} is larger than ${largestFile / 2 ** 20} MB.`
  const meanwhile = changes.find(
    (change) =>
      !isAsBefore(change, workspace) ||
      (change.before && change.before.kind !== 'folder' && change.before.ctimeMs >= startedAt - clockLagMs),
  )
  return meanwhile ? `${meanwhile.path} changed while it ran.` : null
}

/** Whether they change files that make something run later by itself. */
export const touchesProtected = (changes: readonly Change[]): boolean =>
  changes.some(({ path }) => !isData(path) && protectedReason(`here/${path}`) !== null)

/** Internal files of a repository, whose diffs nobody reads. */
const isData = (path: string): boolean => /(?:^|\/)\.git(?:\/(?!hooks\/|config$)|$)/.test(path)

/** The diffs that fit on a card, and how many more there are. */
export async function diffsOf(
  changes: readonly Change[],
  view: View,
  workspace: string,
): Promise<{ files: FileDiff[]; more: number }> {
  const parents = new Set(changes.map(({ path }) => dirname(path)))
  // A folder shows through the files in it.
  const telling = changes.filter(
    ({ path, before, after }) => (after ?? before)?.kind !== 'folder' || !parents.has(path),
  )
  const files: FileDiff[] = []
  let chars = 0
  for (const { path, before, after } of telling.filter((change) => !isData(change.path))) {
    if (files.length >= mostShown || chars > mostPatchChars) break
    const diff = imageDiff(
      path,
      before && { ...before, kind: kindOf(before.kind), content: await imageAt(workspace, path) },
      after && { ...after, kind: kindOf(after.kind), content: await view.image(path) },
    )
    chars += diff.patch.length
    files.push(diff)
  }
  return { files, more: telling.length - files.length }
}

const kindOf = (kind: EntryKind): Exclude<EntryKind, 'other'> => (kind === 'other' ? 'file' : kind)
