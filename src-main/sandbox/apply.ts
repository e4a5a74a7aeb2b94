import { type Change, looksSame } from '../changes/diff'
import { put } from '../changes/put'
import { type Entry, entryAt } from '../changes/scan'
import type { View } from './view'

/** Part of the workspace has changed since the command was tried. */
class Conflict extends Error {
  constructor(readonly paths: readonly string[]) {
    const [first = '', ...more] = paths
    const others = more.length > 0 ? ` and ${more.length} more` : ''
    super(`${first}${others} changed after the trial, so its changes were not applied. Nothing was touched.`)
    this.name = 'Conflict'
  }
}

/**
 * Makes the workspace equal to the view. Checks everything before changing anything, and each path again when it is
 * changed.
 */
export async function applyChanges(changes: readonly Change[], view: View, workspace: string): Promise<void> {
  const conflicts = changes.filter((change) => !isAsBefore(change, workspace))
  if (conflicts.length > 0) throw new Conflict(conflicts.map(({ path }) => path))
  const gone = changes.filter(({ after }) => after === null).sort((a, b) => (a.path < b.path ? 1 : -1))
  const there = changes.filter(({ after }) => after !== null).sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path, before, after } of [...gone, ...there]) {
    const image = after && (await view.image(path))
    if (after && !image) throw new Error(`${path} could not be read from the trial. What came before it was applied.`)
    const result = await put(workspace, path, image, ({ entry }) => isSame(before, entry))
    if (result !== 'done') throw new Error(`${path} could not be changed. What came before it was applied.`)
  }
}

/** Whether the workspace still has at a path what the trial started from. */
export const isAsBefore = ({ path, before }: Change, workspace: string): boolean =>
  isSame(before, entryAt(`${workspace}/${path}`))

/** The times of the workspace's own folders change as files are put into them. */
const isSame = (before: Entry | null, now: Entry | null): boolean =>
  before === null || now === null ? before === now : looksSame(before, now)
