import { z } from 'zod'
import type { FileDiff } from '../../../src-preload/contract/file-diff'
import type { PathAccess } from '../../approval/types'
import { fileDiff } from '../../changes/file-diff'
import { errorCode } from '../../error-code'
import { accessTo } from '../../tools/files/paths'
import { inputShape } from '../../tools/input'
import { jsonContent } from '../../tools/json-result'
import { type Tool, type ToolContext, ToolFailure } from '../../tools/tool'
import { contain, type InnerPath, listContained, readContained, writeContained } from './contained'

const maxBytes = 64 * 1024 * 1024

const pathOf = z.string().describe('Relative to the workspace')
const readShape = inputShape(() => z.object({ path: pathOf }))
const writeShape = inputShape(() => z.object({ path: pathOf, content: z.string() }))
const editShape = inputShape(() =>
  z.object({
    path: pathOf,
    old_text: z.string().min(1, 'must not be empty').describe('Exact text that occurs once'),
    new_text: z.string(),
  }),
)

/** The four file tools of clawft: they never leave the workspace, even if the gate would allow it. */
export function clawftFileTools(node: string): Map<string, Tool> {
  const on = (action: 'read' | 'write'): Pick<Tool<{ path: string }>, 'readOnly' | 'access' | 'gist'> => ({
    readOnly: action === 'read',
    access: (input, context) => accessInside(action, input.path, context, node),
    gist: ({ path }) => path,
  })
  const read: Tool<ReturnType<typeof readShape.parse>> = {
    description: 'Read a file of the workspace.',
    ...readShape,
    ...on('read'),
    async run({ path }, { workspace }) {
      const content = await textAt(await contain(workspace, path))
      return {
        content: jsonContent({ content }),
        display: { type: 'file', path, text: content.slice(0, 20_000), ...linesIn(content) },
      }
    },
  }
  const write: Tool<ReturnType<typeof writeShape.parse>> = {
    description: 'Write a file of the workspace, with its folders; what is there is replaced.',
    ...writeShape,
    ...on('write'),
    preview: async ({ path, content }, { workspace }) => [await change(await contain(workspace, path), content)],
    async run({ path, content }, { workspace }) {
      const inner = await contain(workspace, path)
      const diff = await change(inner, content)
      const data = Buffer.from(content)
      await writeContained(inner, data)
      return {
        content: jsonContent({ message: `Successfully wrote ${data.length} bytes to ${path}` }),
        display: { type: 'diff', files: [diff] },
      }
    },
  }
  const edit: Tool<ReturnType<typeof editShape.parse>> = {
    description: 'Replace a text that occurs exactly once in a file of the workspace.',
    ...editShape,
    ...on('write'),
    preview: async (input, { workspace }) => {
      const inner = await contain(workspace, input.path)
      const before = await textAt(inner)
      return [fileDiff(inner.path, before, replaceOnce(before, input.old_text, input.new_text))]
    },
    async run(input, { workspace }) {
      const inner = await contain(workspace, input.path)
      const before = await textAt(inner)
      const after = replaceOnce(before, input.old_text, input.new_text)
      await writeContained(inner, Buffer.from(after))
      return {
        content: jsonContent({ message: `Successfully edited ${input.path}` }),
        display: { type: 'diff', files: [fileDiff(inner.path, before, after)] },
      }
    },
  }
  const list: Tool<ReturnType<typeof readShape.parse>> = {
    description: 'List the entries of a folder of the workspace, with their sizes.',
    ...readShape,
    ...on('read'),
    async run({ path }, { workspace }) {
      const entries = await listContained(await contain(workspace, path))
      return {
        content: jsonContent({ entries: entries.map(({ name, isDir, size }) => ({ name, is_dir: isDir, size })) }),
        display: {
          type: 'matches',
          rows: entries.slice(0, 200).map(({ name }) => ({ path: name })),
          total: entries.length,
        },
      }
    },
  }
  return new Map<string, Tool>([
    ['read_file', read],
    ['write_file', write],
    ['edit_file', edit],
    ['list_directory', list],
  ])
}

/** The gate gets the canonical path, and only if it is inside the workspace. */
async function accessInside(access: PathAccess['access'], path: string, { workspace }: ToolContext, node: string) {
  const inner = await contain(workspace, path)
  return accessTo([{ path: inner.path, access }], node, workspace)
}

async function textAt(inner: InnerPath): Promise<string> {
  const bytes = await readContained(inner, maxBytes)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // The decoder throws for anything that is not UTF-8.
    throw new ToolFailure('ExecutionFailed', `${inner.path} is not a text file in UTF-8`)
  }
}

async function change(inner: InnerPath, content: string): Promise<FileDiff> {
  const before = await textAt(inner).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    // A file that is not text is replaced as a whole; the card shows the new content.
    if (error instanceof ToolFailure && error.kind === 'ExecutionFailed') return null
    throw error
  })
  return fileDiff(inner.path, before, content)
}

function replaceOnce(text: string, oldText: string, newText: string): string {
  const pieces = text.split(oldText)
  const count = pieces.length - 1
  if (count === 0) throw new ToolFailure('InvalidArgs', 'old_text was not found in the file')
  if (count > 1) {
    throw new ToolFailure(
      'InvalidArgs',
      `old_text was found ${count} times; add more of its surroundings to make it unique`,
    )
  }
  return pieces.join(newText)
}

const linesIn = (text: string): { startLine: number; lines: number; truncated?: boolean } => ({
  startLine: 1,
  lines: text.split('\n').length,
  ...(text.length > 20_000 && { truncated: true }),
})
