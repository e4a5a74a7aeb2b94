import { hostname } from 'node:os'
import type { FeedSpec, HostMessage, HostReply, HostRequest } from '../pty-host/messages'
import { commandEnv, PROCESS_MARKER } from './command-env'
import { localFiles } from './files/local-files'
import type { HostLink } from './host-link'
import { requireShort, withShortArguments } from './long-arguments'
import {
  type HostInfo,
  type Node,
  type NodeProcess,
  type ProcessEvent,
  type ProcessExit,
  type ProcessSpec,
  type Screen,
  SecretInputError,
} from './node'

export interface LocalNode extends Node {
  /** Connects a pane to its process: a live one, or the log of one that ended (`exit` tells how, if known). */
  attachPane(pane: { id: string; logPath: string; exit: ProcessExit | null }, port: unknown): void
  /** Types into a process as the user would through a pane. */
  type(id: string, data: string): void
  /** Opens a cage for commands, which `argv` starts. Rejects if it cannot be made. */
  openCage(id: string, argv: readonly string[]): Promise<void>
  /** Starts no more commands in a cage; it ends after the last one. */
  retireCage(id: string): void
  /** Log, screen and panes for a process that runs on another machine. */
  openFeed(spec: FeedSpec, listener: FeedListener): Promise<ProcessFeed>
}

interface FeedListener {
  /** `output` counts bytes in the log; `lost` means that the terminal host is gone and the feed with it. */
  event(event: ProcessEvent): void
  /** Input of the user in a pane. */
  input(data: string): void
  resize(cols: number, rows: number): void
}

export interface ProcessFeed {
  push(chunk: Uint8Array): void
  end(exit: ProcessExit): void
  screen(): Promise<Screen>
}

/** Events that came before there was a listener are kept here. */
interface Feed {
  early: ProcessEvent[]
  listener: ((event: ProcessEvent) => void) | null
}

/** A host that takes longer is stuck, however busy the machine is. */
const REPLY_MS = 60_000
/** Quitting is not delayed for longer. */
const CLOSE_MS = 5_000

type RequestWithReply = Extract<HostRequest, { requestId: number }>
type WithoutId<R> = R extends unknown ? Omit<R, 'requestId'> : never

/**
 * This machine. `openHost` starts a terminal host on first use, and again after one was lost; then `onHostLost` gets
 * the number of processes that were lost with it.
 */
export function createLocalNode(options: {
  openHost: () => HostLink
  onHostLost?: (processes: number) => void
  env?: Readonly<Record<string, string | undefined>>
  /** How long the host may take to answer; for tests. */
  replyMs?: number
}): LocalNode {
  const inherited = options.env ?? process.env
  const { replyMs = REPLY_MS } = options
  /** Read once: each access to `process.env` is a call into the system's library. */
  let forCommands: Record<string, string> | null = null
  let link: HostLink | null = null
  let lastRequest = 0
  const replies = new Map<number, { resolve(value: HostReply): void; reject(error: Error): void }>()
  const live = new Map<string, Feed>()
  const feeds = new Map<string, FeedListener>()
  /** Open cages, and the host that knows each; one that was lost took its cages with it. */
  const cages = new Map<string, { argv: readonly string[]; link: HostLink }>()

  const deliver = (id: string, event: ProcessEvent) => {
    const feed = live.get(id)
    if (!feed) return
    if (event.type === 'exit' || event.type === 'lost') live.delete(id)
    if (feed.listener) feed.listener(event)
    else feed.early.push(event)
  }

  const receive = (message: HostMessage) => {
    if (message.type === 'event') return deliver(message.id, message.event)
    if (message.type === 'pane') {
      const { id, request } = message
      if (request.type === 'input') return feeds.get(id)?.input(request.data)
      return feeds.get(id)?.resize(request.cols, request.rows)
    }
    const waiting = replies.get(message.requestId)
    replies.delete(message.requestId)
    if (message.type === 'reply') waiting?.resolve(message.value)
    else waiting?.reject(message.secretInput ? new SecretInputError() : new Error(message.message))
  }

  const host = (): HostLink => {
    if (link) return link
    const opened = options.openHost()
    link = opened
    opened.onMessage(receive)
    opened.onLost(() => {
      if (link === opened) link = null
      const lost = [...live.keys()]
      feeds.clear()
      for (const { reject } of replies.values()) reject(new Error('The terminal host ended unexpectedly'))
      replies.clear()
      for (const id of lost) deliver(id, { type: 'lost' })
      options.onHostLost?.(lost.length)
    })
    return opened
  }

  /** A reply that comes after the caller has given up goes to `late`. */
  const ask = (
    request: WithoutId<RequestWithReply>,
    { ms = replyMs, late }: { ms?: number; late?: (reply: HostReply) => void } = {},
  ): Promise<HostReply> => {
    lastRequest++
    const requestId = lastRequest
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        replies.set(requestId, { resolve: late ?? (() => {}), reject() {} })
        reject(new Error(`The terminal host did not answer within ${ms / 1000} s. If this goes on, restart Deckhand`))
      }, ms).unref()
      replies.set(requestId, {
        resolve(value) {
          clearTimeout(limit)
          resolve(value)
        },
        reject(error) {
          clearTimeout(limit)
          reject(error)
        },
      })
      host().post({ ...request, requestId })
    })
  }

  const openCage = async (id: string, argv: readonly string[]): Promise<void> => {
    cages.set(id, { argv, link: host() })
    await ask({ type: 'cage-open', id, argv })
  }

  const processOf = (id: string, pid: number, feed: Feed): NodeProcess => ({
    pid,
    onEvent(listener) {
      feed.listener = listener
      for (const event of feed.early.splice(0)) listener(event)
    },
    async write(data) {
      await ask({ type: 'write', id, data })
    },
    resize: (cols, rows) => link?.post({ type: 'resize', id, cols, rows }),
    signal: (name) => link?.post({ type: 'signal', id, name }),
    async screen() {
      const reply = await ask({ type: 'screen', id })
      if (reply.kind !== 'screen') throw new Error(`Unexpected reply ${reply.kind}`)
      return reply.screen
    },
  })

  return {
    id: 'local',
    role: 'execution',
    info: () => hostInfo(inherited),
    files: localFiles,
    async start(spec: ProcessSpec) {
      forCommands ??= commandEnv(inherited)
      const env: Record<string, string> = { ...forCommands, ...spec.env, [PROCESS_MARKER]: spec.id }
      for (const name of spec.unset ?? []) delete env[name]
      const argv = withShortArguments(spec.argv)
      requireShort(argv, env)
      const feed: Feed = { early: [], listener: null }
      live.set(spec.id, feed)
      try {
        const cage = spec.cage === undefined ? undefined : cages.get(spec.cage)
        if (spec.cage !== undefined && cage && cage.link !== host()) await openCage(spec.cage, cage.argv)
        const late = () => link?.post({ type: 'signal', id: spec.id, name: 'SIGKILL' })
        const reply = await ask({ type: 'start', spec: { ...spec, argv, env } }, { late })
        if (reply.kind !== 'started') throw new Error(`Unexpected reply ${reply.kind}`)
        return processOf(spec.id, reply.pid, feed)
      } catch (error) {
        live.delete(spec.id)
        throw error
      }
    },
    openCage,
    retireCage(id) {
      if (cages.delete(id)) link?.post({ type: 'cage-retire', id })
    },
    attachPane(pane, port) {
      host().post({ type: 'attach', ...pane }, port)
    },
    type: (id, data) => link?.post({ type: 'type', id, data }),
    async openFeed(spec, listener) {
      const { id } = spec
      feeds.set(id, listener)
      live.set(id, { early: [], listener: (event) => listener.event(event) })
      await ask({ type: 'feed-open', spec })
      return {
        // A copy, since sending a view would transfer the whole buffer behind it.
        push: (chunk) => link?.post({ type: 'feed', id, chunk: new Uint8Array(chunk) }),
        end: (exit) => link?.post({ type: 'feed-end', id, exit }),
        async screen() {
          const reply = await ask({ type: 'screen', id })
          if (reply.kind !== 'screen') throw new Error(`Unexpected reply ${reply.kind}`)
          return reply.screen
        },
      }
    },
    async close() {
      if (!link) return
      // Without an answer its programs lose their terminals when the host is ended.
      await ask({ type: 'close' }, { ms: Math.min(CLOSE_MS, replyMs) }).catch((error: Error) =>
        console.error(error.message),
      )
      link?.close()
      link = null
    },
  }
}

function hostInfo(env: Readonly<Record<string, string | undefined>>): HostInfo {
  const os = process.platform === 'darwin' ? 'darwin' : process.platform === 'win32' ? 'windows' : 'linux'
  return { os, hostname: hostname(), envKeys: Object.keys(commandEnv(env)).sort(), shell: env.SHELL || '/bin/sh' }
}
