import type { ReceiptFile, ReceiptSummary, UndoProblem } from '../../src-preload/contract/receipts'
import type { RewindChoice, RewindProblem, RewindStep } from '../../src-preload/contract/rewind'
import { bring, preview, stepsOf, type UndoDeps } from './undo'
import { isSameImage } from './watch'

/** What the calls since a moment did to one path, taken together. */
interface PathBack {
  /** `before`: as it was at that moment. `after`: as the last of the calls left it. */
  file: ReceiptFile
  /** The calls that changed it, oldest first. */
  calls: string[]
  problem: Extract<RewindProblem, 'changed-between' | 'shared'> | null
}

/** A file that went back, with what was there before that. */
export interface WentBack {
  workspace: string
  /** `before`: as it was when the user went back. `after`: as it is since. */
  file: ReceiptFile
  calls: string[]
}

/** Paths of one workspace that have to change for it to be as it was before the oldest of these receipts. */
export function pathsBack(receipts: readonly { callId: string; files: readonly ReceiptFile[] }[]): PathBack[] {
  const found = new Map<string, PathBack>()
  for (const { callId, files } of receipts) {
    for (const { path, before, after, shared, undone } of files) {
      if (undone) continue
      const known = found.get(path)
      const between = known && !isSameImage(known.file.after, before)
      found.set(path, {
        file: { path, before: known ? known.file.before : before, after },
        calls: [...(known?.calls ?? []), callId],
        problem:
          between || known?.problem === 'changed-between'
            ? 'changed-between'
            : shared
              ? 'shared'
              : (known?.problem ?? null),
      })
    }
  }
  return [...found.values()].filter(({ file: { before, after } }) => !isSameImage(before, after) || before?.unkept)
}

const inOrder = (paths: readonly PathBack[]): PathBack[] => {
  const byPath = new Map(paths.map((each) => [each.file.path, each]))
  const all = [...byPath.keys()]
  return stepsOf(
    paths.map(({ file }) => file),
    'undo',
    all,
  ).flatMap(({ path }) => byPath.get(path) ?? [])
}

/** What going back would do to each path now, and what prevents it. */
export async function previewBack(
  deps: UndoDeps,
  workspace: string,
  paths: readonly PathBack[],
): Promise<RewindStep[]> {
  const ordered = inOrder(paths)
  const steps = await preview(
    deps,
    ordered.map(({ file }) => file),
    'undo',
  )
  return steps.map((step, at): RewindStep => {
    const problem = ordered[at]?.problem
    if (step.problem || !problem) return { workspace, ...step }
    return { workspace, ...step, problem, canForce: true }
  })
}

export interface BackResult {
  done: WentBack[]
  left: { path: string; problem: RewindProblem }[]
}

/** Takes each path back. Paths that something else has changed too are included only if the user chose them. */
export async function bringBack(
  deps: UndoDeps,
  workspace: string,
  paths: readonly PathBack[],
  forced: readonly RewindChoice[],
): Promise<BackResult> {
  const isForced = (path: string) => forced.some((choice) => choice.workspace === workspace && choice.path === path)
  const result: BackResult = { done: [], left: [] }
  for (const { file, calls, problem } of inOrder(paths)) {
    const { path } = file
    const force = isForced(path)
    if (problem && !force) {
      result.left.push({ path, problem })
      continue
    }
    const [seen] = force ? await preview(deps, [file], 'undo') : []
    const brought = await bring(deps, file, 'undo', force)
    if (typeof brought === 'string') {
      result.left.push({ path, problem: brought })
      continue
    }
    // If the file was changed after the last call, the later content is what was there (nothing, if it was deleted).
    const was = seen?.problem === 'changed-since' ? (brought.undone?.gaveUp ?? null) : file.after
    result.done.push({ workspace, file: { path, before: was, after: file.before }, calls })
  }
  return result
}

/** The reverse: files become what they were before the user went back, unless they were changed since. */
export async function bringForward(
  deps: UndoDeps,
  files: readonly WentBack[],
): Promise<{ done: WentBack[]; left: { path: string; problem: UndoProblem }[] }> {
  const byPath = new Map(files.map((each) => [each.file.path, each]))
  const done: WentBack[] = []
  const left: { path: string; problem: UndoProblem }[] = []
  const ordered = stepsOf(
    files.map(({ file }) => file),
    'undo',
    [...byPath.keys()],
  )
  for (const file of ordered) {
    const brought = await bring(deps, file, 'undo', false)
    const each = byPath.get(file.path)
    if (typeof brought === 'string') left.push({ path: file.path, problem: brought })
    else if (each) done.push(each)
  }
  return { done, left }
}

/** What cannot be brought back, in whole sentences. */
export function staysOf(since: readonly ReceiptSummary[], before: readonly ReceiptSummary[]): string[] {
  const sentences: string[] = []
  for (const { gist, state } of [...before.filter((each) => each.state === 'open'), ...since]) {
    if (state === 'open') sentences.push(`“${gist}” is still running. What it changes stays; stop it first.`)
    if (state === 'incomplete') sentences.push(`Deckhand closed before it could check what “${gist}” changed.`)
  }
  for (const { gist, processes } of since)
    if (processes.length > 0) sentences.push(`What “${gist}” left running keeps running.`)
  return [...new Set([...sentences, ...since.flatMap(({ notes }) => notes)])]
}
