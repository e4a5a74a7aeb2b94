import { z } from 'zod'
import { fileDiff } from './file-diff'
import type { FileMemory } from './file-memory'
import { inputShape } from './input'
import { jsonContent } from './json-result'
import { readWhole } from './open-file'
import { accessToOne, displayPath, resolvePath } from './paths'
import { replaceText } from './replace-text'
import { type DecodedText, decodeText, encodeText } from './text-encoding'
import { type Tool, ToolFailure, type ToolResult } from './tool'
import { writeWhole } from './write-file'

const shape = inputShape(
  z.object({
    path: z.string(),
    oldString: z.string().describe('Exact text, without line numbers'),
    newString: z.string(),
    replaceAll: z.boolean().optional(),
  }),
)

export type EditInput = ReturnType<typeof shape.parse>

/** Changes inside a file. */
export function createEditTool(memory: FileMemory, node: string): Tool<EditInput> {
  const plan = async (input: EditInput, workspace: string) => {
    const path = resolvePath(input.path, workspace)
    return planEdit(path, await readText(path), input, workspace)
  }

  return {
    description: 'Replace exact text in a file. It must occur once, unless `replaceAll`.',
    schema: shape.schema,
    parse: shape.parse,
    readOnly: false,
    access: (input, { workspace }) => accessToOne('write', input.path, node, workspace),
    gist: ({ path }) => path,
    preview: async (input, { workspace }) => [(await plan(input, workspace)).diff],
    async run(input, { workspace, sessionId, checked }) {
      const edit = await plan(input, workspace)
      const { path, before, after } = edit
      await writeWhole(path, encodeText(after.text, before.encoding), checked)
      await memory.remember(sessionId, path)
      return editResult(edit)
    },
  }
}

/** What an edit makes of a text. */
export function planEdit(path: string, before: DecodedText, input: EditInput, workspace: string) {
  const after = replaceText(before.text, input.oldString, input.newString, input.replaceAll ?? false)
  return { path, before, after, diff: fileDiff(displayPath(path, workspace), before.text, after.text) }
}

export const editResult = ({ path, after, diff }: ReturnType<typeof planEdit>): ToolResult => ({
  content: jsonContent({ path, replacements: after.count }),
  display: { type: 'diff', files: [diff] },
})

/** A file to be changed, which has to be text. */
const readText = async (path: string): Promise<DecodedText> => asText(path, await readWhole(path))

/** Its bytes as text; throws `ToolFailure` where they are none. */
export function asText(path: string, data: Buffer): DecodedText {
  const decoded = decodeText(data)
  if (!decoded) throw new ToolFailure('ExecutionFailed', `This is not a text file in UTF-8 or UTF-16: ${path}`)
  return decoded
}
