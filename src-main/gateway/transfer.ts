import { posix } from 'node:path'
import type { Transfer } from '../../src-preload/contract/nodes'
import { localFiles } from '../nodes/files/local-files'
import type { NodeFiles } from '../nodes/files/node-files'
import { type Endpoint, ownPath, parseEndpoint } from './endpoint'
import { GatewayError } from './errors'
import type { Hub, NodeLink } from './hub'
import {
  type FileEnd,
  fileSink,
  fileSource,
  nodeSink,
  nodeSource,
  type SinkEnd,
  type SourceEnd,
  type Told,
} from './transfer-ends'
import { type Move, startMove, type TransferRequest, type TransferResult } from './transfer-move'
import { transferAccept, transferAck, transferCompared, transferComplete, transferDone, transferMeta } from './wire'

/** Files between nodes and the agent's own files. */
export interface Transfers {
  /** Resolves when the last byte is in place. Throws `GatewayError` with a message for the model. */
  run(request: TransferRequest): Promise<TransferResult>
  cancel(id: string): void
  /** Running transfers, then the last few that ended. */
  list(): Transfer[]
}

/** A transfer without progress for this long fails. */
const defaultIdleMs = 60_000
const keptEnded = 20
const maxRunning = 16

interface Running extends Move {
  source: SourceEnd
  sink: SinkEnd
}

interface Places {
  hub: Hub
  /** Folder of an agent's own files. */
  ownRoot(agentId: string): string
  isLocal(nodeId: string): boolean
  /** The files of a node that is not connected through the gateway. */
  filesAt?(nodeId: string): { files: NodeFiles; workspace: string } | undefined
  /** Where relative paths of the local node start. */
  localWorkspace(): string
}

interface TransfersOptions extends Places {
  publish(transfer: Transfer): void
  clock?: () => number
  idleMs?: number
}

export function createTransfers(options: TransfersOptions): Transfers {
  const { hub, publish, clock = Date.now, idleMs = defaultIdleMs } = options
  const ends = findEnds(options)
  const running = new Map<number, Running>()
  const ended: Transfer[] = []
  let lastNumber = 0

  const nextNumber = (): number => {
    // Below the ids of process output, and never an id in use.
    do lastNumber = (lastNumber % 0x7fff_ffff) + 1
    while (running.has(lastNumber))
    return lastNumber
  }

  const run = async (request: TransferRequest): Promise<TransferResult> => {
    const from = parseEndpoint(request.source, 'source')
    const to = parseEndpoint(request.destination, 'destination')
    if (from.kind === 'own' && to.kind === 'own') throw new GatewayError(400, 'Cannot transfer from gsv to gsv')
    if (running.size >= maxRunning) throw new GatewayError(429, `There are ${maxRunning} transfers under way already`)
    request.signal?.throwIfAborted()
    const number = nextNumber()
    const source = ends.source(from, number, request.agentId)
    const sink = ends.sink(to, number, request.agentId)
    const move = startMove({ request, number, source, sink, clock, idleMs, publish })
    running.set(number, { ...move, source, sink })
    try {
      return await move.done
    } finally {
      running.delete(number)
      ended.unshift(move.info)
      ended.splice(keptEnded)
    }
  }

  /** Passes a message to the end of the transfer that this exact connection serves. */
  const told = (link: NodeLink, number: number, use: (told: Told) => void): { ok: true } => {
    const transfer = running.get(number)
    for (const end of [transfer?.source.told, transfer?.sink.told]) if (end?.link.peer === link.peer) use(end)
    return { ok: true }
  }
  hub.method('transfer.meta', transferMeta, (link, { transferId, ...answer }) =>
    told(link, transferId, (end) => end.meta?.(answer)),
  )
  hub.method('transfer.accept', transferAccept, (link, { transferId, ...answer }) =>
    told(link, transferId, (end) => end.accept?.(answer)),
  )
  hub.method('transfer.compared', transferCompared, (link, { transferId, ...answer }) =>
    told(link, transferId, (end) => end.compared?.(answer)),
  )
  hub.method('transfer.complete', transferComplete, (link, { transferId, ...answer }) =>
    told(link, transferId, (end) => end.complete?.(answer)),
  )
  hub.method('transfer.done', transferDone, (link, { transferId, ...answer }) =>
    told(link, transferId, (end) => end.done?.(answer)),
  )
  hub.method('transfer.ack', transferAck, (link, { transferId, bytes }) =>
    told(link, transferId, (end) => end.ack?.(bytes)),
  )
  hub.binary(0, (link, number, _chunk, frame, release) => {
    const source = running.get(number)?.source.told
    if (source?.link.peer === link.peer) source.chunk?.(frame, release)
  })
  hub.onLost((link) => {
    for (const { source, sink, fail } of running.values()) {
      if (source.told?.link.peer === link.peer || sink.told?.link.peer === link.peer) {
        fail(new GatewayError(503, `Node disconnected: ${link.id}`))
      }
    }
  })

  return {
    run,
    cancel(id) {
      for (const { info, fail } of running.values()) {
        if (info.id === id) fail(new GatewayError(499, 'The user stopped the transfer'))
      }
    },
    list: () => [...[...running.values()].map(({ info }) => ({ ...info })), ...ended],
  }
}

/** Opens the ends of transfers: files that are accessible directly, or a node that sends and receives by itself. */
function findEnds(options: Places) {
  const linkTo = (nodeId: string): NodeLink => {
    const link = options.hub.link(nodeId)
    if (!link) throw new GatewayError(503, `Node ${nodeId} is not connected`)
    return link
  }
  /** The end of a transfer whose files are accessible directly: on this machine, or on one reached through a shell. */
  const filesOf = (end: Endpoint, agentId: string): FileEnd | null => {
    if (end.kind === 'own')
      return { node: 'gsv', files: localFiles, path: () => ownPath(options.ownRoot(agentId), end.path) }
    const at = options.isLocal(end.nodeId)
      ? { files: localFiles, workspace: options.localWorkspace() }
      : options.filesAt?.(end.nodeId)
    return at ? { node: end.nodeId, files: at.files, path: async () => posix.resolve(at.workspace, end.path) } : null
  }
  const nodeOf = (end: Endpoint): { link: NodeLink; path: string } => {
    if (end.kind === 'own') throw new Error('The agent’s own files are on this machine')
    return { link: linkTo(end.nodeId), path: end.path }
  }
  const source = (end: Endpoint, number: number, agentId: string): SourceEnd => {
    const at = filesOf(end, agentId)
    if (at) return fileSource(at)
    const { link, path } = nodeOf(end)
    return nodeSource(link, number, path)
  }
  const sink = (end: Endpoint, number: number, agentId: string): SinkEnd => {
    const at = filesOf(end, agentId)
    if (at) return fileSink(at)
    const { link, path } = nodeOf(end)
    return nodeSink(link, number, path)
  }
  return { source, sink }
}
