import type { settingsCalls } from '../../src-preload/contract/settings-calls'
import type { Engine } from '../engine'
import { type HandlersFor, nothing } from './handlers'

/** Settings, and the models with their keys. */
export const settingsHandlers = ({ providers, updateSettings }: Engine): HandlersFor<typeof settingsCalls> => ({
  'settings.update': updateSettings,
  'provider.save': (provider) => providers.save(provider),
  'provider.remove': ({ id }) => providers.remove(id),
  'provider.refresh': ({ id }) => providers.refresh(id),
  'provider.detect': async () => nothing(await providers.detect()),
  'provider.test': (provider) => providers.test(provider),
})
