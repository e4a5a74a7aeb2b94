import type { Logger } from '../log'
import type { Gateway } from './gateway'
import { joinLocally, type LocalClient } from './local-client'
import { serveLocally } from './local-server'

/** A gateway for several processes with the same data folder: one of them serves the nodes, the others join it. */
interface SharedGateway {
  gateway: Gateway
  /** Uses the nodes of another process from now on; `null` if none serves them. */
  join(): Promise<LocalClient | null>
  isJoined(): boolean
  leave(): void
}

export function shareGateway(own: Gateway, socketPath: string, log: Logger): SharedGateway {
  /** The gateway of another process that serves the nodes of this data folder. */
  let joined: LocalClient | null = null
  /** The local socket through which other processes use the nodes that this one serves. */
  let served: Promise<{ close(): void } | null> | null = null
  return {
    gateway: {
      ...own,
      nodes: () => joined?.nodes() ?? own.nodes(),
      tools: (id) => (joined ?? own).tools(id),
      isConnected: (id) => (joined ?? own).isConnected(id),
      home: (id) => (joined ?? own).home(id),
      invoke: (request) => (joined ?? own).invoke(request),
      preview: (request) => (joined ?? own).preview(request),
      logs: (id, wish) => (joined ?? own).logs(id, wish),
      probe: (id, bins, wish) => (joined ?? own).probe(id, bins, wish),
      async start() {
        const info = await own.start()
        served ??= serveLocally(socketPath, own, log).catch((error: unknown) => {
          log.warn('Other processes cannot use the nodes', { error })
          return null
        })
        await served
        return info
      },
      async stop() {
        const server = await served
        served = null
        server?.close()
        await own.stop()
      },
    },
    join: async () => {
      joined ??= await joinLocally(socketPath)
      return joined
    },
    isJoined: () => joined !== null,
    leave: () => joined?.close(),
  }
}
