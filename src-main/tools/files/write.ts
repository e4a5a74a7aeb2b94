import { z } from 'zod'
import { fileDiff } from '../../changes/file-diff'
import { decodeText } from '../../changes/text-encoding'
import type { NodeFiles } from '../../nodes/files/node-files'
import { clientFiles } from '../client/client-files'
import { inputShape } from '../input'
import { jsonContent } from '../json-result'
import type { ToolNode } from '../nodes/tool-node'
import { failureOf } from '../system-error'
import type { Tool, ToolContext } from '../tool'
import { accessTo, displayPath, resolvePath } from './paths'

const maxPreviewBytes = 2 * 1024 * 1024

const shape = inputShape(() => z.object({ path: z.string(), content: z.string() }))

export type WriteInput = ReturnType<typeof shape.parse>

/** Writes whole files, new or overwritten. */
export function createWriteTool({ id, files, memory }: ToolNode): Tool<WriteInput> {
  return {
    description: 'Create or overwrite a file; makes missing folders. Prefer Edit for changes.',
    ...shape,
    readOnly: false,
    access: (input, { workspace }) =>
      accessTo([{ path: resolvePath(input.path, workspace), access: 'write', whole: true }], id, workspace),
    gist: ({ path }) => path,
    async preview(input, context) {
      const { workspace } = context
      const path = resolvePath(input.path, workspace)
      const before = await currentText(clientFiles(files(), context), path, context)
      return [fileDiff(displayPath(path, workspace), before, input.content)]
    },
    async run(input, context) {
      const { workspace, sessionId, checked } = context
      const path = resolvePath(input.path, workspace)
      const at = clientFiles(files(), context)
      const before = await currentText(at, path, context)
      const changed = await memory?.changedSince(sessionId, path)
      const data = Buffer.from(input.content)
      await at.write(path, data, { checked })
      await memory?.remember(sessionId, path)
      return {
        content: jsonContent({ path, bytes: data.length, ...(changed && { warning: overwroteForeign }) }),
        display: { type: 'diff', files: [fileDiff(displayPath(path, workspace), before, input.content)] },
      }
    },
  }
}

const overwroteForeign = 'The file had changed on disk since you last read it'

/** The current content for the diff: null if there is none, empty if it cannot be shown. */
async function currentText(
  files: NodeFiles,
  path: string,
  { signal, checked }: Pick<ToolContext, 'signal' | 'checked'>,
): Promise<string | null> {
  const found = await files.stat(path, { signal })
  if (!found) return null
  if (found.type !== 'file' || found.size > maxPreviewBytes) return ''
  try {
    return decodeText(await files.read(path, { signal, checked }))?.text ?? ''
  } catch (error) {
    // A file may be writable but not readable.
    if (failureOf(error)) return ''
    throw error
  }
}
