import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { McpEvent, McpLogLine, McpServerConfig } from '../../src-preload/contract/mcp'
import { type Database, openDatabase } from '../database'
import { type Logger, silentLog } from '../log'
import { createMcp, type Mcp, type McpOptions } from './mcp'

const require = createRequire(import.meta.url)

/** The reference server with every feature, as a separate program. */
export const everything = require.resolve('@modelcontextprotocol/server-everything/dist/index.js')

/** Uses the running Node, so that the tests need none on the PATH. */
export const nodeServer = (script: string, ...args: string[]): McpServerConfig => ({
  command: process.execPath,
  args: [script, ...args],
  env: { ELECTRON_RUN_AS_NODE: '1' },
  enabled: true,
})

export interface McpBench {
  folder: string
  mcp: Mcp
  events: McpEvent[]
  warnings: string[]
  /** What the settings file would hold. */
  saved(): Record<string, McpServerConfig>
  secrets: Map<string, string>
  permitted: Set<string>
  lines(server: string): McpLogLine[]
  close(): Promise<void>
}

interface BenchOptions {
  mcpServers?: unknown
  tools?: unknown
  nodeIds?: string[]
  startProjects?: boolean
  fetch?: typeof fetch
  /** A folder with the state of an earlier run. */
  folder?: string
}

export function openMcpBench(options: BenchOptions = {}): McpBench {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'deckhand-mcp-'))
  const database: Database = openDatabase(folder)
  const events: McpEvent[] = []
  const warnings: string[] = []
  const secrets = new Map<string, string>()
  const permitted = new Set<string>()
  let saved: Record<string, McpServerConfig> = {}
  const log: Logger = {
    ...silentLog,
    warn: (message, fields) => void warnings.push([message, JSON.stringify(fields ?? '')].join(' ')),
  }
  const settings: McpOptions['settings'] = {
    read: () => ({ mcpServers: options.mcpServers, tools: options.tools }),
    write: (servers) => {
      saved = structuredClone(servers)
    },
  }
  const mcp = createMcp({
    database,
    log,
    version: '0.0.0',
    cwd: folder,
    settings,
    secrets: {
      get: (name) => secrets.get(name) ?? null,
      set: (name, value) => void secrets.set(name, value),
      remove: (name) => void secrets.delete(name),
    },
    onSecret: () => {},
    signInFetch: () => fetch,
    fetch: options.fetch,
    permissions: {
      has: (key) => permitted.has(key),
      give: (key) => void permitted.add(key),
      withdraw: (prefix) => {
        for (const key of permitted) if (key.startsWith(prefix)) permitted.delete(key)
      },
    },
    nodeIds: () => options.nodeIds ?? [],
    publish: (event) => void events.push(event),
    backoffMs: 20,
    startProjects: options.startProjects,
  })
  return {
    folder,
    mcp,
    events,
    warnings,
    saved: () => saved,
    secrets,
    permitted,
    lines: (server) => mcp.log(server),
    async close() {
      await mcp.close()
      database.close()
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The reference server over HTTP, on a port that was free a moment ago, or on the given one. */
export async function openHttpServer(at?: number): Promise<{ url: string; port: number; close(): Promise<void> }> {
  const port = at ?? (await freePort())
  const child = spawn(process.execPath, [everything, 'streamableHttp'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((listening, failed) => {
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.includes('listening')) listening()
    })
    child.once('exit', (code) => failed(new Error(`The server ended with ${code}`)))
  })
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    close: () =>
      new Promise((ended) => {
        child.once('exit', () => ended())
        child.kill('SIGKILL')
      }),
  }
}

const freePort = (): Promise<number> =>
  new Promise((found) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** A server in a few lines: it has the tools of the file beside it, and behaves as `mode` says. */
export const tinyServer = (at: string, tools: object[], mode = ''): string => {
  writeFileSync(join(at, 'tools.json'), JSON.stringify(tools))
  const path = join(at, 'server.mjs')
  writeFileSync(
    path,
    `import { readFileSync, watchFile } from 'node:fs'
import { createInterface } from 'node:readline'
const mode = ${JSON.stringify(mode)}
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const tools = () => JSON.parse(readFileSync(${JSON.stringify(join(at, 'tools.json'))}, 'utf8'))
if (mode === 'dies') process.exit(3)
process.on('SIGUSR1', () => say({ method: 'notifications/tools/list_changed' }))
console.error('tiny server speaks, SECRET=' + (process.env.SECRET_FOR_US ?? 'none') + ' GIVEN=' + (process.env.GIVEN_TOKEN ?? 'none'))
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (mode === 'asks' && method === 'notifications/initialized')
    for (const asked of ['sampling/createMessage', 'elicitation/create', 'roots/list']) say({ id: asked, method: asked, params: { message: 'Your password?', messages: [], maxTokens: 1, requestedSchema: { type: 'object', properties: {} } } })
  if (mode === 'refuses' && method === 'server/discover') process.exit(1)
  if (method === undefined) console.error('answer', line)
  if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'tiny', version: '1' } } })
  else if (method === 'tools/list') say({ id, result: { tools: tools() } })
  else if (method === 'tools/call') {
    if (params.name === 'die') process.exit(1)
    if (params.name === 'flood') { process.stdout.write('x'.repeat(40 * 1024 * 1024)); return }
    say({ id, result: { content: [{ type: 'text', text: JSON.stringify(params) }] } })
  } else if (id !== undefined) say({ id, error: { code: -32601, message: 'no' } })
})
`,
  )
  return path
}

export async function until(check: () => boolean): Promise<void> {
  const deadline = Date.now() + 40_000
  while (!check()) {
    if (Date.now() > deadline) throw new Error('It did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}
