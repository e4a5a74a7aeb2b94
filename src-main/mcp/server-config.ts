import { isReservedName, serverIdRule } from '../../src-preload/contract/field-rules'
import type { McpServerConfig } from '../../src-preload/contract/mcp'
import { mcpConfig, mcpServerId } from '../../src-preload/contract/mcp-calls'
import { isRecord } from '../is-record'

type Transport = 'stdio' | 'http' | 'none'

/** A command takes precedence over an address; without either there is nothing to connect to. */
export const transportOf = ({ command, url }: McpServerConfig): Transport =>
  command?.trim() ? 'stdio' : url?.trim() ? 'http' : 'none'

/**
 * Why this cannot be a server's id, or `null`. `nodes` are ids of machines, which are also used as a prefix before
 * `__`.
 */
export function serverIdTrouble(id: string, nodes: readonly string[]): string | null {
  if (id.includes('__')) return `The name ${id} contains "__", which separates a server from its tools`
  if (!mcpServerId.safeParse(id).success)
    return `${JSON.stringify(id.slice(0, 60))} is not a name for a server. ${serverIdRule.words}`
  const lower = id.toLowerCase()
  if (isReservedName(id)) return `The name “${id}” is reserved`
  if (nodes.some((node) => node.toLowerCase() === lower)) return `The name ${id} is taken by a machine`
  return null
}

/** A name from elsewhere as an id: `My Server` becomes `My-Server`. */
export const idFrom = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/[_-]{2,}/g, '-')
    .replace(/^[_-]+|[_-]+$/g, '')
    .slice(0, 32)
    .replace(/[_-]+$/, '')

interface SavedServers {
  servers: Map<string, McpServerConfig>
  warnings: string[]
}

/** Servers from the settings file, in either of its two places. Invalid ones are left out and reported. */
export function readServers(mcpServers: unknown, tools: unknown, nodes: readonly string[]): SavedServers {
  const servers = new Map<string, McpServerConfig>()
  const warnings: string[] = []
  const documented = isRecord(tools) && isRecord(tools.mcp_servers) ? tools.mcp_servers : {}
  for (const [id, value] of [
    ...Object.entries(documented),
    ...Object.entries(isRecord(mcpServers) ? mcpServers : {}),
  ]) {
    const trouble = serverIdTrouble(id, nodes)
    const config = readConfig(value)
    if (trouble) warnings.push(trouble)
    else if (!config) warnings.push(`The settings of the MCP server ${id} make no sense, so it is left out`)
    else servers.set(id, config)
  }
  return { servers, warnings }
}

const fields = [
  'command',
  'args',
  'cwd',
  'url',
  'env',
  'headers',
  'secretEnv',
  'secretHeaders',
  'tellFolder',
  'enabled',
] as const

/** The known fields of a configuration, ours or another program's; `null` if they are invalid. */
export function readConfig(value: unknown): McpServerConfig | null {
  if (!isRecord(value)) return null
  const known: Record<string, unknown> = {}
  for (const field of fields) if (Object.hasOwn(value, field) && value[field] !== null) known[field] = value[field]
  if (isRecord(known.env))
    known.env = Object.fromEntries(Object.entries(known.env).map(([name, each]) => [name, String(each)]))
  if (!Object.hasOwn(known, 'url') && typeof value.serverUrl === 'string') known.url = value.serverUrl
  if (value.disabled === true) known.enabled = false
  const read = mcpConfig.safeParse(known)
  return read.success ? read.data : null
}
