import { join } from 'node:path'
import { clearTemporary } from '../changes/clear-temporary'
import type { AgentParts, Engine } from '../engine'
import { clearLeftovers } from '../nodes/files/partial-file'
import { sweep } from '../session/sweep'
import { removeLeftFolders } from '../temporary'
import { judgement } from './gate'
import type { ServiceParts } from './services'
import type { Storage } from './storage'

/** Models on this machine are offered a moment after the window has drawn. */
const detectAfterMs = 300
/** Other programs may start once the window has drawn. */
const mcpAfterMs = 500
/** The first call comes no sooner than a model can answer. */
const judgementAfterMs = 700
/** Nodes try again by themselves, so their door may open after the window has drawn. */
const gatewayAfterMs = 1_000
const servicesAfterMs = 1_500
/** Notes that change are read before every search anyway. */
const memoryAfterMs = 3_000
const tidyAfterMs = 30_000
/** Those that were worked in last. */
const mostWorkspaces = 10

interface LaterOptions extends Pick<Engine, 'providers' | 'mcp' | 'nodes' | 'shellNodes' | 'table' | 'receipts'> {
  storage: Storage
  services: ServiceParts
  memory: AgentParts['memory']
  dataDir: string
  spillDir: string
  interactive: boolean
  serves: boolean
  /** On a slow machine that takes longer than all of the times above. */
  drawn: Promise<unknown>
}

/** Begins by and by what the window can be drawn without. Returns the way to leave the rest of it. */
export function beginLater(options: LaterOptions): () => void {
  const { storage, nodes, shellNodes, services, receipts, table, spillDir, interactive, serves } = options
  const { log, database, store, starts } = storage
  const calm = !starts?.cautious

  const startMcp = (): void =>
    void options.mcp.start().catch((error: unknown) => log.error('Starting the MCP servers failed', { error }))
  const watchMemory = (): void =>
    void options.memory.watch().catch((error: unknown) => log.warn('Watching the notes failed', { error }))
  const workspaces = (): string[] => [...new Set(store.sessions.list().map(({ workspace }) => workspace))]
  const tidy = (): void =>
    void Promise.all([
      database.backUp(),
      sweep({ store, table, spillDir }),
      ...workspaces().map((each) => clearLeftovers(each)),
      clearAfterCrash([join(options.dataDir, 'agents'), ...workspaces().slice(0, mostWorkspaces)]),
    ])
      .then(receipts.sweep)
      .catch((error: unknown) => log.error('Tidying up failed', { error }))

  const begin = () => [
    interactive && setTimeout(() => void options.providers.detect(), detectAfterMs),
    interactive && calm && setTimeout(startMcp, mcpAfterMs),
    interactive && setTimeout(() => void judgement(), judgementAfterMs),
    interactive && calm && setTimeout(nodes.startIfNeeded, gatewayAfterMs),
    interactive && calm && serves && setTimeout(shellNodes.start, gatewayAfterMs),
    calm && serves && setTimeout(services.start, servicesAfterMs),
    interactive && setTimeout(watchMemory, memoryAfterMs),
    (interactive || serves) && setTimeout(tidy, tidyAfterMs),
  ]
  let left = false
  let timers: ReturnType<typeof begin> = []
  void options.drawn.then(() => {
    if (!left) timers = begin()
  })
  return () => {
    left = true
    for (const timer of timers) if (timer) clearTimeout(timer)
  }
}

/** What a run that was killed has left: files beside those it edited, and folders among the system's temporary files. */
async function clearAfterCrash(folders: readonly string[]): Promise<void> {
  removeLeftFolders()
  for (const folder of folders) await clearTemporary(folder)
}
