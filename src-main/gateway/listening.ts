import { isLoopback } from '../../src-preload/contract/loopback'
import type { GatewayInfo } from '../../src-preload/contract/nodes'
import type { Logger } from '../log'
import { GatewayError } from './errors'
import type { Hub } from './hub'
import type { NodeRows } from './node-rows'

export interface GatewaySettings {
  gatewayEnabled: boolean
  gatewayHost: string
  gatewayPort: number
}

/** Where the gateway listens. */
export function createListening(options: {
  hub: Hub
  rows: NodeRows
  log: Logger
  settings(): GatewaySettings
  changed(): void
}) {
  const { hub, rows, log, changed } = options
  let listening: { host: string; port: number } | null = null
  let starting: Promise<GatewayInfo> | null = null
  let problem: string | null = null

  const info = (): GatewayInfo => {
    const { gatewayEnabled, gatewayHost } = options.settings()
    const host = listening?.host ?? gatewayHost
    const url = listening && `ws://${host.includes(':') ? `[${host}]` : host}:${listening.port}/ws`
    return { enabled: gatewayEnabled, url, host, port: listening?.port ?? 0, loopback: isLoopback(host), problem }
  }

  const listen = async (): Promise<GatewayInfo> => {
    const { gatewayHost: host, gatewayPort: wanted } = options.settings()
    const kept = Number(rows.state('port') ?? 0)
    try {
      const address = await hub.listen(host, wanted || kept).catch((error: NodeJS.ErrnoException) => {
        // A port that was picked automatically may be replaced; one that the user chose may not.
        if (wanted || !kept || error.code !== 'EADDRINUSE') throw error
        return hub.listen(host, 0)
      })
      listening = { host, port: address.port }
      problem = null
      if (!wanted) rows.setState('port', String(address.port))
      log.info('The gateway listens', { host, port: address.port })
    } catch (error) {
      problem = `The gateway cannot listen on ${host}: ${error instanceof Error ? error.message : String(error)}`
      log.error(problem)
      starting = null
      changed()
      throw new GatewayError(500, problem)
    }
    changed()
    return info()
  }

  return {
    info,
    start(): Promise<GatewayInfo> {
      if (listening) return Promise.resolve(info())
      starting ??= listen()
      return starting
    },
    async stop(): Promise<void> {
      await starting?.catch(() => {})
      starting = null
      listening = null
      await hub.close()
      changed()
    },
  }
}
