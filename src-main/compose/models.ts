import { join } from 'node:path'
import { createGuide } from '../agent/guide'
import type { Engine, EngineOptions } from '../engine'
import { createNetwork } from '../network/network'
import { withholdVariable } from '../nodes/command-env'
import { createKeySources } from '../settings/key-source'
import { openModelLessons } from '../settings/model-lessons'
import { createProviderSignIns } from '../settings/provider-sign-ins'
import { createProviders } from '../settings/providers'
import { proxyPasswordName } from '../settings/secrets'
import type { Storage } from './storage'

type ModelParts = Pick<Engine, 'network' | 'providers' | 'signIns' | 'setProxyPassword'>

interface ModelPartsOptions extends Pick<EngineOptions, 'dataDir' | 'systemProxy'>, Pick<Engine, 'publish'> {
  storage: Storage
  /** The user's own shell, which commands for keys are written for. */
  shell: string
}

/** Joins the way to the models: the network, their keys, and the sign-ins that bring one. */
export function composeModels({ dataDir, systemProxy, storage, shell, publish }: ModelPartsOptions): ModelParts {
  const { log, settings, settingsFile, secrets } = storage
  const network = createNetwork({
    env: process.env,
    settings: () => {
      const { networkProxy, networkProxyUser, certificateFile } = settings()
      const proxyPassword = networkProxyUser === '' ? null : secrets.get(proxyPasswordName)
      return { proxy: networkProxy, proxyUser: networkProxyUser, proxyPassword, certificateFile }
    },
    onSecret: log.hide,
    warn: log.warn,
    systemProxy,
  })
  const keySources = createKeySources({
    env: process.env,
    shell,
    onKey: log.hide,
    onVariable: withholdVariable,
  })
  // Commands may run before any of the keys is read.
  for (const { keySource } of settingsFile.providers()) keySources.withhold(keySource)
  const providers = createProviders({
    network,
    keySources,
    settings: settingsFile,
    secrets,
    guide: createGuide(),
    publish: (list) => publish({ type: 'providers', providers: list }),
    log,
    lessons: openModelLessons(join(dataDir, 'model-lessons.json'), (error) =>
      log.warn('What servers have taught could not be read or kept', { error }),
    ),
    onKey: log.hide,
  })
  return {
    network,
    providers,
    signIns: createProviderSignIns({
      providers,
      fetch: network.fetch,
      openRouter: process.env.DECKHAND_OPENROUTER_URL,
      onKey: log.hide,
    }),
    setProxyPassword: (password) =>
      password === '' ? secrets.remove(proxyPasswordName) : secrets.set(proxyPasswordName, password),
  }
}
