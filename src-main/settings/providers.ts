import type { KeySource, Provider, ProviderKind } from '../../src-preload/contract/models'
import type { Model } from '../agent/model'
import { type ListedModel, listModels, probe } from '../agent/model-list'
import type { Logger } from '../log'
import type { Network } from '../network/network'
import type { createKeySources } from './key-source'
import { createKnownProviders, secretName } from './known-providers'
import { type LocalServer, localServers } from './local-servers'
import { createModelChoice, guideId } from './model-choice'
import type { ModelLessons } from './model-lessons'
import { type SecretStore, temporaryId } from './secrets'
import type { SavedModel, SavedProvider, SettingsFile } from './settings'

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

export type Providers = ReturnType<typeof createProviders>

const listMs = 15_000
const defaultDetectMs = 800

/** All model providers: those the user added, and servers found on this machine. */
export const createProviders = (options: ProvidersOptions) => {
  const { settings, secrets, log } = options
  const known = createKnownProviders(options)
  const { all, find, keyOf, endpointOf, list } = known
  const choice = createModelChoice({ ...options, ...known })

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
    if (known.isDetected(provider)) Object.assign(provider, { models: found, listedAt })
    else replace({ ...provider, models: found, listedAt })
    return published()
  }

  return {
    list,
    refresh,
    /** Saves a provider and fetches its models. It is saved even if the server is down. */
    save: async (input: ProviderInput): Promise<Provider[]> => {
      const before = input.id === undefined ? undefined : settings.providers().find(({ id }) => id === input.id)
      if (input.id !== undefined && !before) throw new Error('There is no such provider.')
      const { name, kind, baseUrl } = input
      const keySource = input.keySource === undefined ? before?.keySource : (input.keySource ?? undefined)
      options.keySources?.forget()
      const id = before?.id ?? freeId(name, all())
      const moved = before !== undefined && secretName(before) !== secretName({ id, baseUrl })
      const provider: SavedProvider = {
        id,
        name,
        kind,
        baseUrl,
        models: moved ? [] : (before?.models ?? []),
        keySource,
        ...(!moved && before?.listedAt !== undefined && { listedAt: before.listedAt }),
      }
      known.keepKey(provider, before, input.key)
      replace(provider)
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
      const { id, kind, baseUrl, keySource } = input
      const stored = (): string | null | Promise<string> =>
        keySource ? keyOf({ id: '', baseUrl, keySource }) : id === undefined ? null : keyOf({ id, baseUrl })
      const key = (): string | null | Promise<string> => input.key ?? stored()
      if (input.key) options.onKey?.(input.key)
      return probe(kind, { baseUrl, key, network: options.network }, AbortSignal.timeout(listMs))
    },
    /** Adds a provider for this run only, from the command line. */
    addTemporary: (kind: ProviderKind, baseUrl: string): string => {
      known.setTemporary({ id: temporaryId, name: 'Command line', kind, baseUrl, models: [] })
      return temporaryId
    },
    /** Looks for model servers on this machine. Slow, so do not call it before the first window is shown. */
    detect: async (): Promise<void> => {
      const before = JSON.stringify(known.detected())
      const { local, detectMs = defaultDetectMs } = options
      const models = (provider: SavedProvider) => fetchModels(provider, detectMs)
      known.setDetected(
        await findLocalServers(local ?? localServers, settings.providers(), known.detected(), models, log),
      )
      if (JSON.stringify(known.detected()) !== before) published()
    },
    ...choice,
  }
}

const withIds = (providerId: string, listed: ListedModel[]): SavedModel[] =>
  listed.map((model) => ({ ...model, id: `${providerId}/${model.name}` }))

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

/** The model servers that answer on this machine, without those that the user has saved. */
async function findLocalServers(
  servers: readonly LocalServer[],
  saved: readonly SavedProvider[],
  before: readonly SavedProvider[],
  fetchModels: (provider: SavedProvider) => Promise<SavedModel[]>,
  log: Logger,
): Promise<SavedProvider[]> {
  const look = async ({ id, name, baseUrl }: LocalServer): Promise<SavedProvider[]> => {
    const provider: SavedProvider = { id, name, kind: 'openai', baseUrl, models: [] }
    try {
      // A constant instead of the current time, so that an unchanged list is not published again.
      return [{ ...provider, models: await fetchModels(provider), listedAt: 1 }]
    } catch (error) {
      log.debug('No local server', { server: name, error: String(error) })
      // Keep a server that was found before: it may come back soon, and its error helps more than its absence.
      return before.filter((found) => found.id === id)
    }
  }
  const unsaved = servers.filter(({ baseUrl }) => !saved.some((each) => sameServer(each.baseUrl, baseUrl)))
  return (await Promise.all(unsaved.map(look))).flat()
}

const sameServer = (a: string, b: string): boolean => {
  const host = (url: string) => new URL(url).host.replace(/^localhost:/, '127.0.0.1:')
  return host(a) === host(b)
}
