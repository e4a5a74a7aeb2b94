import { setTimeout as delay } from 'node:timers/promises'
import type { McpServerInfo } from '../../src-preload/contract/mcp'
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

/**
 * Starts the MCP servers and waits for them, but no longer than `limitMs`: what is slower comes when it is there. A call
 * waits for its own server anyway.
 */
export async function startServers(
  engine: Engine,
  workspace: string,
  limitMs: number,
  terminal = standardError,
): Promise<void> {
  const { mcp } = engine
  const { project, started } = await mcp.projects.look(workspace)
  const settled = Promise.all([mcp.start(), started])
  const tell = tellTrouble(engine, terminal)
  const limit = new AbortController()
  await Promise.race([settled, delay(limitMs, undefined, { signal: limit.signal, ref: false }).catch(() => {})])
  limit.abort()
  tell()
  for (const { name } of limitMs === 0
    ? []
    : mcp.view().filter(({ state, restarts }) => state === 'starting' && restarts === 0))
    terminal.say(`The MCP server ${name} has not answered yet. Its tools become available when it does.`)
  if (project.state !== 'asks') return
  const names = project.servers.map(({ name }) => name).join(', ')
  const why = project.changed ? 'has changed since you trusted it' : 'is not trusted'
  terminal.say(
    `The .mcp.json in this folder ${why}, so its MCP servers were not started: ${names}. To trust it, run: deckhand mcp trust`,
  )
}

/** Says once of each server that it cannot be used, and why, as soon as that is known. What it returns looks again. */
function tellTrouble(engine: Engine, terminal: Terminal): () => void {
  const told = new Set<string>()
  const tell = (servers: readonly McpServerInfo[]): void => {
    for (const { id, name, state, error } of servers) {
      if (told.has(id) || !(state === 'waiting' || state === 'failed' || state === 'sign-in')) continue
      told.add(id)
      if (state === 'sign-in') offerSignIn(engine, { id, name }, terminal)
      else terminal.say(`The MCP server ${name} cannot be used. ${error ?? ''}`.trimEnd())
    }
  }
  engine.subscribe((event) => {
    if (event.type === 'mcp') tell(event.servers)
  })
  return () => tell(engine.mcp.view())
}

/** Whoever sits at the terminal may sign in while the turn begins; the tools come with its next request. */
function offerSignIn(
  { mcp, log }: Engine,
  { id, name }: Pick<McpServerInfo, 'id' | 'name'>,
  { attended, say }: Terminal,
): void {
  if (!attended) {
    say(`The MCP server ${name} needs you to sign in, so it was skipped`)
    return
  }
  const show = (address: string): boolean => {
    say(`To use the MCP server ${name}, sign in at\n  ${address}`)
    return true
  }
  mcp.signIn(id, show).catch((error: unknown) => log.warn('A sign-in did not finish', { server: id, error }))
}
