import { statSync } from 'node:fs'
import type { Logger } from '../log'
import type { LocalNode, ProcessFeed } from '../nodes/local'
import { type NodeProcess, type ProcessEvent, SecretInputError } from '../nodes/node'
import type { ProcessTable } from '../nodes/process-table'
import { GatewayError } from './errors'
import type { Hub, NodeLink } from './hub'
import type { NodeCalls } from './node-calls'
import {
  firstStreamId,
  type ProcessOpen,
  processEnd,
  processEvent,
  processOpen,
  processSynced,
  streamWindow,
} from './wire'

/** Most output that may wait to be logged; a node that respects the window never reaches this. */
const maxBacklog = streamWindow * 2

interface Remote {
  id: string
  link: NodeLink
  streamId: number
  feed: ProcessFeed
  received: number
  written: number
  emit: (event: ProcessEvent) => void
}

/**
 * The processes of other machines, as rows of the same table and panes of the same window. Each has a log here that is
 * written in order. A node that reconnects is told the length of the log, so output is neither lost nor duplicated.
 */
export function createRemoteProcesses(options: {
  hub: Hub
  calls: NodeCalls
  table: ProcessTable
  localNode: LocalNode
  log: Logger
  hasSession(sessionId: string): boolean
  /** Names that this node had before. */
  aliasesOf(nodeId: string): readonly string[]
}) {
  const { hub, calls, table, localNode, log } = options
  const remotes = new Map<string, Remote>()
  const numbers = new Map<number, Remote>()
  const opening = new Map<string, Promise<unknown>>()
  let lastNumber = firstStreamId

  const nextNumber = (): number => {
    lastNumber = lastNumber >= 0xffff_ffff ? firstStreamId : lastNumber + 1
    return lastNumber
  }

  /** Whether this process is new, already known, or does not belong to this app. */
  const standing = (link: NodeLink, open: ProcessOpen): 'new' | 'known' | 'none' => {
    const row = table.get(open.id)
    if (!row) return options.hasSession(open.sessionId) ? 'new' : 'none'
    const ours = row.node === link.id || options.aliasesOf(link.id).includes(row.node)
    return ours && row.link !== undefined && row.sessionId === open.sessionId && row.status === 'running'
      ? 'known'
      : 'none'
  }

  const openProcess = async (link: NodeLink, open: ProcessOpen): Promise<object> => {
    const kind = standing(link, open)
    if (kind === 'none') return { dropped: true }
    const logged = kind === 'known' ? (statSync(table.logPath(open.id), { throwIfNoEntry: false })?.size ?? 0) : 0
    const remote = remotes.get(open.id) ?? (await openFeed(link, open, logged))
    numbers.delete(remote.streamId)
    remote.link = link
    remote.streamId = nextNumber()
    numbers.set(remote.streamId, remote)
    const { id, sessionId, callId, command, title, cwd, byUser, background, startedAt } = open
    const row = { id, sessionId, callId, node: link.id, command, title, cwd, byUser, background, startedAt }
    table.adopt({ ...row, bytes: remote.received }, processOf(remote, open.pid))
    return { streamId: remote.streamId, offset: remote.received }
  }

  const openFeed = async (link: NodeLink, { id, size }: ProcessOpen, offset: number): Promise<Remote> => {
    const remote: Omit<Remote, 'feed'> = { id, link, streamId: 0, received: offset, written: offset, emit: () => {} }
    const feed = await localNode.openFeed(
      { id, logPath: table.logPath(id), ...size, offset },
      {
        event: (event) => noteEvent(remote as Remote, event),
        input: (data) => remote.link.peer.event('process.input', { id, data }),
        resize: (cols, rows) => remote.link.peer.event('process.resize', { id, cols, rows }),
      },
    )
    const whole = Object.assign(remote, { feed })
    remotes.set(id, whole)
    return whole
  }

  const noteEvent = (remote: Remote, event: ProcessEvent) => {
    if (event.type === 'lost') {
      // The terminal host of this machine is gone, not the process: the node announces it again when it reconnects.
      forget(remote)
      table.detach(remote.id)
      return hub.drop(remote.link.id, 'The terminals of the gateway were restarted')
    }
    if (event.type === 'output') {
      remote.written = event.bytes
      remote.link.peer.event('process.ack', { streamId: remote.streamId, offset: event.bytes })
    }
    if (event.type === 'exit') forget(remote)
    remote.emit(event)
  }

  const forget = (remote: Remote): void => {
    remotes.delete(remote.id)
    numbers.delete(remote.streamId)
  }

  /** Marks a process as lost: its exit code is unknown, its output is kept. */
  const lose = (id: string): void => {
    const remote = remotes.get(id)
    if (remote) remote.emit = () => {}
    remote?.feed.end({ exitCode: null, signal: null })
    table.lose(id)
  }

  const processOf = (remote: Remote, pid: number): NodeProcess => {
    const { id } = remote
    return {
      pid,
      onEvent(listener) {
        remote.emit = listener
      },
      async write(data) {
        const { error, secretInput } = await calls.process(remote.link.id, 'process.write', { id, data })
        if (secretInput) throw new SecretInputError()
        if (error !== undefined) throw new Error(error)
      },
      resize: (cols, rows) => remote.link.peer.event('process.resize', { id, cols, rows }),
      signal: (signal) => remote.link.peer.event('process.signal', { id, signal }),
      screen: () => remote.feed.screen(),
    }
  }

  const own = (link: NodeLink, id: string): Remote | undefined => {
    const remote = remotes.get(id)
    return remote?.link.peer === link.peer ? remote : undefined
  }

  hub.method('process.open', processOpen, (link, open) => {
    const work = openProcess(link, open).finally(() => opening.delete(open.id))
    opening.set(open.id, work)
    return work
  })
  hub.method('process.event', processEvent, (link, { id, event }) => {
    const remote = own(link, id)
    if (!remote) return { ok: true, dropped: true }
    if (event.type === 'background') table.setBackground(id)
    else if (event.type === 'timed-out') table.markTimedOut(id)
    else remote.emit(event)
    return { ok: true }
  })
  hub.method('process.end', processEnd, (link, end) => {
    const remote = own(link, end.id)
    if (!remote) return { ok: true, dropped: true }
    if (end.bytes !== remote.received) {
      throw new GatewayError(409, `There are ${remote.received} bytes of output here instead of ${end.bytes}`)
    }
    if (end.timedOut && !table.get(end.id)?.timedOut) table.markTimedOut(end.id)
    if (end.lost) lose(end.id)
    else remote.feed.end({ exitCode: end.exitCode, signal: end.signal })
    return { ok: true }
  })
  hub.method('process.synced', processSynced, async (link, { ids }) => {
    await Promise.allSettled(opening.values())
    const known = new Set(ids)
    for (const row of table.list()) {
      if (row.status !== 'running' || row.link === undefined || known.has(row.id)) continue
      if (row.node !== link.id && !options.aliasesOf(link.id).includes(row.node)) continue
      // Started after the node made its list.
      if (own(link, row.id)) continue
      log.warn('A node came back without a process', { node: link.id, process: row.id })
      lose(row.id)
    }
    return { ok: true }
  })
  hub.binary(firstStreamId, (link, number, chunk) => {
    const remote = numbers.get(number)
    if (!remote || remote.link.peer !== link.peer) return
    remote.received += chunk.length
    if (remote.received - remote.written > maxBacklog) return hub.drop(link.id, 'It sends faster than was agreed')
    remote.feed.push(chunk)
  })
  hub.onLost((link) => {
    for (const remote of remotes.values()) if (remote.link.peer === link.peer) table.detach(remote.id)
  })

  return {
    /** A terminal of the user's own on that machine. */
    async openTerminal(nodeId: string, sessionId: string): Promise<string> {
      const { id, error } = await calls.process(nodeId, 'process.start', { sessionId })
      if (id === undefined) throw new GatewayError(500, error ?? 'The node did not start a terminal')
      await opening.get(id)
      return id
    },
    runningOn: (nodeId: string): number =>
      table.list().filter((row) => row.node === nodeId && row.link === 'up' && row.status === 'running').length,
  }
}
