import type { Backends, ConnectedBackend } from '../backends/backends'
import type { ProcessTable } from '../nodes/process-table'
import { createBashTool } from './bash'
import { type EditInput, editResult, planEdit } from './edit'
import { fileDiff } from './file-diff'
import { type GlobInput, globResult, splitPattern } from './glob'
import { type GrepInput, grepResult, maxMatches } from './grep'
import { jsonContent } from './json-result'
import { displayPath, resolvePath } from './paths'
import { filesAt, withCopy } from './place-files'
import { createProcessTool } from './process'
import { type ReadInput, readResult } from './read'
import { decodeText, encodeText } from './text-encoding'
import { type Tool, type ToolContext, ToolFailure, type ToolResult } from './tool'
import type { WriteInput } from './write'

/** What a place can do. */
export const placeToolNames: readonly string[] = ['Bash', 'Process', 'Read', 'Write', 'Edit', 'Glob', 'Grep']

/**
 * The tools of an execution host at a place that programs of this machine lead to: the local ones as the model and the gate
 * know them (`base`), with another way to run.
 */
export function placeTool(
  name: string,
  base: Tool,
  deps: { table: ProcessTable; backends: Pick<Backends, 'get'>; node: string; clock: () => number },
): Tool | null {
  const { table, node, clock } = deps
  const place = (): ConnectedBackend => {
    const found = deps.backends.get(node)
    if (!found) throw new ToolFailure('NotFound', `Node ${node} is not connected`)
    return found
  }
  const there = (context: ToolContext): ToolContext => ({
    ...context,
    workspace: place().facts.home,
    sandbox: undefined,
  })
  if (name === 'Process') return createProcessTool({ table, node, clock }) as Tool
  const run = name === 'Bash' ? null : fileTools.get(name)
  if (run === undefined) return null
  const bash = createBashTool(table, node, () => ({ node, shell: place().facts.shell })) as Tool
  const { preview: _, ...here } = name === 'Bash' ? bash : base
  return {
    ...here,
    // The sandbox and its trials are for this machine.
    access: async (input, context) => ({ ...(await here.access(input, there(context))), node, rehearsable: false }),
    run: (input, context) => (run ? run(input, there(context), place()) : bash.run(input, there(context))),
  }
}

type RunAt = (input: unknown, context: ToolContext, place: ConnectedBackend) => Promise<ToolResult>

async function read(input: ReadInput, context: ToolContext, place: ConnectedBackend): Promise<ToolResult> {
  const path = resolvePath(input.path, context.workspace)
  const data = await filesAt(place).read(path, context.signal)
  return withCopy(path, data, (copy) => readResult(path, copy, input, context))
}

async function write(input: WriteInput, context: ToolContext, place: ConnectedBackend): Promise<ToolResult> {
  const path = resolvePath(input.path, context.workspace)
  const before = await textOrNull(place, path, context)
  const data = Buffer.from(input.content)
  await filesAt(place).write(path, data)
  return {
    content: jsonContent({ path, bytes: data.length }),
    display: { type: 'diff', files: [fileDiff(displayPath(path, context.workspace), before, input.content)] },
  }
}

async function edit(input: EditInput, context: ToolContext, place: ConnectedBackend): Promise<ToolResult> {
  const path = resolvePath(input.path, context.workspace)
  const before = decodeText(await filesAt(place).read(path, context.signal))
  if (!before) throw new ToolFailure('ExecutionFailed', `This is not a text file in UTF-8 or UTF-16: ${path}`)
  const plan = planEdit(path, before, input, context.workspace)
  await filesAt(place).write(path, encodeText(plan.after.text, before.encoding))
  return editResult(plan)
}

async function glob({ pattern, path }: GlobInput, context: ToolContext, place: ConnectedBackend): Promise<ToolResult> {
  const { base, rest } = splitPattern(pattern, path, context.workspace)
  return globResult(pattern, base, await filesAt(place).find(rest, base, context.signal), context)
}

async function grep(input: GrepInput, context: ToolContext, place: ConnectedBackend): Promise<ToolResult> {
  const { pattern, path = '.', include } = input
  const base = resolvePath(path, context.workspace)
  const wanted = { pattern, base, limit: maxMatches, ...(include !== undefined && { include }) }
  const found = await filesAt(place).search(wanted, context.signal)
  return grepResult(pattern, base, { ...found, timedOut: false }, context.workspace)
}

const fileTools: ReadonlyMap<string, RunAt> = new Map([
  ['Read', read as RunAt],
  ['Write', write as RunAt],
  ['Edit', edit as RunAt],
  ['Glob', glob as RunAt],
  ['Grep', grep as RunAt],
])

/** What is there now, for the diff: nothing, its text, or the empty text for what cannot be shown. */
async function textOrNull(place: ConnectedBackend, path: string, { signal }: ToolContext): Promise<string | null> {
  try {
    return decodeText(await filesAt(place).read(path, signal))?.text ?? ''
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    return error.kind === 'FileNotFound' ? null : ''
  }
}
