import type { McpImport } from '../../src-preload/contract/mcp'
import { errorText } from '../error-text'
import { isRecord } from '../is-record'
import { idFrom, readConfig, transportOf } from './server-config'

/** Where programs keep their servers: Deckhand, the common JSON, editors, and the documented TOML. */
const places = [['tools', 'mcp_servers'], ['mcpServers'], ['mcp_servers'], ['servers'], ['mcp', 'servers']]

/** Reads servers from another program's configuration, JSON or TOML. Does not start anything. */
export async function importServers(text: string): Promise<McpImport> {
  const root = text.trimStart().startsWith('{') ? readJson(text) : await readToml(text)
  const found = places.map((path) => valueAt(root, path)).find(isRecord) ?? (looksLikeServers(root) ? root : null)
  if (!found) return { servers: [], warnings: ['There are no MCP servers in this text'] }
  const warnings: string[] = []
  const servers = Object.entries(found).flatMap(([name, value]) => {
    const config = readConfig(value)
    const id = idFrom(name)
    if (!config || id === '') {
      warnings.push(`${name} makes no sense as an MCP server`)
      return []
    }
    if (id !== name) warnings.push(`${name} is called ${id} here`)
    if (transportOf(config) === 'none')
      warnings.push(`${name} has neither a command nor an address, so it will be skipped`)
    return [{ id, config }]
  })
  return { servers, warnings }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`This is not valid JSON: ${errorText(error)}`)
  }
}

async function readToml(text: string): Promise<unknown> {
  const { parse } = await import('smol-toml')
  try {
    return parse(text)
  } catch (error) {
    throw new Error(`This is neither JSON nor valid TOML: ${errorText(error).split('\n')[0]}`)
  }
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let here = root
  for (const key of path) here = isRecord(here) && Object.hasOwn(here, key) ? here[key] : undefined
  return here
}

const looksLikeServers = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every(
    (each) => isRecord(each) && (typeof each.command === 'string' || typeof each.url === 'string'),
  )
