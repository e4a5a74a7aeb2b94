import type { Catalogue } from './catalogue'
import type { LiveServer } from './live-servers'
import { fullName, type McpDefinition } from './tool-definition'

/** How long a call waits for its server to start. */
const patienceMs = 15_000
const mostNames = 50

/** Why a tool is not there although its name belongs to a server; null if it is there, or belongs to none. */
export async function whyMissing(
  catalogue: Catalogue,
  name: string,
  folder: string,
  signal: AbortSignal,
): Promise<string | null> {
  const server = catalogue.serverOf(name, folder)
  if (!server) return null
  if (!server.connection) return `The MCP server ${server.name} is switched off.`
  const limit = new AbortController()
  // Unlike the timer of `AbortSignal.timeout` and that of the next attempt, this one keeps the process until it is over.
  const timer = setTimeout(() => limit.abort(), patienceMs)
  await orAborted(server.connection.untilTried(), AbortSignal.any([signal, limit.signal]))
  clearTimeout(timer)
  signal.throwIfAborted()
  if (catalogue.tools(folder).has(name)) return null
  return missingWords(server)
}

/** Settles with the work, or when the signal aborts. */
export const orAborted = (work: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => resolve()
    signal.addEventListener('abort', done, { once: true })
    void work.finally(() => {
      signal.removeEventListener('abort', done)
      resolve()
    })
  })

/** As they can be called: a server's own names may contain anything, and there may be hundreds. */
const toolNames = (server: string, tools: readonly McpDefinition[]): string => {
  const names = tools.slice(0, mostNames).map((tool) => fullName(server, tool.name))
  const more = tools.length - names.length
  return [...names, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

const missingWords = ({ name, connection }: LiveServer): string => {
  const error = connection?.error?.replace(/\.$/, '')
  switch (connection?.state) {
    case 'ready':
      return `The MCP server ${name} has no such tool. It has: ${toolNames(name, connection.tools) || 'none'}.`
    case 'starting':
      return `The MCP server ${name} is still starting and has not answered yet. Try again later, or go on without it.`
    case 'waiting':
      return `The MCP server ${name} is not running: ${error}. It will be tried again.`
    default:
      return `The MCP server ${name} is not running${error ? `: ${error}` : ''}.`
  }
}
