import { createEngine } from '../compose'
import type { Engine, EngineOptions } from '../engine'
import { openInProcessHost } from '../nodes/host-link'
import { memorySecrets } from '../settings/secrets'

/** An engine for tests: its terminals are in this process, and its secrets in memory. */
export const openEngine = (dataDir: string, options: Partial<EngineOptions> = {}): Promise<Engine> =>
  createEngine({ dataDir, openHost: openInProcessHost, secrets: memorySecrets(), interactive: false, ...options })
