import type { TodoItem } from '../../src-preload/contract/protocol'
import type { ProcessTable } from '../nodes/process-table'
import { createApplyPatchTool } from '../tools/apply-patch'
import { createAskUserTool } from '../tools/ask-user'
import { createBashTool } from '../tools/bash'
import { createDeleteTool } from '../tools/delete'
import { createEditTool } from '../tools/edit'
import { createFileMemory } from '../tools/file-memory'
import { createGlobTool } from '../tools/glob'
import { createGrepTool } from '../tools/grep'
import { jsonContent } from '../tools/json-result'
import { createListTool } from '../tools/list'
import { createProcessTool } from '../tools/process'
import { createReadTool } from '../tools/read'
import { createTimeTool } from '../tools/time'
import { createTodoTool } from '../tools/todo'
import type { Tool, Toolset } from '../tools/tool'
import { createWriteTool } from '../tools/write'

/** The services that the tools of every vocabulary stand on. */
export interface ToolsetDeps {
  table: ProcessTable
  /** Id of the node that commands and files belong to. */
  node?: string
  clock?: () => number
  /** Keeps and announces a session's list. */
  setTodo(sessionId: string, items: TodoItem[]): void
}

/** The default vocabulary. Results and failures are compact JSON objects. */
export function createDeckhandToolset(deps: ToolsetDeps): Toolset {
  const { table, node = 'local', clock = Date.now } = deps
  const memory = createFileMemory()
  const tools = new Map<string, Tool>([
    ['Bash', createBashTool(table, node)],
    ['Process', createProcessTool({ table, node, clock })],
    ['Read', createReadTool(memory, node)],
    ['Write', createWriteTool(memory, node)],
    ['Edit', createEditTool(memory, node)],
    ['ApplyPatch', createApplyPatchTool(memory, node)],
    ['Glob', createGlobTool(node)],
    ['Grep', createGrepTool(node)],
    ['List', createListTool(node)],
    ['Delete', createDeleteTool(node)],
    ['Time', createTimeTool(node, clock)],
    ['Todo', createTodoTool(node, deps.setTodo)],
    ['AskUser', createAskUserTool(node)],
  ])
  return {
    name: 'deckhand',
    tools,
    renderFailure: ({ message, content }) => content ?? jsonContent({ error: message }),
  }
}
