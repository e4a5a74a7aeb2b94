import type { Engine } from '../engine'

/** A single turn has no later request in which their tools could appear, so they are waited for. */
export async function startServers({ mcp }: Engine, workspace: string): Promise<void> {
  const looking = mcp.projects.look(workspace)
  await mcp.start()
  const { project, started } = await looking
  await started
  if (project.state !== 'asks') return
  const names = project.servers.map(({ name }) => name).join(', ')
  const why = project.changed ? 'has changed since you trusted it' : 'is not trusted'
  process.stderr.write(`The .mcp.json of this folder ${why}, so its MCP servers were not started: ${names}\n`)
}
