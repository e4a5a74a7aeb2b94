import { homedir } from 'node:os'
import { capabilitiesOfTool } from '../gateway/runtime'
import type { HostInfo } from '../nodes/node'
import type { ProcessTable } from '../nodes/process-table'
import { createApplyPatchTool } from '../tools/apply-patch'
import { createBashTool } from '../tools/bash'
import { createDeleteTool } from '../tools/delete'
import { createEditTool } from '../tools/edit'
import { createFileMemory } from '../tools/file-memory'
import { createGlobTool } from '../tools/glob'
import { createGrepTool } from '../tools/grep'
import { createListTool } from '../tools/list'
import { createProcessTool } from '../tools/process'
import { createReadTool } from '../tools/read'
import type { Tool } from '../tools/tool'
import { createWriteTool } from '../tools/write'

/** The standard set of an execution host: the very tools that the app runs on its own machine. */
export function createNodeTools(table: ProcessTable, node: string): ReadonlyMap<string, Tool> {
  const memory = createFileMemory()
  return new Map<string, Tool>([
    ['Bash', createBashTool(table, node)],
    ['Process', createProcessTool({ table, node, clock: Date.now })],
    ['Read', createReadTool(memory, node)],
    ['Write', createWriteTool(memory, node)],
    ['Edit', createEditTool(memory, node)],
    ['Glob', createGlobTool(node)],
    ['Grep', createGrepTool(node)],
    ['List', createListTool(node)],
    ['Delete', createDeleteTool(node)],
    ['ApplyPatch', createApplyPatchTool(memory, node)],
  ])
}

/** What the gateway is told of this machine. */
export function describeRuntime(options: {
  role: 'execution' | 'specialized'
  info: HostInfo
  tools: ReadonlyMap<string, Tool>
  workspace: string
}): object {
  const { role, info, tools, workspace } = options
  const toolCapabilities = Object.fromEntries([...tools.keys()].map((name) => [name, capabilitiesOfTool(name)]))
  return {
    hostRole: role,
    hostCapabilities: [...new Set(Object.values(toolCapabilities).flat())],
    toolCapabilities,
    hostOs: info.os,
    hostEnv: info.envKeys,
    hostname: info.hostname,
    workspace,
    home: homedir(),
    previews: true,
  }
}
