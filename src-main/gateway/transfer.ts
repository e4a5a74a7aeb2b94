import { randomUUID } from 'node:crypto'
import { posix } from 'node:path'
import type { Transfer } from '../../src-preload/contract/nodes'
import { localFiles } from '../nodes/files/local-files'
import type { NodeFiles } from '../nodes/files/node-files'
import { worthKeeping } from '../nodes/files/partial-file'
import { type Endpoint, ownPath, parseEndpoint } from './endpoint'
import { GatewayError } from './errors'
import type { Hub, NodeLink } from './hub'
import {
  type FileEnd,
  fileSink,
  fileSource,
  nodeSink,
  nodeSource,
  type OpenedSource,
  type SinkEnd,
  type SourceEnd,
  type Told,
} from './transfer-ends'
import { createWatch, throttled } from './watch'
import {
  headerBytes,
  transferAccept,
  transferAck,
  transferCompared,
  transferComplete,
  transferDone,
  transferMeta,
  transferWindow,
} from './wire'

interface TransferRequest {
  /** `{nodeId}:/path` or `gsv:workspace/path`. */
  source: string
  destination: string
  /** The agent whose own files `gsv:` refers to. */
  agentId: string
  sessionId: string | null
  callId: string | null
  signal?: AbortSignal
  /** Called a few times a second. */
  onProgress?(transfer: Transfer): void
}

interface TransferResult {
  source: string
  destination: string
  bytesTransferred: number
  mime?: string
}

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
const announceMs = 200
const ackEvery = 1024 * 1024
const keptEnded = 20
/** Bytes per millisecond that even a slow machine can read and hash. */
const slowestHash = 20_000
const maxRunning = 16

interface Running {
  info: Transfer
  number: number
  source: SourceEnd
  sink: SinkEnd
  fail(error: Error): void
}

export function createTransfers(options: {
  hub: Hub
  /** Folder of an agent's own files. */
  ownRoot(agentId: string): string
  isLocal(nodeId: string): boolean
  /** The files of a node that is not connected through the gateway. */
  filesAt?(nodeId: string): { files: NodeFiles; workspace: string } | undefined
  /** Where relative paths of the local node start. */
  localWorkspace(): string
  publish(transfer: Transfer): void
  clock?: () => number
  idleMs?: number
}): Transfers {
  const { hub, publish, clock = Date.now, idleMs = defaultIdleMs } = options
  const running = new Map<number, Running>()
  const ended: Transfer[] = []
  let lastNumber = 0

  const nextNumber = (): number => {
    // Below the ids of process output, and never an id in use.
    do lastNumber = (lastNumber % 0x7fff_ffff) + 1
    while (running.has(lastNumber))
    return lastNumber
  }

  const linkTo = (nodeId: string): NodeLink => {
    const link = hub.link(nodeId)
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
  const sourceAt = (end: Endpoint, number: number, agentId: string): SourceEnd => {
    const at = filesOf(end, agentId)
    if (at) return fileSource(at)
    const { link, path } = nodeOf(end)
    return nodeSource(link, number, path)
  }
  const sinkAt = (end: Endpoint, number: number, agentId: string): SinkEnd => {
    const at = filesOf(end, agentId)
    if (at) return fileSink(at)
    const { link, path } = nodeOf(end)
    return nodeSink(link, number, path)
  }

  const run = async (request: TransferRequest): Promise<TransferResult> => {
    const from = parseEndpoint(request.source, 'source')
    const to = parseEndpoint(request.destination, 'destination')
    if (from.kind === 'own' && to.kind === 'own') throw new GatewayError(400, 'Cannot transfer from gsv to gsv')
    if (running.size >= maxRunning) throw new GatewayError(429, `There are ${maxRunning} transfers under way already`)
    request.signal?.throwIfAborted()
    const number = nextNumber()
    const source = sourceAt(from, number, request.agentId)
    const sink = sinkAt(to, number, request.agentId)
    return move(request, number, source, sink)
  }

  const move = async (
    request: TransferRequest,
    number: number,
    source: SourceEnd,
    sink: SinkEnd,
  ): Promise<TransferResult> => {
    const info: Transfer = {
      id: randomUUID(),
      source: request.source,
      destination: request.destination,
      state: 'starting',
      bytes: 0,
      size: null,
      mime: null,
      bytesPerSecond: 0,
      startedAt: clock(),
      endedAt: null,
      error: null,
      sessionId: request.sessionId,
      callId: request.callId,
    }
    let received = 0
    /** Where this attempt began. */
    let resumedAt = 0
    let resumable = false
    let fail: (error: Error) => void = () => {}
    const failed = new Promise<never>((_, reject) => {
      fail = reject
    })
    failed.catch(() => {})
    const watch = createWatch(idleMs, () =>
      fail(new GatewayError(504, `Transfer timeout: nothing moved for ${Math.round(idleMs / 1000)} seconds`)),
    )
    const announce = throttled(announceMs, () => {
      info.bytesPerSecond = Math.round(((info.bytes - resumedAt) / Math.max(1, clock() - info.startedAt)) * 1000)
      publish({ ...info })
      request.onProgress?.({ ...info })
    })
    const abort = (): void => fail(request.signal?.reason as Error)
    request.signal?.addEventListener('abort', abort, { once: true })
    running.set(number, { info, number, source, sink, fail })
    let left = 0
    let acked = 0
    /** Acknowledges to the source. Two windows apply: bytes that left this process, and bytes written at the sink. */
    const letMoreCome = (): void => {
      const open = Math.min(left, info.bytes + transferWindow)
      if (open - acked < ackEvery) return
      acked = open
      source.ack(open)
    }
    sink.onLeft = (bytes) => {
      left = bytes
      letMoreCome()
    }
    sink.onAck = (bytes) => {
      watch.touch()
      info.bytes = bytes
      letMoreCome()
      announce.soon()
    }
    sink.onFailure = fail

    /** The offset to send from: after the part kept from an earlier attempt, if the source still begins with it. */
    const agreeOnStart = async (opened: OpenedSource): Promise<number> => {
      // Both ends may have to hash the file, and send nothing meanwhile.
      if (opened.resumable) watch.touch((2 * opened.size) / slowestHash)
      const kept = await sink.open(opened)
      if (!kept) return 0
      const start = opened.resumable && (await source.beginsWith(kept)) ? kept.bytes : 0
      sink.startAt(start)
      return start
    }

    try {
      announce.now()
      const opened = await Promise.race([source.open(), failed])
      Object.assign(info, { size: opened.size, mime: opened.mime ?? null, state: 'running' })
      resumable = opened.resumable === true
      resumedAt = await Promise.race([agreeOnStart(opened), failed])
      received = left = acked = info.bytes = resumedAt
      watch.touch()
      const pushed = source.start((frame, release) => {
        watch.touch()
        received += frame.length - headerBytes
        // A source that ignores acknowledgements would fill the memory of this process and of the sink.
        if (received > opened.size || received - acked > transferWindow * 2) {
          return fail(new GatewayError(413, `The source sends more than the ${opened.size} bytes that it announced`))
        }
        frame.writeUInt32LE(number, 0)
        sink.write(frame, release)
      }, resumedAt)
      await Promise.race([pushed, failed])
      if (received !== opened.size) throw new GatewayError(500, `${received} bytes came instead of ${opened.size}`)
      const written = await Promise.race([sink.finish(), failed])
      if (written !== opened.size)
        throw new GatewayError(500, `${written} bytes were written instead of ${opened.size}`)
      Object.assign(info, { state: 'done', bytes: written, endedAt: clock() })
      const { source: echoedSource, destination } = request
      return { source: echoedSource, destination, bytesTransferred: written, ...(opened.mime && { mime: opened.mime }) }
    } catch (error) {
      const keep = resumable && !request.signal?.aborted && error instanceof GatewayError && error.retryable
      source.abort()
      sink.abort(keep)
      const failure = request.signal?.aborted ? error : explained(error, info, keep && info.bytes >= worthKeeping)
      Object.assign(info, {
        state: 'failed',
        endedAt: clock(),
        error: failure instanceof Error ? failure.message : String(failure),
      })
      throw failure
    } finally {
      watch.stop()
      request.signal?.removeEventListener('abort', abort)
      running.delete(number)
      // Late writes must not report progress any more.
      sink.onAck = sink.onLeft = () => {}
      announce.now()
      ended.unshift(info)
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

/** Adds to the error how far the transfer got, that the destination is unchanged, and how to continue. */
function explained(error: unknown, info: Transfer, kept: boolean): unknown {
  if (!(error instanceof GatewayError) || info.size === null || (info.bytes === 0 && !error.retryable)) return error
  const how = `It stopped at ${info.bytes} of ${info.size} bytes`
  const next = kept
    ? 'Make the same call again to go on from there.'
    : 'The same call can be made again and starts from the beginning.'
  return new GatewayError(
    error.code,
    `${error.message}. ${how}; the destination is unchanged. ${next}`,
    error.retryable,
  )
}
