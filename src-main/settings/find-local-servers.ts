import type { Logger } from '../log'
import type { LocalServer } from './local-servers'
import type { SavedModel, SavedProvider } from './settings'

/** The model servers that answer on this machine, without those that the user has saved. */
export async function findLocalServers(
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
