import { hostname } from 'node:os'
import type { HostMessage, HostReply, HostRequest } from '../pty-host/messages'
import { commandEnv, PROCESS_MARKER } from './command-env'
import type { HostLink } from './host-link'
import {
  type HostInfo,
  type Node,
  type NodeProcess,
  type ProcessEvent,
  type ProcessExit,
  type ProcessSpec,
  SecretInputError,
} from './node'

export interface LocalNode extends Node {
  /** Gives a pane its process: a live one, or the log of one that ended (`exit` tells how, if that is known). */
  attachPane(pane: { id: string; logPath: string; exit: ProcessExit | null }, port: unknown): void
}

/** Events that came before anybody listened wait here. */
interface Feed {
  early: ProcessEvent[]
  listener: ((event: ProcessEvent) => void) | null
}

type RequestWithReply = Extract<HostRequest, { requestId: number }>
type WithoutId<R> = R extends unknown ? Omit<R, 'requestId'> : never

/**
 * This machine. `openHost` starts a terminal host when one is first needed, and again after one was lost; then
 * `onHostLost` is told how many processes went with it.
 */
export function createLocalNode(options: {
  openHost: () => HostLink
  onHostLost?: (processes: number) => void
  env?: Readonly<Record<string, string | undefined>>
}): LocalNode {
  const inherited = options.env ?? process.env
  let link: HostLink | null = null
  let lastRequest = 0
  const replies = new Map<number, { resolve(value: HostReply): void; reject(error: Error): void }>()
  const live = new Map<string, Feed>()

  const deliver = (id: string, event: ProcessEvent) => {
    const feed = live.get(id)
    if (!feed) return
    if (event.type === 'exit' || event.type === 'lost') live.delete(id)
    if (feed.listener) feed.listener(event)
    else feed.early.push(event)
  }

  const receive = (message: HostMessage) => {
    if (message.type === 'event') return deliver(message.id, message.event)
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
      for (const { reject } of replies.values()) reject(new Error('The terminal host ended unexpectedly'))
      replies.clear()
      for (const id of lost) deliver(id, { type: 'lost' })
      options.onHostLost?.(lost.length)
    })
    return opened
  }

  const ask = (request: WithoutId<RequestWithReply>): Promise<HostReply> => {
    lastRequest++
    const requestId = lastRequest
    return new Promise((resolve, reject) => {
      replies.set(requestId, { resolve, reject })
      host().post({ ...request, requestId })
    })
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
    async start(spec: ProcessSpec) {
      const env = { ...commandEnv(inherited, spec.env), [PROCESS_MARKER]: spec.id }
      const feed: Feed = { early: [], listener: null }
      live.set(spec.id, feed)
      try {
        const reply = await ask({ type: 'start', spec: { ...spec, env } })
        if (reply.kind !== 'started') throw new Error(`Unexpected reply ${reply.kind}`)
        return processOf(spec.id, reply.pid, feed)
      } catch (error) {
        live.delete(spec.id)
        throw error
      }
    },
    attachPane(pane, port) {
      host().post({ type: 'attach', ...pane }, port)
    },
    async close() {
      if (!link) return
      await ask({ type: 'close' })
      link.close()
      link = null
    },
  }
}

function hostInfo(env: Readonly<Record<string, string | undefined>>): HostInfo {
  const os = process.platform === 'darwin' ? 'darwin' : process.platform === 'win32' ? 'windows' : 'linux'
  return { os, hostname: hostname(), envKeys: Object.keys(commandEnv(env)).sort(), shell: env.SHELL || '/bin/sh' }
}
