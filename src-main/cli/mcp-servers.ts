import type { Engine } from '../engine'

/** A single turn has no later request in which their tools could appear, so they are waited for. */
export async function startServers(engine: Engine, workspace: string): Promise<void> {
  const { mcp } = engine
  const looking = mcp.projects.look(workspace)
  await mcp.start()
  const { project, started } = await looking
  await started
  tellOfSignIns(engine)
  if (project.state !== 'asks') return
  const names = project.servers.map(({ name }) => name).join(', ')
  const why = project.changed ? 'has changed since you trusted it' : 'is not trusted'
  process.stderr.write(`The .mcp.json of this folder ${why}, so its MCP servers were not started: ${names}\n`)
}

/** Who sits at the terminal may sign in while the turn begins; the tools come with its next request. */
function tellOfSignIns({ mcp, log }: Engine): void {
  for (const { id, name } of mcp.view().filter(({ state }) => state === 'sign-in')) {
    if (!process.stderr.isTTY) {
      process.stderr.write(`The MCP server ${name} wants you to sign in, so it is left out\n`)
      continue
    }
    const show = (address: string): boolean => {
      process.stderr.write(`To use the MCP server ${name}, sign in at\n  ${address}\n`)
      return true
    }
    mcp.signIn(id, show).catch((error: unknown) => log.warn('A sign-in did not come about', { server: id, error }))
  }
}
