import { z } from 'zod'
import type { PathAccess } from '../../approval/types'
import type { NodeFiles } from '../../nodes/files/node-files'
import { clientFiles } from '../client/client-files'
import { inputShape } from '../input'
import { jsonContent } from '../json-result'
import type { ToolNode } from '../nodes/tool-node'
import type { Tool, ToolContext } from '../tool'
import { type FilePatch, parsePatch } from './patch'
import { carryOut, type PatchFiles, planPatch, translatePatchErrors } from './patch-plan'
import { accessTo, resolvePath } from './paths'

const shape = inputShape(() => z.object({ patch: z.string() }))

interface ApplyPatchInput {
  patch: string
  files: FilePatch[]
}

/** Applies changes to several files, all or none. */
export function createApplyPatchTool({ id, files: at, memory }: ToolNode): Tool<ApplyPatchInput> {
  return {
    description:
      'Change several files at once, all or none. Format: "*** Begin Patch", then per file "*** Add File: p" with + lines, "*** Delete File: p", or "*** Update File: p" (optionally "*** Move to: q") with hunks: "@@ line above" and lines starting with space, - or +; last "*** End Patch".',
    schema: shape.schema,
    parse(raw) {
      const { patch } = shape.parse(raw)
      return translatePatchErrors('InvalidArgs', () => ({ patch, files: parsePatch(patch) }))
    },
    readOnly: false,
    access: ({ files }, { workspace }) =>
      accessTo(
        files.flatMap((file) => touched(file, workspace)),
        id,
        workspace,
      ),
    gist: ({ files }) => files.map(({ path }) => path).join(', '),
    preview: async ({ files }, context) =>
      (await planPatch(files, context.workspace, patchFiles(clientFiles(at(), context), context))).diffs,
    async run({ files }, context) {
      const { workspace, sessionId } = context
      const patched = patchFiles(clientFiles(at(), context), context)
      const plan = await planPatch(files, workspace, patched)
      await carryOut(plan, patched)
      for (const path of plan.after.keys()) await memory?.remember(sessionId, path)
      const { diffs } = plan
      return {
        content: jsonContent({ files: diffs.map(({ patch: _, ...file }) => file) }),
        display: { type: 'diff', files: diffs },
      }
    },
  }
}

const patchFiles = (files: NodeFiles, { signal, checked }: Pick<ToolContext, 'signal' | 'checked'>): PatchFiles => ({
  read: async (path) => ((await files.stat(path, { signal })) ? files.read(path, { signal, checked }) : null),
  write: (path, data) => files.write(path, data, { checked }),
  async remove(path) {
    if (await files.stat(path)) await files.remove(path, { checked })
  },
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
