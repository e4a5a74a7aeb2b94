import { lstat, rm, rmdir, unlink } from 'node:fs/promises'
import { relative } from 'node:path'
import { z } from 'zod'
import { fileDiff } from './file-diff'
import { inputShape } from './input'
import { jsonContent } from './json-result'
import { readWhole } from './open-file'
import { accessToOne, displayPath, resolvePath } from './paths'
import { decodeText } from './text-encoding'
import { type Tool, ToolFailure } from './tool'

const maxPreviewBytes = 256 * 1024

const shape = inputShape(
  z.object({ path: z.string(), recursive: z.boolean().optional().describe('For a folder that is not empty') }),
)

export type DeleteInput = ReturnType<typeof shape.parse>

/** Files, links and folders. A link goes, not what it points to. */
export function createDeleteTool(node: string): Tool<DeleteInput> {
  return {
    description: 'Delete a file or folder.',
    schema: shape.schema,
    parse: shape.parse,
    readOnly: false,
    access: (input, { workspace }) => accessToOne('delete', input.path, node, workspace),
    gist: ({ path }) => path,
    async preview(input, { workspace }) {
      const path = resolvePath(input.path, workspace)
      const found = await lstat(path)
      const shown = found.isFile() && found.size <= maxPreviewBytes ? decodeText(await readWhole(path)) : null
      return [fileDiff(displayPath(path, workspace), shown?.text ?? '', null)]
    },
    async run(input, { workspace }) {
      const path = pathToDelete(input, workspace)
      const found = await lstat(path)
      if (!found.isDirectory()) await unlink(path)
      else if (input.recursive) await rm(path, { recursive: true })
      else await rmdir(path)
      return { content: jsonContent({ path, deleted: true }) }
    },
  }
}

/** Throws where nothing would be left to work in. */
export function pathToDelete(input: DeleteInput, workspace: string): string {
  const path = resolvePath(input.path, workspace)
  if (relative(path, workspace).startsWith('..')) return path
  throw new ToolFailure('InvalidPath', 'The workspace itself, and what it lies in, cannot be deleted')
}
