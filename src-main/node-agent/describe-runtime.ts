import { homedir } from 'node:os'
import { capabilitiesOfTool } from '../gateway/runtime'
import type { HostInfo } from '../nodes/node'
import type { Tool } from '../tools/tool'

/** Describes this machine to the gateway. */
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
