import type { TodoItem } from '../../src-preload/contract/protocol'
import type { ProcessTable } from '../nodes/process-table'
import { createBashTool } from '../tools/bash'
import { createFileMemory } from '../tools/file-memory'
import { jsonContent } from '../tools/json-result'
import { createReadTool } from '../tools/read'
import type { Tool, Toolset } from '../tools/tool'

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
  const { table, node = 'local' } = deps
  const memory = createFileMemory()
  const tools = new Map<string, Tool>([
    ['Bash', createBashTool(table, node)],
    ['Read', createReadTool(memory, node)],
  ])
  return {
    name: 'deckhand',
    tools,
    renderFailure: ({ message, content }) => content ?? jsonContent({ error: message }),
  }
}
