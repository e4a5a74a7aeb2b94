import type {
  McpEvent,
  McpImport,
  McpLogLine,
  McpPolicy,
  McpServerConfig,
  McpServerInfo,
} from '../../src-preload/contract/mcp'
import type { Database } from '../database'
import type { Logger } from '../log'
import { createCatalogue, type McpTool } from './catalogue'
import type { ConnectionOptions } from './connection-types'
import { importServers } from './import-servers'
import { createKnownTools, type Permissions } from './known-tools'
import { createLiveServers, type LiveServer } from './live-servers'
import { createOffers, type Offers } from './offers'
import { fillIn } from './project-file'
import { createProjects, type Projects } from './projects'
import { readServers, serverIdTrouble, transportOf } from './server-config'
import { createServerSecrets, type SecretValues } from './server-secrets'
import { createSignIns } from './sign-ins'
import { type Trial, tryServer } from './try-server'

/** MCP servers. Refusals are thrown as an `Error` with a message for the user. */
export interface Mcp extends Offers {
  /**
   * By full name: the user's own tools, and those of the folder if given. Returns the same map until something changes.
   */
  tools(folder?: string): ReadonlyMap<string, McpTool>
  /**
   * Why a tool is missing although its name belongs to a server, as a message for a model. Waits a while for a server
   * that is starting; null if the tool is there by then, or if the name belongs to no server.
   */
  whyMissing(fullName: string, folder: string, signal: AbortSignal): Promise<string | null>
  /** Settles when a starting server has connected or failed, or when the signal aborts. */
  untilTried(id: string, signal: AbortSignal): Promise<void>
  view(): McpServerInfo[]
  save(wish: {
    id: string
    previousId?: string | undefined
    config: McpServerConfig
    secrets?: SecretValues | undefined
  }): McpServerInfo[]
  remove(id: string): McpServerInfo[]
  enable(id: string, enabled: boolean): McpServerInfo[]
  restart(id: string): void
  test(wish: { id?: string | undefined; config: McpServerConfig; secrets?: SecretValues | undefined }): Promise<Trial>
  /** `open` shows the user an address. Settles when they have signed in or given up. */
  signIn(id: string, open: (address: string) => Promise<boolean> | boolean): Promise<McpServerInfo[]>
  cancelSignIn(id: string): void
  signOut(id: string): McpServerInfo[]
  log(id: string): McpLogLine[]
  import(text: string): Promise<McpImport>
  setPolicy(id: string, tool: string, policy: McpPolicy): McpServerInfo[]
  acceptChange(id: string, tool: string): McpServerInfo[]
  /** Servers that are defined by a folder. */
  projects: Projects
  /** Starts all enabled servers, once, and settles when each has connected or failed. */
  start(): Promise<void>
  close(): Promise<void>
}

export interface McpOptions {
  database: Database
  log: Logger
  version: string
  /** The working folder of servers that do not name one. */
  cwd: string
  /** The sections `mcpServers` and `tools` of the settings file. */
  settings: { read(): { mcpServers: unknown; tools: unknown }; write(servers: Record<string, McpServerConfig>): void }
  secrets: { get(name: string): string | null; set(name: string, secret: string): void; remove(name: string): void }
  /** Called with every secret before it is used, so that logs can leave it out. */
  onSecret(secret: string): void
  /** How requests to servers leave this machine. */
  fetch?: typeof fetch
  /** `fetch` for the sign-in requests of a server at this address. */
  signInFetch(url: string): typeof fetch
  permissions: Permissions
  /** Ids of machines, which are also used as a prefix before `__`. */
  nodeIds(): string[]
  publish(event: McpEvent): void
  /** Whether trusted servers of a project start when the project is opened. */
  startProjects?: boolean
  backoffMs?: number
}

const announceMs = 50
/** How long a call waits for its server to start. */
const patienceMs = 15_000

export function createMcp(options: McpOptions): Mcp {
  const { settings, log } = options
  const known = createKnownTools(options.database, options.permissions)
  const secrets = createServerSecrets(options.secrets, options.onSecret)
  let news: NodeJS.Timeout | undefined
  let closed = false
  let started: Promise<void> | null = null

  const changed = (): void => {
    catalogue.outdate()
    if (news || closed) return
    news = setTimeout(() => {
      news = undefined
      options.publish({ type: 'mcp', servers: view() })
    }, announceMs)
    news.unref()
  }

  const connectionOf = (server: LiveServer) => {
    const material = materialOf(server)
    return {
      ...material,
      name: server.name,
      fetch: options.fetch ?? fetch,
      auth: signIns.authFor(server.id, material.config.url ?? ''),
      root: server.project === null ? rootOf(server.config) : { folder: server.project },
      version: options.version,
      cwd: options.cwd,
      ...(options.backoffMs !== undefined && { backoffMs: options.backoffMs }),
    }
  }
  /** A project's file holds no secrets, but may refer to the user's environment variables. */
  const materialOf = ({ id, config, project }: LiveServer): Pick<ConnectionOptions, 'config' | 'secrets'> => {
    if (project === null) return { config, secrets: secrets.of(id, config) }
    const filled = fillIn(config, process.env)
    for (const secret of filled.secrets) options.onSecret(secret)
    return { config: filled.config, secrets: { env: {}, headers: {} } }
  }

  const signIns = createSignIns({
    secrets: options.secrets,
    onSecret: options.onSecret,
    fetchFor: options.signInFetch,
    changed,
  })
  const servers = createLiveServers({ log, publish: options.publish, changed, connectionOf })
  const { find } = servers
  const catalogue = createCatalogue(servers, known, signIns)
  const { tools, view } = catalogue
  const projects = createProjects({
    database: options.database,
    servers,
    nodeIds: options.nodeIds,
    publish: options.publish,
    forget: ({ id }) => {
      known.forget(id)
      signIns.signOut(id)
    },
    mayStart: options.startProjects ?? true,
  })

  const saved = settings.read()
  const { servers: own, warnings } = readServers(saved.mcpServers, saved.tools, options.nodeIds())
  for (const warning of warnings) log.warn(warning)
  for (const [id, config] of own) servers.add({ id, name: id, project: null, config })

  const owned = (): LiveServer[] => [...servers.all.values()].filter(({ project }) => project === null)
  const findOwn = (id: string): LiveServer => {
    const server = find(id)
    if (server.project !== null) throw new Error(`${server.name} belongs to a project, whose file says how it is`)
    return server
  }
  const keep = (): void => settings.write(Object.fromEntries(owned().map(({ id, config }) => [id, config])))

  const startAll = async (): Promise<void> => {
    for (const { id, config } of owned()) {
      if (transportOf(config) !== 'none') continue
      log.warn('An MCP server is skipped: it has neither a command nor an address', { server: id })
    }
    const enabled = owned().filter(({ config, connection }) => config.enabled && !connection)
    await Promise.all(enabled.map(servers.start))
    if (servers.all.size > 0 || warnings.length > 0) changed()
  }

  const restart = (server: LiveServer): void => {
    servers.stop(server)
    servers.begin(server)
  }

  const whyMissing: Mcp['whyMissing'] = async (name, folder, signal) => {
    const server = catalogue.serverOf(name, folder)
    if (!server) return null
    if (!server.connection) return `The MCP server ${server.name} is switched off.`
    const enough = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    await orAborted(server.connection.untilTried(), enough)
    signal.throwIfAborted()
    if (tools(folder).has(name)) return null
    return missingWords(server)
  }

  return {
    tools,
    whyMissing,
    untilTried: (id, signal) => orAborted(find(id).connection?.untilTried() ?? Promise.resolve(), signal),
    view,
    ...createOffers(catalogue, servers, log),
    save({ id, previousId, config, secrets: values = {} }) {
      const trouble = serverIdTrouble(id, options.nodeIds())
      if (trouble) throw new Error(trouble)
      if (previousId !== id && servers.all.has(id)) throw new Error(`There is a server ${id} already`)
      const previous = servers.all.has(previousId ?? id) ? findOwn(previousId ?? id) : null
      if (previous) servers.stop(previous)
      if (previousId !== undefined && previousId !== id) {
        if (previous) servers.remove(previous)
        signIns.signOut(previousId)
        known.forget(previousId)
      }
      const server = servers.add({
        id,
        name: id,
        project: null,
        config: secrets.keep(id, config, values, previousId),
        lines: previous?.lines ?? [],
      })
      keep()
      if (server.config.enabled) servers.begin(server)
      changed()
      return view()
    },
    remove(id) {
      const server = findOwn(id)
      servers.remove(server)
      secrets.forget(id, server.config)
      signIns.signOut(id)
      known.forget(id)
      keep()
      return view()
    },
    enable(id, enabled) {
      const server = findOwn(id)
      server.config = { ...server.config, enabled }
      keep()
      servers.stop(server)
      if (enabled) servers.begin(server)
      return view()
    },
    restart: (id) => restart(find(id)),
    test: ({ id, config, secrets: values = {} }) =>
      tryServer({
        config,
        secrets: secrets.trial(id, config, values),
        name: id ?? 'it',
        fetch: options.fetch ?? fetch,
        auth: signIns.authFor(id ?? '', config.url ?? ''),
        root: rootOf(config),
        version: options.version,
        cwd: options.cwd,
      }),
    async signIn(id, open) {
      const server = find(id)
      const signedIn = await signIns.signIn(id, materialOf(server).config.url ?? '', open)
      // It may have been removed, or ended with its project, while the user was signing in.
      if (servers.all.get(id) !== server) signIns.signOut(id)
      else if (signedIn) restart(server)
      return view()
    },
    cancelSignIn: (id) => signIns.cancel(id),
    signOut(id) {
      const server = find(id)
      signIns.signOut(id)
      if (server.connection) restart(server)
      return view()
    },
    log: (id) => [...find(id).lines],
    import: importServers,
    setPolicy(id, tool, policy) {
      const { server, definition } = catalogue.find(id, tool)
      known.decide(id, server.config, definition, policy)
      changed()
      return view()
    },
    acceptChange(id, tool) {
      const { server, definition } = catalogue.find(id, tool)
      known.accept(id, server.config, definition)
      changed()
      return view()
    },
    projects,
    start() {
      started ??= startAll()
      return started
    },
    async close() {
      closed = true
      clearTimeout(news)
      signIns.close()
      await servers.close()
    },
  }
}

/** Settles with the work, or when the signal aborts. */
const orAborted = (work: Promise<void>, signal: AbortSignal): Promise<void> =>
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

/** A server that is told a folder may limit itself to it, whatever its arguments say, so this is opt-in. */
const rootOf = ({ tellFolder }: McpServerConfig): ConnectionOptions['root'] => (tellFolder ? 'of-the-session' : null)
