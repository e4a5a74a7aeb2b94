import { definitionsOf } from '../tools/tool'
import { openHeadlessEngine } from './headless-engine'
import type { Stopping } from './stopping'

/** Prints the tools exactly as a request to a model carries them. */
export async function tools(options: Map<string, string>, _operands: string[], stopping: Stopping): Promise<number> {
  const engine = await openHeadlessEngine(options, stopping)
  const name = options.get('toolset') ?? engine.settings.current().defaultToolset
  const toolset = options.has('subagent') ? engine.subAgentToolset(name) : engine.toolset(name)
  const definitions = definitionsOf(toolset)
  if (options.has('json')) process.stdout.write(`${JSON.stringify(definitions, null, 2)}\n`)
  else
    for (const { name, description } of definitions)
      process.stdout.write(`${name.padEnd(14)} ${description.split('\n')[0]}\n`)
  await engine.close()
  return 0
}
