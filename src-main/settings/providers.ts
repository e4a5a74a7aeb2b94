import type {
  Effort,
  KeySource,
  ModelInfo,
  ModelPrice,
  Provider,
  ProviderKind,
} from '../../src-preload/contract/models'
import type { Endpoint } from '../agent/http'
import type { LessonBook } from '../agent/lessons'
import { type Model, thinkingRoom } from '../agent/model'
import { assumedWindow } from '../agent/model-facts'
import { type ListedModel, listModels, probe } from '../agent/model-list'
import { openaiModel } from '../agent/openai'
import type { Logger } from '../log'
import type { Network } from '../network/network'
import type { createKeySources } from './key-source'
import { describeModel } from './known-models'
import { type LocalServer, localServers } from './local-servers'
import type { ModelLessons } from './model-lessons'
import { type SecretStore, temporaryId } from './secrets'
import type { SavedModel, SavedProvider, SettingsFile } from './settings'

/** The built-in model, which is always available. */
export const guideId = 'guide'

interface ProvidersOptions {
  settings: SettingsFile
  secrets: SecretStore
  /** Used when no other model is available. */
  guide: Model
  publish(providers: Provider[]): void
  log: Logger
  /** Lessons about servers from earlier runs. */
  lessons?: Pick<ModelLessons, 'bookFor'>
  /** Called with each key before it is used, so that logs can redact it. */
  onKey?(key: string): void
  /** How requests leave this machine. */
  network?: Network
  /** Reads keys that are not stored. */
  keySources?: ReturnType<typeof createKeySources>
  /** Servers to look for on this machine. */
  local?: readonly LocalServer[]
  detectMs?: number
}

interface ProviderInput {
  id?: string
  name: string
  kind: ProviderKind
  baseUrl: string
  /** Absent: keep the stored key. Empty: delete it. */
  key?: string
  /** Absent: as before. Null: the stored key. */
  keySource?: KeySource | null
}

interface ResolvedModel {
  model: Model
  modelName: string
  /** 0 if unknown. */
  contextWindow: number
  /** The context window, or an estimate if it is unknown. */
  assumedWindow: number
  efforts: readonly Effort[]
  /** Tokens that it may think, beside its answer. */
  thinkingTokens?: number
  price?: ModelPrice
}

export type Providers = ReturnType<typeof createProviders>

const listMs = 15_000
const defaultDetectMs = 800

/** All model providers: those the user added, and servers found on this machine. */
export const createProviders = (options: ProvidersOptions) => {
  const { settings, secrets, log } = options
  let detected: SavedProvider[] = []
  let temporary: SavedProvider | null = null
  const models = new Map<string, { address: string; model: Model }>()

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
      ...(provider.keySource && { keySource: provider.keySource }),
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

  const published = (): Provider[] => {
    const providers = list()
    options.publish(providers)
    return providers
  }

  settings.onChange((_, changed) => {
    if (changed.modelCorrections) published()
  })

  const replace = (provider: SavedProvider): void => {
    const saved = settings.providers()
    const others = saved.filter(({ id }) => id !== provider.id)
    const position = saved.findIndex(({ id }) => id === provider.id)
    settings.setProviders(others.toSpliced(position === -1 ? others.length : position, 0, provider))
  }

  const fetchModels = async (provider: SavedProvider, ms: number): Promise<SavedModel[]> =>
    withIds(provider.id, await listModels(provider.kind, endpointOf(provider), AbortSignal.timeout(ms)))

  const refresh = async (id: string): Promise<Provider[]> => {
    const provider = find(id)
    const found = await fetchModels(provider, listMs)
    const listedAt = Date.now()
    if (detected.includes(provider)) Object.assign(provider, { models: found, listedAt })
    else replace({ ...provider, models: found, listedAt })
    return published()
  }

  return {
    list,
    refresh,
    /** Saves a provider and fetches its models. It is saved even if the server is down. */
    save: async (input: ProviderInput): Promise<Provider[]> => {
      const known = input.id === undefined ? undefined : settings.providers().find(({ id }) => id === input.id)
      if (input.id !== undefined && !known) throw new Error('There is no such provider.')
      const { name, kind, baseUrl } = input
      const keySource = input.keySource === undefined ? known?.keySource : (input.keySource ?? undefined)
      options.keySources?.forget()
      const id = known?.id ?? freeId(name, all())
      const moved = known !== undefined && secretName(known) !== secretName({ id, baseUrl })
      // A key is only valid for the host that it was entered for.
      if (moved) secrets.remove(secretName(known))
      if (input.key === '' || keySource) secrets.remove(secretName({ id, baseUrl }))
      else if (input.key !== undefined) secrets.set(secretName({ id, baseUrl }), input.key)
      replace({
        id,
        name,
        kind,
        baseUrl,
        models: moved ? [] : (known?.models ?? []),
        ...(keySource && { keySource }),
        ...(!moved && known?.listedAt !== undefined && { listedAt: known.listedAt }),
      })
      published()
      return refresh(id).catch((error) => {
        log.info('A provider did not list its models', { provider: id, error: String(error) })
        return list()
      })
    },
    remove: (id: string): Provider[] => {
      const provider = settings.providers().find((candidate) => candidate.id === id)
      if (!provider) throw new Error('There is no such provider.')
      secrets.remove(secretName(provider))
      settings.setProviders(settings.providers().filter((candidate) => candidate.id !== id))
      return published()
    },
    /** Saves nothing. A stored key is used only for the host that it was entered for. */
    test: (input: Omit<ProviderInput, 'name'>) => {
      if (!URL.canParse(input.baseUrl))
        return Promise.resolve({ ok: false, message: 'This is not a web address.', models: 0 })
      const { id, kind, baseUrl } = input
      const { keySource } = input
      const stored = (): string | null | Promise<string> =>
        keySource ? keyOf({ id: '', baseUrl, keySource }) : id === undefined ? null : keyOf({ id, baseUrl })
      const key = (): string | null | Promise<string> => input.key ?? stored()
      if (input.key) options.onKey?.(input.key)
      return probe(kind, { baseUrl, key, network: options.network }, AbortSignal.timeout(listMs))
    },
    /** Adds a provider for this run only, from the command line. */
    addTemporary: (kind: ProviderKind, baseUrl: string): string => {
      temporary = { id: temporaryId, name: 'Command line', kind, baseUrl, models: [] }
      return temporary.id
    },
    /** Looks for model servers on this machine. Slow, so do not call it before the first window is shown. */
    detect: async (): Promise<void> => {
      const before = JSON.stringify(detected)
      const found = await Promise.all(
        (options.local ?? localServers).map(async ({ id, name, baseUrl }): Promise<SavedProvider[]> => {
          if (settings.providers().some((saved) => sameServer(saved.baseUrl, baseUrl))) return []
          const provider: SavedProvider = { id, name, kind: 'openai', baseUrl, models: [] }
          try {
            provider.models = await fetchModels(provider, options.detectMs ?? defaultDetectMs)
            // A constant instead of the current time, so that an unchanged list is not published again.
            provider.listedAt = 1
            return [provider]
          } catch (error) {
            log.debug('No local server', { server: name, error: String(error) })
            // Keep a server that was found before: it may come back soon, and its error helps more than its absence.
            return detected.filter((known) => known.id === id)
          }
        }),
      )
      detected = found.flat()
      if (JSON.stringify(detected) !== before) published()
    },
    /** Throws an error with a message for the user if the provider no longer exists. */
    modelFor: (modelId: string): ResolvedModel => {
      if (modelId === guideId) {
        const window = 100_000
        return { model: options.guide, modelName: guideId, contextWindow: window, assumedWindow: window, efforts: [] }
      }
      const slash = modelId.indexOf('/')
      const provider = all().find(({ id }) => id === modelId.slice(0, slash))
      if (slash === -1 || !provider) throw new Error(`The model ${modelId} is not there any more.`)
      const modelName = modelId.slice(slash + 1)
      const listed = provider.models.find(({ name }) => name === modelName) ?? { id: modelId, name: modelName }
      const { contextWindow, price, efforts } = described(provider, listed)
      // One object per server, since it learns what the server supports.
      const address = `${provider.kind} ${provider.baseUrl}`
      const kept = models.get(provider.id)
      const model =
        kept?.address === address
          ? kept.model
          : build(provider.kind, endpointOf(provider), () => options.lessons?.bookFor(address))
      models.set(provider.id, { address, model })
      return {
        model,
        modelName,
        contextWindow,
        assumedWindow: contextWindow || assumedWindow(modelName),
        efforts,
        // At a server that does not say, a model that thinks is known by its levels of effort.
        thinkingTokens: efforts.length > 0 ? thinkingRoom : 0,
        ...(price && { price }),
      }
    },
    /** The model for new sessions. */
    defaultModel: (): string => {
      const wanted = settings.current().defaultModel
      const offered = all().flatMap(({ models: each }) => each)
      if (wanted === guideId || offered.some(({ id }) => id === wanted)) return wanted
      // A provider that lists no models may still have the wanted one.
      if (all().some(({ id, models: each }) => each.length === 0 && wanted.startsWith(`${id}/`))) return wanted
      return offered[0]?.id ?? guideId
    },
  }
}

/** The name includes the host, so that a changed settings file cannot send a key to another host. */
const secretName = ({ id, baseUrl }: { id: string; baseUrl: string }): string =>
  `${id}@${URL.canParse(baseUrl) ? new URL(baseUrl).origin : ''}`

/** Lessons are looked up and Anthropic's API is loaded when a model is first used. */
const build = (kind: ProviderKind, endpoint: Endpoint, lessons: () => LessonBook | undefined): Model =>
  onFirstUse(async () => {
    if (kind === 'openai') return openaiModel(endpoint, lessons())
    const { anthropicModel } = await import('../agent/anthropic')
    return anthropicModel(endpoint, lessons())
  })

const onFirstUse = (load: () => Promise<Model>): Model => {
  let model: Model | undefined
  async function* first(...asked: Parameters<Model['stream']>) {
    model ??= await load()
    yield* model.stream(...asked)
  }
  return { stream: (...asked) => (model ? model.stream(...asked) : first(...asked)) }
}

const withIds = (providerId: string, listed: ListedModel[]): SavedModel[] =>
  listed.map((model) => ({ ...model, id: `${providerId}/${model.name}` }))

const sameServer = (a: string, b: string): boolean => {
  const host = (url: string) => new URL(url).host.replace(/^localhost:/, '127.0.0.1:')
  return host(a) === host(b)
}

/** A unique id without slashes, since it is part of every model id. */
const freeId = (name: string, taken: SavedProvider[]): string => {
  const stem =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'provider'
  const reserved = new Set([guideId, temporaryId, ...taken.map(({ id }) => id)])
  let id = stem
  for (let n = 2; reserved.has(id); n++) id = `${stem}-${n}`
  return id
}
