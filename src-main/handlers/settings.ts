import type { settingsCalls } from '../../src-preload/contract/settings-calls'
import type { Engine } from '../engine'
import { openLink } from '../window'
import { type HandlersFor, nothing } from './handlers'

/** Settings, and the models with their keys. */
export const settingsHandlers = ({
  providers,
  signIns,
  network,
  setProxyPassword,
  updateSettings,
}: Engine): HandlersFor<typeof settingsCalls> => ({
  'settings.update': (patch) => nothing(updateSettings(patch)),
  'provider.save': async (provider) => nothing(await providers.save(provider)),
  'provider.remove': ({ id }) => nothing(providers.remove(id)),
  'provider.refresh': async ({ id }) => nothing(await providers.refresh(id)),
  'provider.detect': async () => nothing(await providers.detect()),
  'provider.test': (provider) => providers.test(provider),
  'provider.signIn': () => signIns.openRouter(openLink),
  'provider.cancelSignIn': () => nothing(signIns.cancel()),
  'network.setPassword': ({ password }) => nothing(setProxyPassword(password)),
  'network.status': () => network.status(),
  'network.test': ({ url }) => network.test(new URL(url)),
})
