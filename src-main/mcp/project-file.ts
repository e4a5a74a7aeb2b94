import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import type { McpProjectServer, McpServerConfig } from '../../src-preload/contract/mcp'
import { isRecord } from '../is-record'
import { readConfig, serverIdTrouble, transportOf } from './server-config'
import { looksSecret } from './server-secrets'

/** A project's current file, and the servers it defines. */
export interface ProjectFile {
  hash: string
  /** By name. Variables are not yet replaced by their values. */
  servers: Map<string, McpServerConfig>
  warnings: string[]
}

const fileName = '.mcp.json'
const maxBytes = 256 * 1024
const mostServers = 50

/** `null` if there is none. */
export async function readProjectFile(folder: string, nodes: readonly string[]): Promise<ProjectFile | null> {
  const text = await readText(join(folder, fileName))
  if (text === null) return null
  const file: ProjectFile = {
    hash: createHash('sha256').update(text).digest('hex'),
    servers: new Map(),
    warnings: [],
  }
  const found = serversIn(text)
  if (!found) return { ...file, warnings: [`${fileName} cannot be read: it is not JSON with mcpServers`] }
  for (const [name, value] of Object.entries(found).slice(0, mostServers)) {
    const config = readProjectConfig(value, folder)
    const trouble = serverIdTrouble(name, nodes)
    if (trouble) file.warnings.push(trouble)
    else if (!config || transportOf(config) === 'none')
      file.warnings.push(`${name} makes no sense as an MCP server, so it is left out`)
    else file.servers.set(name, config)
  }
  return file
}

/** A pipe or device at this path must not block or be read endlessly. */
async function readText(path: string): Promise<string | null> {
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = await file.stat()
    if (!stats.isFile() || stats.size > maxBytes) return null
    return await file.readFile('utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

function serversIn(text: string): Record<string, unknown> | null {
  try {
    const root: unknown = JSON.parse(text)
    return isRecord(root) && isRecord(root.mcpServers) ? root.mcpServers : null
  } catch {
    return null
  }
}

/**
 * The server runs in the project folder unless the file names another; secret fields are dropped. Disabled stays
 * disabled.
 */
function readProjectConfig(value: unknown, folder: string): McpServerConfig | null {
  if (!isRecord(value)) return null
  const { url, ...rest } = value
  // An address may start with a variable, and is not valid before that is replaced.
  const named = typeof url === 'string' && url.includes('${')
  const config = readConfig(named ? rest : value)
  if (!config) return null
  const { secretEnv: _, secretHeaders: __, ...open } = config
  const cwd = config.cwd ? (isAbsolute(config.cwd) ? config.cwd : resolve(folder, config.cwd)) : folder
  return { ...open, ...(named && { url }), ...(transportOf({ ...open, url: '' }) === 'stdio' && { cwd }) }
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** A configuration with the user's variables filled in, which of them are secret, and which are not set. */
export function fillIn(
  config: McpServerConfig,
  env: Readonly<Record<string, string | undefined>>,
): { config: McpServerConfig; secrets: string[]; missing: string[] } {
  const secrets = new Set<string>()
  const missing = new Set<string>()
  const fill = (text: string): string =>
    text.replace(variable, (_, name: string, otherwise: string | undefined) => {
      const value = env[name]
      if (value && looksSecret.test(name)) secrets.add(value)
      if (!value && otherwise === undefined) missing.add(name)
      return value || (otherwise ?? '')
    })
  return { config: mapTexts(config, fill), secrets: [...secrets], missing: [...missing] }
}

function mapTexts(config: McpServerConfig, map: (text: string) => string): McpServerConfig {
  const { command, args, url, env, headers } = config
  const mapAll = (texts: Record<string, string>) =>
    Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, map(value)]))
  return {
    ...config,
    ...(command !== undefined && { command: map(command) }),
    ...(args && { args: args.map(map) }),
    ...(url !== undefined && { url: map(url) }),
    ...(env && { env: mapAll(env) }),
    ...(headers && { headers: mapAll(headers) }),
  }
}

/** What the user reads before trusting it. */
export function describeServer(name: string, config: McpServerConfig): McpProjectServer {
  const { command = '', args = [], url, cwd, env = {}, headers = {} } = config
  const reads = new Set<string>()
  mapTexts(config, (text) => {
    for (const [, found = ''] of text.matchAll(variable)) reads.add(found)
    return text
  })
  const pairs = (values: Record<string, string>, sign: string): string[] =>
    Object.entries(values).map(([key, value]) => (looksSecret.test(key) ? key : `${key}${sign}${value}`))
  return {
    name,
    ...(transportOf(config) === 'stdio' ? { argv: [command, ...args] } : { url: url ?? '' }),
    cwd,
    env: pairs(env, '='),
    headers: pairs(headers, ': '),
    reads: [...reads],
  }
}
