import { z } from 'zod'
import type { FileDiff } from '../../../src-preload/contract/file-diff'
import type { OwnFile, OwnFiles } from '../../agents/own-files'
import type { Access } from '../../approval/types'
import { fileDiff } from '../../changes/file-diff'
import { replaceText } from '../files/replace-text'
import { inputShape } from '../input'
import { type ObjectTool, present, translateErrors } from '../object-tool'
import { type ToolContext, ToolFailure } from '../tool'

/** The agents' own files, and which agent a session belongs to. */
export interface AgentFileDeps {
  files?: OwnFiles | null
  agentOf(sessionId: string): string
}

const path = z.string()
const listShape = inputShape(() =>
  z.object({ path: path.optional().describe('Folder, such as "memory/"; default "/"') }),
)
const fileShape = inputShape(() =>
  z.object({ path: path.describe('Relative, such as "SOUL.md" or "memory/2026-11-16.md"') }),
)
const writeShape = inputShape(() => z.object({ path, content: z.string() }))
const editShape = inputShape(() =>
  z.object({
    path,
    oldString: z.string().describe('Exact text'),
    newString: z.string(),
    replaceAll: z.boolean().optional(),
  }),
)

type PathInput = ReturnType<typeof fileShape.parse>
type EditInput = ReturnType<typeof editShape.parse>

const reads = (_: unknown, { workspace }: ToolContext): Access => ({
  action: 'read',
  node: 'gsv',
  cwd: workspace,
  workspace,
  toolKey: 'agent.read',
})

/** These files are part of every later prompt, so a change is as serious as an instruction. */
const changes = (_: unknown, { workspace }: ToolContext): Access => ({
  action: 'write',
  node: 'gsv',
  cwd: workspace,
  workspace,
  toolKey: 'agent.write',
})

const changing = { readOnly: false, access: changes, gist: ({ path }: { path: string }) => path }

/** Tools for the files in which an agent keeps its identity and knowledge. */
export function agentFileTools(deps: AgentFileDeps) {
  const agentOf = ({ sessionId }: ToolContext): string => deps.agentOf(sessionId)
  const edited = async (input: EditInput, context: ToolContext) => {
    if (input.oldString === '') throw new ToolFailure('InvalidArgs', '`oldString` must not be empty')
    const before = await translateErrors(() => present(deps.files).read(agentOf(context), input.path))
    return { before, after: replaceText(before.content, input.oldString, input.newString, input.replaceAll ?? false) }
  }

  const list: ObjectTool<ReturnType<typeof listShape.parse>> = {
    description: 'List your own files, one level: identity, memory, skills.',
    ...listShape,
    readOnly: true,
    access: reads,
    gist: (input) => input.path ?? '/',
    async execute(input, context) {
      const wanted = input.path ?? '/'
      return { path: wanted, ...(await present(deps.files).list(agentOf(context), wanted)) }
    },
  }

  const read: ObjectTool<PathInput> = {
    description: 'Read one of your own files. skills/ finds your own copy first, then the one that all agents share.',
    ...fileShape,
    readOnly: true,
    access: reads,
    gist: (input) => input.path,
    async execute(input, context) {
      const found = await present(deps.files).read(agentOf(context), input.path)
      const { content, size } = found
      return {
        path: input.path,
        content,
        size,
        lastModified: new Date(found.modifiedAt).toISOString(),
        ...origin(found),
      }
    },
  }

  const write: ObjectTool<ReturnType<typeof writeShape.parse>> = {
    description: 'Create or overwrite one of your own files. What you write to skills/ is yours alone.',
    ...writeShape,
    ...changing,
    preview: async (input, context): Promise<FileDiff[]> => {
      const before = await translateErrors(() => present(deps.files).find(agentOf(context), input.path))
      return [fileDiff(input.path, before?.content ?? null, input.content)]
    },
    async execute(input, context) {
      const { size } = await present(deps.files).write(agentOf(context), input.path, input.content)
      return { path: input.path, size, written: true }
    },
  }

  const edit: ObjectTool<EditInput> = {
    description: 'Replace exact text in one of your own files. It must occur once, unless `replaceAll`.',
    ...editShape,
    ...changing,
    preview: async (input, context) => {
      const { before, after } = await edited(input, context)
      return [fileDiff(input.path, before.content, after.text)]
    },
    async execute(input, context) {
      const { before, after } = await edited(input, context)
      await present(deps.files).write(agentOf(context), input.path, after.text)
      return { path: input.path, replacements: after.count, edited: true, ...origin(before) }
    },
  }

  const remove: ObjectTool<PathInput> = {
    description: 'Delete one of your own files, for good.',
    ...fileShape,
    ...changing,
    preview: async (input, context) => {
      const before = await translateErrors(() => present(deps.files).find(agentOf(context), input.path))
      return before ? [fileDiff(input.path, before.content, null)] : []
    },
    async execute(input, context) {
      await present(deps.files).remove(agentOf(context), input.path)
      return { path: input.path, deleted: true }
    },
  }

  return { list, read, write, edit, remove }
}

/** For a skill, the result says where its copy comes from. */
const origin = ({ path: found, source, storedAs }: OwnFile) =>
  found.startsWith('skills/') ? { resolvedPath: storedAs, resolvedSource: source } : {}
