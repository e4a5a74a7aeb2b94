import type {
  FactSource,
  ModelCorrection,
  ModelInfo,
  ModelPrice,
  Provider,
  ProviderKind,
} from '../../src-preload/contract/models'
import type { Endpoint } from '../agent/http'
import { effortsOf } from '../agent/model-efforts'
import { modelFacts } from '../agent/model-facts'
import type { Network } from '../network/network'
import type { createKeySources } from './key-source'
import type { SecretStore } from './secrets'
import type { SavedModel, SavedProvider, SettingsFile } from './settings'

interface KnownProvidersOptions {
  settings: SettingsFile
  secrets: SecretStore
  onKey?(key: string): void
  network?: Network
  keySources?: ReturnType<typeof createKeySources>
}

/** The providers there are: saved, found on this machine, or named on the command line; each with its key. */
export const createKnownProviders = (options: KnownProvidersOptions) => {
  const { settings, secrets } = options
  let detected: SavedProvider[] = []
  let temporary: SavedProvider | null = null

  const all = (): SavedProvider[] => [...(temporary ? [temporary] : []), ...settings.providers(), ...detected]

  const find = (id: string): SavedProvider => {
    const provider = all().find((candidate) => candidate.id === id)
    if (!provider) throw new Error('There is no such provider.')
    return provider
  }

  const keyOf = (provider: Pick<SavedProvider, 'id' | 'baseUrl' | 'keySource'>): string | null | Promise<string> => {
    if (provider.keySource && options.keySources) return options.keySources.read(provider.keySource)
    const key = secrets.get(secretName(provider))
    if (key) options.onKey?.(key)
    return key
  }

  const endpointOf = (provider: SavedProvider): Endpoint => ({
    baseUrl: provider.baseUrl,
    key: () => keyOf(provider),
    network: options.network,
  })

  const list = (): Provider[] =>
    all().map((provider) => ({
      id: provider.id,
      name: provider.name,
      kind: provider.kind,
      baseUrl: provider.baseUrl,
      models: provider.models.map((model) => described(provider, model)),
      hasKey: provider.keySource !== undefined || secrets.has(secretName(provider)),
      keySource: provider.keySource,
      detected: detected.includes(provider),
    }))

  const described = (provider: SavedProvider, model: SavedModel): ModelInfo => {
    const { modelCorrections } = settings.current()
    return describeModel(
      model,
      provider,
      Object.hasOwn(modelCorrections, model.id) ? modelCorrections[model.id] : undefined,
    )
  }

  /** Stores the key of a provider that is saved, and forgets one that no longer applies. */
  const keepKey = (provider: SavedProvider, before: SavedProvider | undefined, key: string | undefined): void => {
    // A key is only valid for the host that it was entered for.
    if (before && secretName(before) !== secretName(provider)) secrets.remove(secretName(before))
    if (key === '' || provider.keySource) secrets.remove(secretName(provider))
    else if (key !== undefined) secrets.set(secretName(provider), key)
  }

  return {
    all,
    find,
    keyOf,
    endpointOf,
    list,
    described,
    keepKey,
    detected: (): readonly SavedProvider[] => detected,
    isDetected: (provider: SavedProvider): boolean => detected.includes(provider),
    setDetected: (found: SavedProvider[]): void => {
      detected = found
    },
    setTemporary: (provider: SavedProvider): void => {
      temporary = provider
    },
  }
}

/** The name includes the host, so that a changed settings file cannot send a key to another host. */
export const secretName = ({ id, baseUrl }: { id: string; baseUrl: string }): string =>
  `${id}@${URL.canParse(baseUrl) ? new URL(baseUrl).origin : ''}`

type Server = Pick<SavedProvider, 'kind' | 'baseUrl' | 'listedAt'>

/** Combines what is known about a model: from the user, else from its server, else from the table. */
const describeModel = (
  saved: SavedModel,
  { kind, baseUrl, listedAt }: { kind: ProviderKind } & Server,
  correction: ModelCorrection = {},
): ModelInfo => {
  const { id, name } = saved
  const said: Partial<SavedModel> = listedAt === undefined ? {} : saved
  const table = modelFacts(name, URL.canParse(baseUrl) ? new URL(baseUrl).host : '')
  const price = correctedPrice(said.price ?? table.price, correction.price)
  const source = (user: unknown, server: unknown, known: unknown): FactSource =>
    user ? 'user' : server ? 'server' : known ? 'table' : 'unknown'
  return {
    id,
    name,
    contextWindow: correction.contextWindow ?? said.contextWindow ?? table.contextWindow,
    price,
    efforts: said.efforts ?? effortsOf(kind, name),
    source: {
      contextWindow: source(correction.contextWindow, said.contextWindow, table.contextWindow),
      price: source(correction.price, said.price, table.price),
    },
  }
}

/** What the user leaves open stays as it is known, and a long request costs as much more than another as before. */
const correctedPrice = (known: ModelPrice | undefined, own: ModelCorrection['price']): ModelPrice | undefined => {
  if (!known || !own) return own ?? known
  const { long, ...rates } = known
  const price: ModelPrice = { ...rates, ...own }
  if (!long) return price
  const longRate = (rate: 'input' | 'output' | 'cached' | 'cacheWrite'): number =>
    Number(((long[rate] ?? 0) * (known[rate] ? (price[rate] ?? 0) / known[rate] : 1)).toFixed(6))
  return {
    ...price,
    long: {
      above: long.above,
      input: longRate('input'),
      output: longRate('output'),
      ...(long.cached !== undefined && { cached: longRate('cached') }),
      ...(long.cacheWrite !== undefined && { cacheWrite: longRate('cacheWrite') }),
    },
  }
}
