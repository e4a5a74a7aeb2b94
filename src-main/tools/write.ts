import { z } from 'zod'
import { fileDiff } from './file-diff'
import type { FileMemory } from './file-memory'
import { inputShape } from './input'
import { jsonContent } from './json-result'
import { withFile } from './open-file'
import { accessToOne, displayPath, resolvePath } from './paths'
import { systemFailure } from './system-error'
import { decodeText } from './text-encoding'
import type { Tool } from './tool'
import { statOrNull, writeWhole } from './write-file'

const maxPreviewBytes = 2 * 1024 * 1024

const shape = inputShape(z.object({ path: z.string(), content: z.string() }))

export type WriteInput = ReturnType<typeof shape.parse>

/** Whole files, new or overwritten. */
export function createWriteTool(memory: FileMemory, node: string): Tool<WriteInput> {
  return {
    description: 'Create or overwrite a file; makes missing folders. Prefer Edit for changes.',
    schema: shape.schema,
    parse: shape.parse,
    readOnly: false,
    access: (input, { workspace }) => accessToOne('write', input.path, node, workspace),
    gist: ({ path }) => path,
    async preview(input, { workspace }) {
      const path = resolvePath(input.path, workspace)
      return [fileDiff(displayPath(path, workspace), await currentText(path), input.content)]
    },
    async run(input, { workspace, sessionId, checked }) {
      const path = resolvePath(input.path, workspace)
      const before = await currentText(path)
      const changed = await memory.changedSince(sessionId, path)
      const data = Buffer.from(input.content)
      await writeWhole(path, data, checked)
      await memory.remember(sessionId, path)
      return {
        content: jsonContent({ path, bytes: data.length, ...(changed && { warning: overwroteForeign }) }),
        display: { type: 'diff', files: [fileDiff(displayPath(path, workspace), before, input.content)] },
      }
    },
  }
}

const overwroteForeign = 'The file had changed on disk since you last read it'

/** What is there now, for the diff: nothing, its text, or the empty text for what cannot be shown. */
async function currentText(path: string): Promise<string | null> {
  const found = await statOrNull(path)
  if (!found) return null
  if (!found.isFile() || found.size > maxPreviewBytes) return ''
  try {
    return decodeText(await withFile(path, (file) => file.readFile()))?.text ?? ''
  } catch (error) {
    // A file may be written without the right to read it.
    if (systemFailure(error)) return ''
    throw error
  }
}
