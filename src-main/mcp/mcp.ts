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
import { createConnection } from './connection'
import { createConnectionMaterial, type TrialWish } from './connection-material'
import type { ConnectionOptions } from './connection-types'
import { importServers } from './import-servers'
import { createKnownTools, type Permissions } from './known-tools'
import { createLiveServers, type LiveServer } from './live-servers'
import { orAborted, whyMissing } from './missing-tool'
import { createOffers, type Offers } from './offers'
import { createOwnServers, type SaveServer } from './own-servers'
import { createProjects, type Projects } from './projects'
import { createServerSecrets } from './server-secrets'
import { createSignIns } from './sign-ins'
import { shownName } from './tool-definition'

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
  save(wish: SaveServer): McpServerInfo[]
  remove(id: string): McpServerInfo[]
  enable(id: string, enabled: boolean): McpServerInfo[]
  restart(id: string): void
  test(wish: TrialWish): Promise<Trial>
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

export function createMcp(options: McpOptions): Mcp {
  const { log } = options
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

  const signIns = createSignIns({ ...options, fetchFor: options.signInFetch, changed })
  const material = createConnectionMaterial({ ...options, secrets, authFor: signIns.authFor })
  const servers = createLiveServers({ log, publish: options.publish, changed, connectionOf: material.of })
  const { find } = servers
  const catalogue = createCatalogue(servers, known, signIns)
  const { tools, view } = catalogue
  const forgetKnown = (id: string): void => {
    known.forget(id)
    signIns.signOut(id)
  }
  const projects = createProjects({
    ...options,
    servers,
    forget: ({ id }) => forgetKnown(id),
    mayStart: options.startProjects ?? true,
  })

  const own = createOwnServers({ ...options, servers, secrets, forget: forgetKnown, changed })

  const restart = (server: LiveServer): void => {
    servers.stop(server)
    servers.begin(server)
  }

  const viewAfter = (change: () => void): McpServerInfo[] => {
    change()
    return view()
  }

  return {
    tools,
    whyMissing: (name, folder, signal) => whyMissing(catalogue, name, folder, signal),
    untilTried: (id, signal) => orAborted(find(id).connection?.untilTried() ?? Promise.resolve(), signal),
    view,
    ...createOffers(catalogue, servers, log),
    save: (wish) => viewAfter(() => own.save(wish)),
    remove: (id) => viewAfter(() => own.remove(id)),
    enable: (id, enabled) => viewAfter(() => own.enable(id, enabled)),
    restart: (id) => restart(find(id)),
    test: (wish) => tryServer(material.ofTrial(wish)),
    async signIn(id, open) {
      const server = find(id)
      const signedIn = await signIns.signIn(id, material.addressOf(server), open)
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
      started ??= own.startAll()
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

interface Trial {
  ok: boolean
  message: string
  tools: string[]
}

/** Starts a server separately from the others, reads its tools, and ends it. */
async function tryServer(options: Omit<ConnectionOptions, 'changed' | 'log'>): Promise<Trial> {
  const heard: string[] = []
  const connection = createConnection({
    ...options,
    changed: () => {},
    log: (from, text) => void (heard.length < 20 && from !== 'server' && heard.push(text)),
  })
  try {
    await connection.start()
    const tools = connection.tools.map(({ name }) => shownName(name))
    if (connection.state === 'ready')
      return { ok: true, message: `It answers, with ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}.`, tools }
    const rest = heard.filter((line) => line !== connection.error).slice(-5)
    return { ok: false, message: [connection.error, ...rest].filter(Boolean).join('\n'), tools: [] }
  } finally {
    await connection.close()
  }
}
