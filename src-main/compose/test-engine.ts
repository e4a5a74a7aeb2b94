import type { ScriptedModel } from '../../e2e/scripted-model'
import { createEngine } from '../compose'
import type { Engine, EngineOptions } from '../engine'
import { openInProcessHost } from '../nodes/host-link'
import { memorySecrets } from '../settings/secrets'

/** An engine for tests: its terminals are in this process, and its secrets in memory. */
export const openEngine = (dataDir: string, options: Partial<EngineOptions> = {}): Promise<Engine> =>
  createEngine({ dataDir, openHost: openInProcessHost, secrets: memorySecrets(), interactive: false, ...options })

/** Saves the server of the scripted model as a provider, and returns the id of its first model. */
export const saveScripted = async (engine: Engine, { baseUrl }: ScriptedModel): Promise<string> => {
  const name = 'Scripted'
  const saved = await engine.providers.save({ name, kind: 'openai', baseUrl })
  return saved.find((provider) => provider.name === name)?.models[0]?.id ?? ''
}
