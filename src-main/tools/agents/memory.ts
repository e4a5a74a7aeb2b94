import { z } from 'zod'
import type { Display } from '../../../src-preload/contract/tool-calls'
import type { Access } from '../../approval/types'
import { fileDiff } from '../../changes/file-diff'
import type { Memory } from '../../memory/memory'
import { inputShape } from '../input'
import { jsonContent } from '../json-result'
import { present, translateErrors } from '../object-tool'
import { type Tool, type ToolContext, ToolFailure } from '../tool'

/** The memory of agents, and which agent a session belongs to. */
export interface MemoryDeps {
  memory?: Memory | null
  agentOf(sessionId: string): string
}

interface SearchInput {
  query: string
  maxResults?: number | undefined
  minScore?: number | undefined
}

interface LinesInput {
  path: string
  from?: number | undefined
  lines?: number | undefined
}

export const maxResults = z.int().min(1).max(50).optional()
export const minScore = z.number().min(0).max(1).optional()
export const lineNumber = z.int().min(1).optional()

export const readsMemory = (_: unknown, { workspace }: ToolContext): Access => ({
  action: 'read',
  node: 'gsv',
  cwd: workspace,
  workspace,
  toolKey: 'agent.read',
})

/** Searches the agent's memory: the passages for the model, and the same for the screen. */
export async function searchMemory(deps: MemoryDeps, input: SearchInput, { sessionId }: ToolContext) {
  const results = await translateErrors(() =>
    present(deps.memory).search(
      deps.agentOf(sessionId),
      {
        query: input.query,
        limit: input.maxResults,
        minScore: input.minScore,
      },
      sessionId,
    ),
  )
  const rows = results.map(({ path, startLine, snippet }) => ({ path, line: startLine, text: snippet }))
  const { pending, passages } = present(deps.memory).indexing(deps.agentOf(sessionId))
  const note =
    pending > 0
      ? `${pending} of ${passages} passages are still being indexed and are found only by their words. Search again in a minute.`
      : null
  return { results, note, display: { type: 'matches', rows, total: rows.length } satisfies Display }
}

/** Lines of a note: for the model, and the same for the screen. */
export async function readMemory(deps: MemoryDeps, { path, from, lines }: LinesInput, { sessionId }: ToolContext) {
  const found = await translateErrors(() => present(deps.memory).get(deps.agentOf(sessionId), path, from, lines))
  const display = {
    type: 'file',
    path: found.path,
    startLine: found.startLine,
    lines: found.endLine - found.startLine + 1,
    text: found.text,
  } satisfies Display
  return { found, display }
}

const shape = inputShape(() =>
  z.object({
    action: z.enum(['search', 'get', 'write']),
    query: z.string().optional().describe('search: a question or key words'),
    maxResults,
    minScore,
    path: z.string().optional().describe('get, write: MEMORY.md or memory/*.md; write: default the note of today'),
    from: lineNumber.describe('get: first line'),
    lines: lineNumber,
    content: z.string().optional().describe('write: added at the end'),
  }),
)

type Raw = ReturnType<typeof shape.parse>
type Input =
  | ({ action: 'search' } & SearchInput)
  | ({ action: 'get' } & LinesInput)
  | { action: 'write'; path?: string | undefined; content: string }

/** Searching, reading and adding to the agent's memory, as one tool. */
export function createMemoryTool(deps: MemoryDeps): Tool<Input> {
  const agentOf = ({ sessionId }: ToolContext): string => deps.agentOf(sessionId)
  return {
    description: 'Your memory across sessions (MEMORY.md, memory/*.md): search by meaning, get lines, write a note.',
    schema: shape.schema,
    parse: (raw) => checked(shape.parse(raw)),
    readOnly: false,
    access: (input, context) =>
      // Notes become part of later prompts, so a change is as serious as an instruction.
      input.action === 'write'
        ? { ...readsMemory(input, context), action: 'write', toolKey: 'agent.write' }
        : readsMemory(input, context),
    gist: (input) => (input.action === 'search' ? input.query : `${input.action} ${input.path ?? 'the note of today'}`),
    preview: async (input, context) => {
      if (input.action !== 'write') return []
      const memory = present(deps.memory)
      const { path, before, after } = await translateErrors(() =>
        memory.appended(agentOf(context), input.path ?? memory.today(), input.content),
      )
      return [fileDiff(path, before, after)]
    },
    async run(input, context) {
      if (input.action === 'search') {
        const { results, note, display } = await searchMemory(deps, input, context)
        return { content: jsonContent({ results, note: note ?? undefined }), display }
      }
      if (input.action === 'get') {
        const { found, display } = await readMemory(deps, input, context)
        return { content: jsonContent(found), display }
      }
      const memory = present(deps.memory)
      const { path, startLine, endLine } = await translateErrors(() =>
        memory.append(agentOf(context), input.path ?? memory.today(), input.content),
      )
      return { content: jsonContent({ path, startLine, endLine, written: true }) }
    },
  }
}

/** The required fields depend on the action, which a flat schema cannot express. */
function checked({ action, query, path, content, ...rest }: Raw): Input {
  switch (action) {
    case 'search':
      return { action, query: needed('query', query), maxResults: rest.maxResults, minScore: rest.minScore }
    case 'get':
      return { action, path: needed('path', path), from: rest.from, lines: rest.lines }
    case 'write':
      return { action, path, content: needed('content', content) }
  }
}

function needed(name: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '') throw new ToolFailure('InvalidArgs', `\`${name}\` is required`)
  return value
}
