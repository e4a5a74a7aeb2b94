import { relative } from 'node:path'
import { z } from 'zod'
import { fileDiff } from '../../changes/file-diff'
import { decodeText } from '../../changes/text-encoding'
import { inputShape } from '../input'
import { jsonContent } from '../json-result'
import type { ToolNode } from '../nodes/tool-node'
import { type Tool, ToolFailure } from '../tool'
import { accessToOne, displayPath, resolvePath } from './paths'

const maxPreviewBytes = 256 * 1024

const shape = inputShape(() =>
  z.object({ path: z.string(), recursive: z.boolean().optional().describe('For a folder that is not empty') }),
)

type DeleteInput = ReturnType<typeof shape.parse>

/** Deletes files, links and folders. A link is deleted, not its target. */
export function createDeleteTool({ id, files }: ToolNode): Tool<DeleteInput> {
  return {
    description: 'Delete a file or folder.',
    ...shape,
    readOnly: false,
    access: (input, { workspace }) => accessToOne('delete', input.path, id, workspace),
    gist: ({ path }) => path,
    async preview(input, { workspace, signal, checked }) {
      const path = resolvePath(input.path, workspace)
      const found = await files().stat(path, { follow: false, signal })
      if (!found) throw new ToolFailure('FileNotFound', `No such file or directory: ${path}`)
      const shown = found.type === 'file' && found.size <= maxPreviewBytes
      const text = shown ? decodeText(await files().read(path, { signal, checked }))?.text : undefined
      return [fileDiff(displayPath(path, workspace), text ?? '', null)]
    },
    async run(input, { workspace, signal, checked }) {
      const path = pathToDelete(input, workspace)
      await files().remove(path, { recursive: input.recursive ?? false, signal, checked })
      return { content: jsonContent({ path, deleted: true }) }
    },
  }
}

/** Throws for the workspace itself and for folders that contain it. */
function pathToDelete(input: DeleteInput, workspace: string): string {
  const path = resolvePath(input.path, workspace)
  if (relative(path, workspace).startsWith('..')) return path
  throw new ToolFailure('InvalidPath', 'The workspace itself, and what it lies in, cannot be deleted')
}
