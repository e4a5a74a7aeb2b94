import { readFile, rm } from 'node:fs/promises'
import { z } from 'zod'
import type { FileDiff } from '../../src-preload/contract/protocol'
import type { PathAccess } from '../approval/types'
import { applyHunks } from './apply-hunks'
import { readText } from './edit'
import { fileDiff } from './file-diff'
import type { FileMemory } from './file-memory'
import { inputShape } from './input'
import { jsonContent } from './json-result'
import { type FilePatch, PatchError, parsePatch } from './patch'
import { accessTo, displayPath, resolvePath } from './paths'
import { encodeText, type TextEncoding } from './text-encoding'
import { type Tool, ToolFailure } from './tool'
import { statOrNull, writeWhole } from './write-file'

const shape = inputShape(z.object({ patch: z.string() }))

export interface ApplyPatchInput {
  patch: string
  files: FilePatch[]
}

/** A file on its way through the patch: `null` where it is not there. */
interface Version {
  text: string | null
  encoding: TextEncoding
}

interface Plan {
  /** By absolute path, in the order of the patch. */
  after: Map<string, Version>
  diffs: FileDiff[]
}

/** Changes to several files that happen together or not at all. */
export function createApplyPatchTool(memory: FileMemory, node: string): Tool<ApplyPatchInput> {
  return {
    description:
      'Change several files at once, all or none. Format: "*** Begin Patch", then per file "*** Add File: p" with + lines, "*** Delete File: p", or "*** Update File: p" (optionally "*** Move to: q") with hunks: "@@ line above" and lines starting with space, - or +; last "*** End Patch".',
    schema: shape.schema,
    parse(raw) {
      const { patch } = shape.parse(raw)
      return refusing('InvalidArgs', () => ({ patch, files: parsePatch(patch) }))
    },
    readOnly: false,
    access: ({ files }, { workspace }) =>
      accessTo(
        files.flatMap((file) => touched(file, workspace)),
        node,
        workspace,
      ),
    gist: ({ files }) => files.map(({ path }) => path).join(', '),
    preview: async ({ files }, { workspace }) => (await planPatch(files, workspace)).diffs,
    async run({ files }, { workspace, sessionId, checked }) {
      const plan = await planPatch(files, workspace)
      await carryOut(plan, checked)
      for (const path of plan.after.keys()) await memory.remember(sessionId, path)
      return {
        content: jsonContent({ files: plan.diffs.map(({ patch: _, ...file }) => file) }),
        display: { type: 'diff', files: plan.diffs },
      }
    },
  }
}

function touched(file: FilePatch, workspace: string): PathAccess[] {
  const path = resolvePath(file.path, workspace)
  if (file.kind === 'delete') return [{ path, access: 'delete' }]
  if (file.kind === 'add' || file.moveTo === null) return [{ path, access: 'write' }]
  return [
    { path, access: 'delete' },
    { path: resolvePath(file.moveTo, workspace), access: 'write' },
  ]
}

/** Works everything out without touching a file. */
async function planPatch(files: FilePatch[], workspace: string): Promise<Plan> {
  const plan: Plan = { after: new Map(), diffs: [] }
  const load = async (path: string): Promise<Version> => {
    const known = plan.after.get(path)
    if (known) return known
    return (await statOrNull(path)) ? readText(path) : { text: null, encoding: 'utf8' }
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
    const next = refusing('ExecutionFailed', () => applyHunks(file.path, text, file.hunks))
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

/** Writes before it deletes; when one step fails, those before it are undone. */
async function carryOut({ after }: Plan, checked: readonly string[] | undefined): Promise<void> {
  const steps = [...after].sort(([, a], [, b]) => Number(a.text === null) - Number(b.text === null))
  const undo: { path: string; restore: () => Promise<void> }[] = []
  try {
    for (const [path, { text, encoding }] of steps) {
      const original = (await statOrNull(path)) ? await readFile(path) : null
      undo.unshift({ path, restore: () => (original ? writeWhole(path, original) : rm(path, { force: true })) })
      if (text === null) await rm(path, { force: true })
      else await writeWhole(path, encodeText(text, encoding), checked)
    }
  } catch (error) {
    const outcomes = await Promise.allSettled(undo.map(({ restore }) => restore()))
    const stuck = undo.filter((_, index) => outcomes[index]?.status === 'rejected').map(({ path }) => path)
    if (stuck.length === 0) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new ToolFailure('ExecutionFailed', `${reason}; these files could not be put back: ${stuck.join(', ')}`)
  }
}

function refusing<T>(kind: 'InvalidArgs' | 'ExecutionFailed', work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof PatchError) throw new ToolFailure(kind, error.message)
    throw error
  }
}
