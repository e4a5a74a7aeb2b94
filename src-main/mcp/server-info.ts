import type { McpServerInfo, McpSignIn, McpToolInfo } from '../../src-preload/contract/mcp'
import type { LiveServer } from './live-servers'
import { fillIn } from './project-file'
import { transportOf } from './server-config'

interface Seen {
  tools: McpToolInfo[]
  /** Whether a server of the user's own with the same name hides it. */
  hidden: boolean
  signIn: McpSignIn | undefined
}

/** A server as the window shows it. */
export function serverInfo(server: LiveServer, seen: Seen): McpServerInfo {
  const { id, name, project, config, connection } = server
  const transport = transportOf(config)
  return {
    id,
    name,
    project: project ?? undefined,
    config,
    transport,
    state: connection?.state ?? (transport === 'none' ? 'skipped' : 'off'),
    restarts: connection?.restarts ?? 0,
    tools: seen.tools,
    warnings: warningsOf(server, seen.hidden),
    signIn: seen.signIn,
    ...(connection?.error && { error: connection.error }),
    pid: connection?.pid,
    ...(connection?.serverName && { serverName: connection.serverName }),
    ...(connection?.protocol && { protocol: connection.protocol }),
  }
}

function warningsOf({ name, project, config, connection }: LiveServer, hidden: boolean): string[] {
  const warnings = transportOf(config) === 'none' ? ['It has neither a command nor an address, so it is skipped.'] : []
  if (hidden) warnings.push(`You have a server ${name} of your own, so this one is not used.`)
  const { missing } = project === null ? { missing: [] } : fillIn(config, process.env)
  if (missing.length > 0) warnings.push(`It names variables that are not set here: ${missing.join(', ')}.`)
  if (connection?.toolsNote) warnings.push(connection.toolsNote)
  return warnings
}
