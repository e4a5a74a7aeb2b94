import type { FileDiff } from '../../../src-preload/contract/file-diff'
import { fileDiff } from '../../changes/file-diff'
import { encodeText, type TextEncoding } from '../../changes/text-encoding'
import { ToolFailure } from '../tool'
import { applyHunks } from './apply-hunks'
import { asText } from './edit'
import { type FilePatch, PatchError } from './patch'
import { displayPath, resolvePath } from './paths'

/** Access to the files of a patch, on any machine. */
export interface PatchFiles {
  /** `null` if there is none. */
  read(path: string): Promise<Buffer | null>
  write(path: string, data: Buffer): Promise<void>
  remove(path: string): Promise<void>
}

/** The state of a file during the patch: `null` if it does not exist. */
interface Version {
  text: string | null
  encoding: TextEncoding
}

interface PatchPlan {
  /** By absolute path, in the order of the patch. */
  after: Map<string, Version>
  diffs: FileDiff[]
}

/** Computes all changes without touching a file. */
export async function planPatch(files: FilePatch[], workspace: string, at: PatchFiles): Promise<PatchPlan> {
  const plan: PatchPlan = { after: new Map(), diffs: [] }
  const load = async (path: string): Promise<Version> => {
    const known = plan.after.get(path)
    if (known) return known
    const data = await at.read(path)
    return data ? asText(path, data) : { text: null, encoding: 'utf8' }
  }
  const mustBeFree = async (path: string): Promise<void> => {
    if ((await load(path)).text !== null) throw new ToolFailure('InvalidPath', `It exists already: ${path}`)
  }

  for (const file of files) {
    const path = resolvePath(file.path, workspace)
    const shown = displayPath(path, workspace)
    if (file.kind === 'add') {
      await mustBeFree(path)
      plan.after.set(path, { text: file.text, encoding: 'utf8' })
      plan.diffs.push(fileDiff(shown, null, file.text))
      continue
    }
    const { text, encoding } = await load(path)
    if (text === null) throw new ToolFailure('FileNotFound', `No such file: ${path}`)
    if (file.kind === 'delete') {
      plan.after.set(path, { text: null, encoding })
      plan.diffs.push(fileDiff(shown, text, null))
      continue
    }
    const next = translatePatchErrors('ExecutionFailed', () => applyHunks(file.path, text, file.hunks))
    const target = file.moveTo === null ? path : resolvePath(file.moveTo, workspace)
    if (target !== path) {
      await mustBeFree(target)
      plan.after.set(path, { text: null, encoding })
    }
    plan.after.set(target, { text: next, encoding })
    plan.diffs.push(fileDiff(displayPath(target, workspace), text, next, target === path ? undefined : shown))
  }
  return plan
}

/** Writes before it deletes; if one step fails, those before it are undone. */
export async function carryOut({ after }: PatchPlan, at: PatchFiles): Promise<void> {
  const steps = [...after].sort(([, a], [, b]) => Number(a.text === null) - Number(b.text === null))
  const undo: { path: string; restore: () => Promise<void> }[] = []
  try {
    for (const [path, { text, encoding }] of steps) {
      const original = await at.read(path)
      undo.unshift({ path, restore: () => (original ? at.write(path, original) : at.remove(path)) })
      if (text === null) await at.remove(path)
      else await at.write(path, encodeText(text, encoding))
    }
  } catch (error) {
    const outcomes = await Promise.allSettled(undo.map(({ restore }) => restore()))
    const stuck = undo.filter((_, index) => outcomes[index]?.status === 'rejected').map(({ path }) => path)
    if (stuck.length === 0) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ToolFailure('ExecutionFailed', `${reason}; these files could not be put back: ${stuck.join(', ')}`)
  }
}

/** Turns a patch error into a failure that the model reads. */
export function translatePatchErrors<T>(kind: 'InvalidArgs' | 'ExecutionFailed', work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof PatchError) throw new ToolFailure(kind, error.message)
    throw error
  }
}
