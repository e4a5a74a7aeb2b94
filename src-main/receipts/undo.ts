import type { FileDiff } from '../../src-preload/contract/file-diff'
import type { FileImage, ReceiptFile, UndoProblem, UndoStep } from '../../src-preload/contract/receipts'
import { hashOf, type Image, look, put } from '../changes/put'
import type { Entry } from '../changes/scan'
import { imageDiff, type Shown } from './image-diff'
import type { ImageStore } from './image-store'

export type Direction = 'undo' | 'redo'

export interface UndoDeps {
  /** The canonical workspace. */
  root: string
  store: Pick<ImageStore, 'keep' | 'read'>
  maxFileBytes: number
  isSecret(path: string): boolean
}

/** The files of an undo in a workable order: first removals, deepest paths first, then the rest, parents first. */
export function stepsOf(files: readonly ReceiptFile[], direction: Direction, paths?: readonly string[]): ReceiptFile[] {
  const wanted = paths && new Set(paths)
  const chosen = files.filter(
    (file) =>
      (direction === 'undo') === !file.undone &&
      (wanted ? wanted.has(file.path) : direction === 'redo' || !file.shared),
  )
  const goes = chosen.filter((file) => targetOf(file, direction) === null).sort((a, b) => (a.path < b.path ? 1 : -1))
  const comes = chosen.filter((file) => targetOf(file, direction) !== null).sort((a, b) => (a.path < b.path ? -1 : 1))
  return [...goes, ...comes]
}

const targetOf = (file: ReceiptFile, direction: Direction): FileImage | null =>
  direction === 'undo' ? file.before : (file.undone?.gaveUp ?? file.after)

const expectedOf = (file: ReceiptFile, direction: Direction): FileImage | null =>
  direction === 'undo' ? file.after : file.before

/** What would happen to each file now, and what prevents it. */
export async function preview(
  deps: UndoDeps,
  files: readonly ReceiptFile[],
  direction: Direction,
): Promise<UndoStep[]> {
  const steps: UndoStep[] = []
  for (const file of files) {
    const { path } = file
    const wanted = shownOf(deps.store, targetOf(file, direction))
    const now = await look(...placeOf(deps, path), largestOf(deps, file))
    if (now === 'no-way') {
      steps.push({ path, diff: imageDiff(path, null, wanted), problem: now })
      continue
    }
    const problem = problemOf(deps, file, direction, now)
    const forced = problem !== null && canForce(deps, path, direction, problem, now)
    const diff = imageDiff(path, now.entry && { ...now.entry, content: now.image }, wanted)
    steps.push({ path, diff, problem: problem ?? undefined, ...(forced && { canForce: true }) })
  }
  return steps
}

/**
 * Undoes or redoes the change of one file. With `force` also if the file was changed since, provided that its present
 * content can be kept for a redo. Returns the file as the receipt should now list it, or the problem.
 */
export async function bring(
  deps: UndoDeps,
  file: ReceiptFile,
  direction: Direction,
  force: boolean,
): Promise<ReceiptFile | UndoProblem> {
  const target = targetOf(file, direction)
  const image = target && imageOf(deps.store, target)
  if (target && !image) return 'not-kept'
  let gaveUp: FileImage | null = null
  let problem: UndoProblem | null = null
  const result = await put(...placeOf(deps, file.path), image, async (now) => {
    const present: Present = { entry: now.entry, image: await now.read(largestOf(deps, file)) }
    problem = problemOf(deps, file, direction, present)
    if (problem === null) return true
    if (!force || !canForce(deps, file.path, direction, problem, present)) return false
    gaveUp = present.image && keepImage(deps, present.image)
    problem = null
    return true
  })
  if (problem) return problem
  if (result === 'not-empty' || result === 'no-way') return result
  const { undone: _, ...bare } = file
  return direction === 'redo' ? bare : { ...bare, undone: gaveUp ? { gaveUp } : {} }
}

/** A copied file may be anywhere on the machine. */
const placeOf = ({ root }: UndoDeps, path: string): [root: string, path: string] =>
  path.startsWith('/') ? ['/', path.slice(1)] : [root, path]

/** A copied file may be larger than the limit of the workspace's record. */
const largestOf = ({ maxFileBytes }: UndoDeps, { before, after }: ReceiptFile): number =>
  Math.max(maxFileBytes, before?.size ?? 0, after?.size ?? 0)

interface Present {
  entry: Entry | null
  /** `null` also if it is too large to be read. */
  image: Image | null
}

function problemOf(deps: UndoDeps, file: ReceiptFile, direction: Direction, now: Present): UndoProblem | null {
  const target = targetOf(file, direction)
  const expected = expectedOf(file, direction)
  if (target && !imageOf(deps.store, target)) return 'not-kept'
  // The content that an undo would replace was not kept, so a redo could not restore it.
  if (expected?.unkept) return 'not-kept'
  if (!expected) return now.entry ? 'changed-since' : null
  return now.image && isImage(now.image, expected) ? null : 'changed-since'
}

/** Only for an undo, and only if the present content can be kept, so that nothing is lost for good. */
function canForce(
  { maxFileBytes, isSecret }: UndoDeps,
  path: string,
  direction: Direction,
  problem: UndoProblem,
  { entry, image }: Present,
): boolean {
  if (direction === 'redo' || problem !== 'changed-since') return false
  if (!entry || image?.kind === 'link') return true
  return image?.kind === 'file' && image.data.length <= maxFileBytes && !isSecret(path)
}

function isImage(present: Image, expected: FileImage): boolean {
  if (present.kind === 'link') return expected.kind === 'link' && expected.target === present.target
  if (present.kind !== expected.kind || present.mode !== expected.mode) return false
  return present.kind === 'folder' || hashOf(present.data) === expected.hash
}

/** `null` if its content was not kept. */
function imageOf(store: UndoDeps['store'], { kind, mode, hash, target, unkept }: FileImage): Image | null {
  if (unkept) return null
  if (kind === 'folder') return { kind, mode }
  if (kind === 'link') return target === undefined ? null : { kind, target }
  const data = kind === 'file' && hash !== undefined ? store.read(hash) : null
  return data && { kind: 'file', mode, data }
}

function keepImage({ store }: UndoDeps, image: Image): FileImage {
  switch (image.kind) {
    case 'link':
      return { kind: 'link', mode: 0o777, size: image.target.length, target: image.target }
    case 'folder':
      return { kind: 'folder', mode: image.mode, size: 0 }
    case 'file':
      return { kind: 'file', mode: image.mode, size: image.data.length, hash: store.keep(image.data) }
  }
}

const shownOf = (store: UndoDeps['store'], image: FileImage | null): Shown | null =>
  image && { ...image, content: imageOf(store, image) }

/** What a call did to a file. */
export const receiptDiff = (store: UndoDeps['store'], { path, before, after }: ReceiptFile): FileDiff =>
  imageDiff(path, shownOf(store, before), shownOf(store, after))
