import type { Engine } from '../engine'

interface Terminal {
  /** Somebody reads along, and may follow an address. */
  attended: boolean
  say(line: string): void
}

const standardError: Terminal = {
  attended: process.stderr.isTTY === true,
  say: (line) => void process.stderr.write(`${line}\n`),
}

/** A single turn has no later request in which their tools could appear, so they are waited for. */
export async function startServers(engine: Engine, workspace: string, terminal = standardError): Promise<void> {
  const { mcp } = engine
  const looking = mcp.projects.look(workspace)
  await mcp.start()
  const { project, started } = await looking
  await started
  offerSignIns(engine, terminal)
  if (project.state !== 'asks') return
  const names = project.servers.map(({ name }) => name).join(', ')
  const why = project.changed ? 'has changed since you trusted it' : 'is not trusted'
  terminal.say(`The .mcp.json of this folder ${why}, so its MCP servers were not started: ${names}`)
}

/** Who sits at the terminal may sign in while the turn begins; the tools come with its next request. */
function offerSignIns({ mcp, log }: Engine, { attended, say }: Terminal): void {
  for (const { id, name } of mcp.view().filter(({ state }) => state === 'sign-in')) {
    if (!attended) {
      say(`The MCP server ${name} wants you to sign in, so it is left out`)
      continue
    }
    const show = (address: string): boolean => {
      say(`To use the MCP server ${name}, sign in at\n  ${address}`)
      return true
    }
    mcp.signIn(id, show).catch((error: unknown) => log.warn('A sign-in did not come about', { server: id, error }))
  }
}
