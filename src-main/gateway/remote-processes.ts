import { statSync } from 'node:fs'
import type { Logger } from '../log'
import type { LocalNode } from '../nodes/local'
import { type NodeProcess, SecretInputError } from '../nodes/node'
import type { ProcessTable } from '../nodes/process-table'
import { GatewayError } from './errors'
import type { Hub, NodeLink } from './hub'
import type { NodeCalls } from './node-calls'
import { createRemoteStreams, type RemoteStream } from './remote-streams'
import { type ProcessOpen, processEnd, processEvent, processOpen, processSynced } from './wire'

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
  const { hub, calls, table, log } = options
  const streams = createRemoteStreams({ hub, table, localNode: options.localNode })
  const opening = new Map<string, Promise<unknown>>()

  const opened = (): Promise<unknown> => Promise.allSettled(opening.values())

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
    const logged = (): number =>
      kind === 'known' ? (statSync(table.logPath(open.id), { throwIfNoEntry: false })?.size ?? 0) : 0
    const remote = await streams.open(link, open, logged)
    const { id, sessionId, callId, command, title, cwd, byUser, background, startedAt } = open
    const row = { id, sessionId, callId, node: link.id, command, title, cwd, byUser, background, startedAt }
    table.adopt({ ...row, bytes: remote.received }, processOf(remote, open.pid, calls))
    return { streamId: remote.streamId, offset: remote.received }
  }

  hub.method('process.open', processOpen, (link, open) => {
    const work = openProcess(link, open).finally(() => opening.delete(open.id))
    opening.set(open.id, work)
    return work
  })
  hub.method('process.event', processEvent, (link, { id, event }) => {
    const remote = streams.own(link, id)
    if (!remote) return { ok: true, dropped: true }
    if (event.type === 'background') table.setBackground(id)
    else if (event.type === 'timed-out') table.markTimedOut(id)
    else remote.emit(event)
    return { ok: true }
  })
  hub.method('process.end', processEnd, (link, end) => {
    const remote = streams.own(link, end.id)
    if (!remote) return { ok: true, dropped: true }
    if (end.bytes !== remote.received) {
      throw new GatewayError(409, `There are ${remote.received} bytes of output here instead of ${end.bytes}`)
    }
    if (end.timedOut && !table.get(end.id)?.timedOut) table.markTimedOut(end.id)
    if (end.lost) streams.lose(end.id)
    else remote.feed.end({ exitCode: end.exitCode, signal: end.signal })
    return { ok: true }
  })
  hub.method('process.synced', processSynced, async (link, { ids }) => {
    await opened()
    const known = new Set(ids)
    for (const row of table.list()) {
      if (row.status !== 'running' || row.link === undefined || known.has(row.id)) continue
      if (row.node !== link.id && !options.aliasesOf(link.id).includes(row.node)) continue
      // Started after the node made its list.
      if (streams.own(link, row.id)) continue
      log.warn('A node came back without a process', { node: link.id, process: row.id })
      streams.lose(row.id)
    }
    return { ok: true }
  })
  return {
    /** A terminal of the user's own on that machine. */
    async openTerminal(nodeId: string, sessionId: string): Promise<string> {
      const { id, error } = await calls.process(nodeId, 'process.start', { sessionId })
      if (id === undefined) throw new GatewayError(500, error ?? 'The node did not start a terminal')
      await opening.get(id)
      return id
    },
    opened,
    runningOn: (nodeId: string): number =>
      table.list().filter((row) => row.node === nodeId && row.link === 'up' && row.status === 'running').length,
  }
}

/** A process of another machine, as the table knows processes. */
const processOf = (remote: RemoteStream, pid: number, calls: NodeCalls): NodeProcess => {
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
