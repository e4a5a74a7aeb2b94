import { homedir } from 'node:os'
import { version } from '../../package.json'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { Settings } from '../../src-preload/contract/settings'
import type { Database } from '../database'
import { isRecord } from '../is-record'
import type { openLog } from '../log'
import { createMcp, type Mcp } from '../mcp/mcp'
import type { Network } from '../network/network'
import type { Store } from '../session/store'
import type { SecretStore } from '../settings/secrets'
import type { SettingsFile } from '../settings/settings'
import type { ToolPrefixes } from '../tool-prefixes'
import { createMcpTools } from '../tools/mcp-tool'
import type { Tool } from '../tools/tool'
import { standardFetch } from '../web/standard-fetch'
import { createWeb, type Web } from '../web/web'

export interface WebParts {
  web: Web
  mcp: Mcp
  /** Those of a folder come on top, where one is given. */
  mcpTools(folder?: string): ReadonlyMap<string, Tool>
  /** Whether a folder has servers of its own. */
  mcpServes(folder: string): boolean
  close(): Promise<void>
}

interface WebPartsOptions {
  database: Database
  store: Store
  settingsFile: SettingsFile
  settings(): Settings
  secrets: SecretStore
  prefixes: ToolPrefixes
  /** Whether servers start by themselves in this run. */
  startServers: boolean
  subscribe(listener: (event: DeckhandEvent) => void): () => void
  publish(event: DeckhandEvent): void
  network: Network
  log: ReturnType<typeof openLog>
}

/** Joins what brings untrusted text into a session: the web, and the tools of MCP servers. */
export function composeWeb(options: WebPartsOptions): WebParts {
  const { store, settingsFile, settings, publish, log, network } = options
  const web = createWeb({
    network,
    allowLocal: () => settings().webAllowLocal,
    searchEndpoint: () => settings().webSearchEndpoint || documentedEndpoint(settingsFile.section('tools')),
  })
  const rulesChanged = (): void => publish({ type: 'rules', rules: store.rules.list() })
  const mcp = createMcp({
    database: options.database,
    log,
    version,
    cwd: homedir(),
    settings: {
      read: () => ({ mcpServers: settingsFile.section('mcpServers'), tools: settingsFile.section('tools') }),
      write: (servers) => {
        settingsFile.setSection('mcpServers', servers)
        // From now on they stand in one place: what is removed there must not come back from the other.
        const section = settingsFile.section('tools')
        const { mcp_servers: moved, ...tools } = isRecord(section) ? section : {}
        if (moved !== undefined) settingsFile.setSection('tools', tools)
      },
    },
    secrets: options.secrets,
    onSecret: log.hide,
    fetch: network.fetch,
    signInFetch: (url) => standardFetch(web.fetch, new URL(url).hostname),
    permissions: {
      has: (key) => toolRules(store, (each) => each === key).some(({ verdict }) => verdict === 'allow'),
      give: (key, action, sentence) => {
        store.durably(() =>
          store.rules.add({
            scope: 'everywhere',
            subject: '',
            verdict: 'allow',
            action,
            match: { kind: 'tool', key },
            sentence,
          }),
        )
        rulesChanged()
      },
      withdraw: (prefix) => {
        const rules = toolRules(store, (key) => key.startsWith(prefix))
        for (const { id } of rules) store.rules.revoke(id)
        if (rules.length > 0) rulesChanged()
      },
    },
    nodeIds: () => options.prefixes.takenByOthers('mcp'),
    publish,
    startProjects: options.startServers,
  })
  options.prefixes.add('mcp', () => mcp.view().map(({ id }) => id))
  let closed = false
  const stopWatching = options.subscribe(
    atTurns((workspace) =>
      mcp.projects
        .look(workspace)
        .then(({ started }) => started)
        .catch((error: unknown) => {
          // A look that the end overtakes finds the database closed.
          if (!closed) log.warn('Looking at the MCP servers of a folder failed', { error })
        }),
    ),
  )
  return {
    web,
    mcp,
    mcpTools: createMcpTools(mcp, store.taint.add),
    mcpServes: mcp.projects.serves,
    close: async () => {
      closed = true
      stopWatching()
      await Promise.all([web.close(), mcp.close()])
    },
  }
}

/** Calls back with the workspace of each session that begins to work, whoever began it. */
function atTurns(begins: (workspace: string) => void): (event: DeckhandEvent) => void {
  const running = new Set<string>()
  return (event) => {
    if (event.type !== 'session') return
    const { id, status, workspace } = event.session
    if (status !== 'running') running.delete(id)
    else if (!running.has(id)) {
      running.add(id)
      begins(workspace)
    }
  }
}

const toolRules = (store: Store, matches: (key: string) => boolean) =>
  store.rules.list().filter(({ scope, match }) => scope === 'everywhere' && match.kind === 'tool' && matches(match.key))

/** `tools.web_search.endpoint`, as the documents of clawft have it. */
function documentedEndpoint(tools: unknown): string {
  const search = isRecord(tools) ? tools.web_search : undefined
  const endpoint = isRecord(search) ? search.endpoint : undefined
  return typeof endpoint === 'string' ? endpoint : ''
}
