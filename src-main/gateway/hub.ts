import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { z } from 'zod'
import { listeningAddress } from '../listening-address'
import type { Logger } from '../log'
import type { Identity } from './admission'
import type { GatewayCertificate } from './certificate'
import { GatewayError } from './errors'
import { openServer } from './hub-server'
import { createNodeLinks, type NodeLinks } from './node-links'
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
  const links = createNodeLinks(log)
  const methods = new Map<string, Handler>()
  const binaries: { first: number; handler: BinaryHandler }[] = []
  const strangers = new Set<Peer>()
  let server: Server | null = null

  const receive = (socket: import('ws').WebSocket, request: IncomingMessage, identity: Identity): void => {
    const nonce = newNonce()
    let link: NodeLink | null = null

    const greet = (params: unknown): unknown => {
      if (link) throw new GatewayError(400, 'Already connected')
      const judged = options.greet(readGreeting(params), identity, nonce)
      clearTimeout(deadline)
      strangers.delete(peer)
      peer.greeted = true
      link = { ...judged, peer, connectedAt: clock() }
      const greeted = link
      // Runs after the response is sent, so that the node reads the response before the first call.
      setImmediate(() => welcome(links, greeted, log))
      const features = { methods: ['connect', ...methods.keys()], events: options.events }
      return helloOk(greeted, { version: options.version, time: clock() }, features)
    }

    const peer = createPeer(socket, request.socket, {
      log,
      clock,
      heartbeatMs: options.heartbeatMs ?? 30_000,
      framesPerSecond: options.framesPerSecond ?? 500,
      request(method, params) {
        if (method === 'connect') return closingIfRefused(peer, () => greet(params))
        if (!link) throw new GatewayError(101, 'Not connected')
        const handler = methods.get(method)
        if (!handler) throw new GatewayError(404, `Unknown method: ${method}`)
        if (!links.isCurrent(link)) throw new GatewayError(409, 'A newer connection took the place of this one')
        return handler(link, params)
      },
      binary(id, frame, release) {
        if (!link || !links.isCurrent(link)) return
        binaries.find(({ first }) => id >= first)?.handler(link, id, frame.subarray(headerBytes), frame, release)
      },
      closed(reason) {
        clearTimeout(deadline)
        strangers.delete(peer)
        if (link) links.lose(link, reason)
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
    return listeningAddress(server)
  }

  return {
    link: links.get,
    links: links.all,
    method(name, schema, handler) {
      methods.set(name, checked(name, schema, handler))
    },
    binary(first, handler) {
      binaries.push({ first, handler })
      binaries.sort((a, b) => b.first - a.first)
    },
    onConnected: links.onConnected,
    onLost: links.onLost,
    listen,
    rename: links.rename,
    drop(nodeId, reason) {
      const link = links.get(nodeId)
      if (!link) return
      link.peer.close(closeCodes.away, reason)
    },
    async close() {
      for (const link of links.all()) link.peer.close(closeCodes.away, 'The gateway stops')
      for (const peer of strangers) peer.close(closeCodes.away, 'The gateway stops')
      const closing = server
      server = null
      if (closing) await closeServer(closing)
    },
  }
}

function readGreeting(params: unknown): ConnectParams {
  const read = connectParams.safeParse(params)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new GatewayError(103, `Invalid connect params: ${issue?.path.join('.')}: ${issue?.message}`)
  }
  const { minProtocol, maxProtocol } = read.data
  if (minProtocol > protocolVersion || maxProtocol < protocolVersion)
    throw new GatewayError(102, `This gateway speaks protocol ${protocolVersion}`)
  return read.data
}

/** A handler that is called only with params that fit its schema. */
const checked =
  <Schema extends z.ZodType>(
    name: string,
    schema: Schema,
    handler: (link: NodeLink, params: z.output<Schema>) => unknown,
  ): Handler =>
  (link, params) => {
    const read = schema.safeParse(params ?? {})
    if (read.success) return handler(link, read.data)
    const [issue] = read.error.issues
    throw new GatewayError(400, `${name}: ${issue?.path.join('.') || 'params'}: ${issue?.message}`)
  }

const welcome = (links: NodeLinks, link: NodeLink, log: Logger): void => {
  try {
    links.welcome(link)
  } catch (error) {
    log.error('A node could not be welcomed', { node: link.id, error })
    link.peer.close(closeCodes.refused, 'The gateway cannot save anything now.')
  }
}

/** A node that may not connect gets the reason before its connection is closed. */
const closingIfRefused = (peer: Peer, greet: () => unknown): unknown => {
  try {
    return greet()
  } catch (error) {
    if (error instanceof GatewayError && (error.code === 401 || error.code === 403))
      setImmediate(() => peer.close(closeCodes.refused, error.message))
    throw error
  }
}

const helloOk = ({ id, peer }: NodeLink, server: { version: string; time: number }, features: object) => ({
  type: 'hello-ok',
  protocol: protocolVersion,
  server: { ...server, connectionId: peer.connectionId },
  features,
  nodeId: id,
})

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
