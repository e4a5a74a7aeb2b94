import { z } from 'zod'
import { fileDiff } from '../../changes/file-diff'
import { type DecodedText, decodeText, encodeText } from '../../changes/text-encoding'
import { clientFiles } from '../client/client-files'
import { inputShape } from '../input'
import { jsonContent } from '../json-result'
import type { ToolNode } from '../nodes/tool-node'
import { type Tool, type ToolContext, ToolFailure } from '../tool'
import { accessToOne, displayPath, resolvePath } from './paths'
import { replaceText } from './replace-text'

const shape = inputShape(() =>
  z.object({
    path: z.string(),
    oldString: z.string().describe('Exact text, without line numbers'),
    newString: z.string(),
    replaceAll: z.boolean().optional(),
  }),
)

type EditInput = ReturnType<typeof shape.parse>

/** Changes inside a file. */
export function createEditTool({ id, files, memory }: ToolNode): Tool<EditInput> {
  const plan = async (input: EditInput, context: ToolContext) => {
    const { workspace, signal, checked } = context
    const path = resolvePath(input.path, workspace)
    const before = await clientFiles(files(), context).read(path, { signal, checked })
    return planEdit(path, asText(path, before), input, workspace)
  }

  return {
    description: 'Replace exact text in a file. It must occur once, unless `replaceAll`.',
    ...shape,
    readOnly: false,
    access: (input, { workspace }) => accessToOne('write', input.path, id, workspace),
    gist: ({ path }) => path,
    preview: async (input, context) => [(await plan(input, context)).diff],
    async run(input, context) {
      const { path, before, after, diff } = await plan(input, context)
      const data = encodeText(after.text, before.encoding)
      await clientFiles(files(), context).write(path, data, { checked: context.checked })
      await memory?.remember(context.sessionId, path)
      return {
        content: jsonContent({ path, replacements: after.count }),
        display: { type: 'diff', files: [diff] },
      }
    },
  }
}

function planEdit(path: string, before: DecodedText, input: EditInput, workspace: string) {
  const after = replaceText(before.text, input.oldString, input.newString, input.replaceAll ?? false)
  return { path, before, after, diff: fileDiff(displayPath(path, workspace), before.text, after.text) }
}

/** Bytes as text; throws `ToolFailure` if they are not text. */
export function asText(path: string, data: Buffer): DecodedText {
  const decoded = decodeText(data)
  if (!decoded) throw new ToolFailure('ExecutionFailed', `This is not a text file in UTF-8 or UTF-16: ${path}`)
  return decoded
}
