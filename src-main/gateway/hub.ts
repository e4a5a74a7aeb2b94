import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { z } from 'zod'
import type { Logger } from '../log'
import type { Identity } from './admission'
import type { GatewayCertificate } from './certificate'
import { GatewayError } from './errors'
import { openServer } from './hub-server'
import { createPeer, type Peer } from './peer'
import type { NodeRuntime } from './runtime'
import { newNonce } from './tokens'
import { type ConnectParams, closeCodes, connectParams, headerBytes, protocolVersion } from './wire'

/** Maximum number of sockets with a valid token that have not completed `connect` yet. */
const maxStrangers = 32

/** A node that is connected now. */
export interface NodeLink {
  /** Changes when the node is renamed. */
  id: string
  readonly peer: Peer
  readonly runtime: NodeRuntime
  readonly version: string
  readonly tools: { name: string; description: string; inputSchema: Record<string, unknown> }[]
  readonly connectedAt: number
}

type Handler = (link: NodeLink, params: unknown) => unknown
/** `frame` is header plus chunk, for handlers that forward it; `release` returns its memory to the pool. */
type BinaryHandler = (link: NodeLink, id: number, chunk: Buffer, frame: Buffer, release: () => void) => void

/** Owns the sockets of all nodes. Services register the methods they handle and listen for connects and disconnects. */
export interface Hub {
  link(nodeId: string): NodeLink | undefined
  links(): NodeLink[]
  /** Registers a protocol method. Params are validated before `handler` is called. */
  method<Schema extends z.ZodType>(
    name: string,
    schema: Schema,
    handler: (link: NodeLink, params: z.output<Schema>) => unknown,
  ): void
  /** Handles binary frames with ids from `first` up to the start of the next registered range. */
  binary(first: number, handler: BinaryHandler): void
  onConnected(listener: (link: NodeLink) => void): void
  onLost(listener: (link: NodeLink, reason: string) => void): void
  listen(host: string, port: number, certificate?: GatewayCertificate | null): Promise<AddressInfo>
  /** Changes the id of a connected node. */
  rename(id: string, newId: string): void
  drop(nodeId: string, reason: string): void
  close(): Promise<void>
}

interface HubOptions {
  log: Logger
  version: string
  clock?: () => number
  identify(token: string): Identity | null
  /**
   * Validates a `connect` request whose token is valid and returns the link without its peer. Throws `GatewayError`;
   * 401 and 403 close the connection.
   */
  greet(params: ConnectParams, identity: Identity, nonce: string): Omit<NodeLink, 'peer' | 'connectedAt'>
  events: readonly string[]
  heartbeatMs?: number
  greetingMs?: number
  framesPerSecond?: number
}

export function createHub(options: HubOptions): Hub {
  const { log, clock = Date.now } = options
  const links = new Map<string, NodeLink>()
  const methods = new Map<string, Handler>()
  const binaries: { first: number; handler: BinaryHandler }[] = []
  const connectedListeners: ((link: NodeLink) => void)[] = []
  const lostListeners: ((link: NodeLink, reason: string) => void)[] = []
  const strangers = new Set<Peer>()
  let server: Server | null = null

  const lose = (link: NodeLink, reason: string): void => {
    // A socket that was replaced by a newer one closes later; that must not remove the new link.
    if (links.get(link.id)?.peer !== link.peer) return
    links.delete(link.id)
    log.info('Node disconnected', { node: link.id, reason })
    for (const listener of lostListeners) listener(link, reason)
  }

  const welcome = (link: NodeLink): void => {
    const old = links.get(link.id)
    if (old) {
      lose(old, 'The node connected again')
      old.peer.close(closeCodes.replaced, 'Replaced by a newer connection')
    }
    links.set(link.id, link)
    log.info('Node connected', { node: link.id, address: link.peer.address, role: link.runtime.role })
    for (const listener of connectedListeners) listener(link)
  }

  const receive = (socket: import('ws').WebSocket, request: IncomingMessage, identity: Identity): void => {
    const nonce = newNonce()
    let link: NodeLink | null = null

    const greet = (params: unknown): unknown => {
      if (link) throw new GatewayError(400, 'Already connected')
      const read = connectParams.safeParse(params)
      if (!read.success) {
        const [issue] = read.error.issues
        throw new GatewayError(103, `Invalid connect params: ${issue?.path.join('.')}: ${issue?.message}`)
      }
      const { minProtocol, maxProtocol } = read.data
      if (minProtocol > protocolVersion || maxProtocol < protocolVersion) {
        throw new GatewayError(102, `This gateway speaks protocol ${protocolVersion}`)
      }
      const judged = options.greet(read.data, identity, nonce)
      clearTimeout(deadline)
      strangers.delete(peer)
      peer.greeted = true
      link = { ...judged, peer, connectedAt: clock() }
      const greeted = link
      // Runs after the response is sent, so that the node reads the response before the first call.
      setImmediate(() => {
        try {
          welcome(greeted)
        } catch (error) {
          log.error('A node could not be welcomed', { node: greeted.id, error })
          peer.close(closeCodes.refused, 'The gateway cannot save anything now.')
        }
      })
      return {
        type: 'hello-ok',
        protocol: protocolVersion,
        server: { version: options.version, connectionId: peer.connectionId, time: clock() },
        features: { methods: ['connect', ...methods.keys()], events: options.events },
        nodeId: greeted.id,
      }
    }

    const peer = createPeer(socket, request.socket, {
      log,
      clock,
      heartbeatMs: options.heartbeatMs ?? 30_000,
      framesPerSecond: options.framesPerSecond ?? 500,
      request(method, params) {
        if (method === 'connect') {
          try {
            return greet(params)
          } catch (error) {
            if (error instanceof GatewayError && (error.code === 401 || error.code === 403)) {
              setImmediate(() => peer.close(closeCodes.refused, error.message))
            }
            throw error
          }
        }
        if (!link) throw new GatewayError(101, 'Not connected')
        const handler = methods.get(method)
        if (!handler) throw new GatewayError(404, `Unknown method: ${method}`)
        if (links.get(link.id)?.peer !== peer)
          throw new GatewayError(409, 'A newer connection took the place of this one')
        return handler(link, params)
      },
      binary(id, frame, release) {
        if (!link || links.get(link.id)?.peer !== peer) return
        binaries.find(({ first }) => id >= first)?.handler(link, id, frame.subarray(headerBytes), frame, release)
      },
      closed(reason) {
        clearTimeout(deadline)
        strangers.delete(peer)
        if (link) lose(link, reason)
      },
    })
    const deadline = setTimeout(
      () => peer.close(closeCodes.policy, 'It did not say who it is'),
      options.greetingMs ?? 5_000,
    )
    strangers.add(peer)
    peer.event('connect.challenge', { nonce })
  }

  const listen: Hub['listen'] = async (host, port, certificate = null) => {
    server = await openServer({
      host,
      port,
      certificate,
      identify: options.identify,
      clock,
      log,
      isFull: () => strangers.size >= maxStrangers,
      accept: receive,
    })
    return server.address() as AddressInfo
  }

  return {
    link: (nodeId) => links.get(nodeId),
    links: () => [...links.values()],
    method(name, schema, handler) {
      methods.set(name, (link, params) => {
        const read = schema.safeParse(params ?? {})
        if (read.success) return handler(link, read.data)
        const [issue] = read.error.issues
        throw new GatewayError(400, `${name}: ${issue?.path.join('.') || 'params'}: ${issue?.message}`)
      })
    },
    binary(first, handler) {
      binaries.push({ first, handler })
      binaries.sort((a, b) => b.first - a.first)
    },
    onConnected: (listener) => void connectedListeners.push(listener),
    onLost: (listener) => void lostListeners.push(listener),
    listen,
    rename(id, newId) {
      const link = links.get(id)
      if (!link) return
      links.delete(id)
      link.id = newId
      links.set(newId, link)
    },
    drop(nodeId, reason) {
      const link = links.get(nodeId)
      if (!link) return
      link.peer.close(closeCodes.away, reason)
    },
    async close() {
      for (const link of [...links.values()]) link.peer.close(closeCodes.away, 'The gateway stops')
      for (const peer of strangers) peer.close(closeCodes.away, 'The gateway stops')
      const closing = server
      server = null
      if (!closing) return
      await new Promise<void>((resolve) => {
        closing.close(() => resolve())
        closing.closeAllConnections()
      })
    },
  }
}
