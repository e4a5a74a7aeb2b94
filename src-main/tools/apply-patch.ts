import { rm } from 'node:fs/promises'
import { z } from 'zod'
import type { PathAccess } from '../approval/types'
import type { FileMemory } from './file-memory'
import { inputShape } from './input'
import { jsonContent } from './json-result'
import { readWhole } from './open-file'
import { type FilePatch, parsePatch } from './patch'
import { carryOut, type PatchFiles, type PatchPlan, planPatch, refusing } from './patch-plan'
import { accessTo, resolvePath } from './paths'
import type { Tool, ToolResult } from './tool'
import { statOrNull, writeWhole } from './write-file'

const shape = inputShape(z.object({ patch: z.string() }))

export interface ApplyPatchInput {
  patch: string
  files: FilePatch[]
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
    preview: async ({ files }, { workspace }) => (await planPatch(files, workspace, localFiles())).diffs,
    async run({ files }, { workspace, sessionId, checked }) {
      const at = localFiles(checked)
      const plan = await planPatch(files, workspace, at)
      await carryOut(plan, at)
      for (const path of plan.after.keys()) await memory.remember(sessionId, path)
      return patchResult(plan)
    },
  }
}

export const patchResult = ({ diffs }: PatchPlan): ToolResult => ({
  content: jsonContent({ files: diffs.map(({ patch: _, ...file }) => file) }),
  display: { type: 'diff', files: diffs },
})

const localFiles = (checked?: readonly string[]): PatchFiles => ({
  read: async (path) => ((await statOrNull(path)) ? readWhole(path) : null),
  write: (path, data) => writeWhole(path, data, checked),
  remove: (path) => rm(path, { force: true }),
})

function touched(file: FilePatch, workspace: string): PathAccess[] {
  const path = resolvePath(file.path, workspace)
  if (file.kind === 'delete') return [{ path, access: 'delete' }]
  if (file.kind === 'add' || file.moveTo === null) return [{ path, access: 'write' }]
  return [
    { path, access: 'delete' },
    { path: resolvePath(file.moveTo, workspace), access: 'write' },
  ]
}
