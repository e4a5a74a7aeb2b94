import { definitionsOf } from '../tools/tool'
import { untilAborted } from '../tools/until-aborted'
import { openHeadlessEngine, workspaceOf } from './headless-engine'
import { startServers } from './mcp-servers'
import type { Stopping } from './stopping'

/** How long it waits for MCP servers to start. */
const startMs = 15_000

/** Prints the tools exactly as a request to a model carries them, with those of MCP servers. */
export async function tools(options: Map<string, string>, _operands: string[], stopping: Stopping): Promise<number> {
  const workspace = workspaceOf(options)
  const engine = await openHeadlessEngine(options, stopping)
  const name = options.get('toolset') ?? engine.settings.current().defaultToolset
  await untilAborted(startServers(engine, workspace, startMs), stopping.signal)
  const toolset = options.has('subagent') ? engine.subAgentToolset(name) : engine.toolset(name, workspace)
  const definitions = definitionsOf(toolset)
  if (options.has('json')) process.stdout.write(`${JSON.stringify(definitions, null, 2)}\n`)
  else
    for (const { name, description } of definitions)
      process.stdout.write(`${name.padEnd(14)} ${description.split('\n')[0]}\n`)
  await engine.close()
  return 0
}
