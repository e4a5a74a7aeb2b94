import type { Catalogue } from './catalogue'
import type { LiveServer } from './live-servers'

/** How long a call waits for its server to start. */
const patienceMs = 15_000

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
  const enough = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  await orAborted(server.connection.untilTried(), enough)
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

const missingWords = ({ name, connection }: LiveServer): string => {
  const error = connection?.error?.replace(/\.$/, '')
  switch (connection?.state) {
    case 'ready':
      return `The MCP server ${name} has no such tool. It has: ${connection.tools.map((tool) => tool.name).join(', ') || 'none'}.`
    case 'starting':
      return `The MCP server ${name} is still starting and has not answered yet. Try again later, or go on without it.`
    case 'waiting':
      return `The MCP server ${name} is not running: ${error}. It will be tried again.`
    default:
      return `The MCP server ${name} is not running${error ? `: ${error}` : ''}.`
  }
}
