import { isLoopback } from '../../src-preload/contract/loopback'
import type { GatewayInfo } from '../../src-preload/contract/nodes'
import type { Logger } from '../log'
import { type GatewayCertificate, madeCertificate, readCertificate } from './certificate'
import { GatewayError } from './errors'
import type { Hub } from './hub'
import type { NodeRows } from './node-rows'

export interface GatewaySettings {
  gatewayEnabled: boolean
  gatewayHost: string
  gatewayPort: number
  gatewayCertificate: string
  gatewayKey: string
}

/**
 * Where the gateway listens. Connections from other machines are always encrypted, with the user's certificate or a
 * generated one. On loopback, where an ssh tunnel or a proxy ends, they are not unless the user named a certificate.
 */
export function createListening(options: {
  hub: Hub
  rows: NodeRows
  log: Logger
  settings(): GatewaySettings
  /** Where a generated certificate is stored. */
  folder: string
  clock: () => number
  changed(): void
}) {
  const { hub, rows, log, changed } = options
  let listening: { host: string; port: number; certificate: GatewayCertificate | null } | null = null
  let starting: Promise<GatewayInfo> | null = null
  let problem: string | null = null

  const info = (): GatewayInfo => {
    const { gatewayEnabled, gatewayHost } = options.settings()
    const host = listening?.host ?? gatewayHost
    const certificate = listening?.certificate ?? null
    const scheme = certificate ? 'wss' : 'ws'
    const url = listening && `${scheme}://${host.includes(':') ? `[${host}]` : host}:${listening.port}/ws`
    return {
      enabled: gatewayEnabled,
      url,
      host,
      port: listening?.port ?? 0,
      loopback: isLoopback(host),
      encrypted: certificate !== null,
      pin: certificate?.pin ?? null,
      name: certificate?.names[0] ?? null,
      problem,
    }
  }

  const certificateFor = (host: string): GatewayCertificate | null => {
    const { gatewayCertificate, gatewayKey } = options.settings()
    if (gatewayCertificate !== '')
      return readCertificate(gatewayCertificate, gatewayKey || gatewayCertificate, options.clock())
    return isLoopback(host) ? null : madeCertificate(options.folder, options.clock())
  }

  const listen = async (): Promise<GatewayInfo> => {
    const { gatewayHost: host, gatewayPort: wanted } = options.settings()
    const kept = Number(rows.state('port') ?? 0)
    try {
      const certificate = certificateFor(host)
      const address = await hub.listen(host, wanted || kept, certificate).catch((error: NodeJS.ErrnoException) => {
        // A port that was picked automatically may be replaced; one that the user chose may not.
        if (wanted || !kept || error.code !== 'EADDRINUSE') throw error
        return hub.listen(host, 0, certificate)
      })
      listening = { host, port: address.port, certificate }
      problem = null
      if (!wanted) rows.setState('port', String(address.port))
      log.info('The gateway listens', { host, port: address.port, encrypted: certificate !== null })
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
