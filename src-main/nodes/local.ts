import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import type { FeedSpec, HostMessage } from '../pty-host/messages'
import { commandEnv, PROCESS_MARKER, withheldVariables } from './command-env'
import { localFiles } from './files/local-files'
import type { HostLink } from './host-link'
import { createHostRequests } from './host-requests'
import { requireShort, withShortArguments } from './long-arguments'
import type { HostInfo, Node, NodeProcess, ProcessEvent, ProcessExit, ProcessSpec, Screen } from './node'
import { windowsShell } from './windows-shell'

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

/** Quitting is not delayed for longer. */
const CLOSE_MS = 5_000

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
  const { replyMs } = options
  /** Read once: each access to `process.env` is a call into the system's library. */
  let forCommands: { env: Record<string, string>; withheld: number } | null = null
  let link: HostLink | null = null
  const { ask, screen, ...requests } = createHostRequests((request) => host().post(request), replyMs)
  const live = createLiveProcesses()
  const feeds = new Map<string, FeedListener>()

  const receive = (message: HostMessage) => {
    if (message.type === 'event') return live.deliver(message.id, message.event)
    if (message.type === 'pane') tellFeed(feeds.get(message.id), message.request)
    else requests.settle(message)
  }

  const host = (): HostLink => {
    if (link) return link
    const opened = options.openHost()
    link = opened
    opened.onMessage(receive)
    opened.onLost(() => {
      if (link === opened) link = null
      feeds.clear()
      requests.failAll('The terminal host ended unexpectedly')
      options.onHostLost?.(live.loseAll())
    })
    return opened
  }

  const cages = createCages((id, argv) => ask({ type: 'cage-open', id, argv }), host)

  const processOf = (id: string, pid: number, onEvent: NodeProcess['onEvent']): NodeProcess => ({
    pid,
    onEvent,
    write: async (data) => void (await ask({ type: 'write', id, data })),
    resize: (cols, rows) => link?.post({ type: 'resize', id, cols, rows }),
    signal: (name) => link?.post({ type: 'signal', id, name }),
    screen: () => screen(id),
  })

  const feedOf = (id: string): ProcessFeed => ({
    // A copy, since sending a view would transfer the whole buffer behind it.
    push: (chunk) => link?.post({ type: 'feed', id, chunk: new Uint8Array(chunk) }),
    end: (exit) => link?.post({ type: 'feed-end', id, exit }),
    screen: () => screen(id),
  })

  return {
    id: 'local',
    role: 'execution',
    info: () => hostInfo(inherited),
    files: localFiles,
    async start(spec: ProcessSpec) {
      const withheld = withheldVariables()
      if (forCommands?.withheld !== withheld) forCommands = { env: commandEnv(inherited), withheld }
      const env: Record<string, string> = { ...forCommands.env, ...spec.env, [PROCESS_MARKER]: spec.id }
      for (const name of spec.unset ?? []) delete env[name]
      const argv = withShortArguments(spec.argv)
      requireShort(argv, env)
      const onEvent = live.add(spec.id)
      try {
        if (spec.cage !== undefined) await cages.reopenIfLost(spec.cage)
        const late = () => link?.post({ type: 'signal', id: spec.id, name: 'SIGKILL' })
        const reply = await ask({ type: 'start', spec: { ...spec, argv, env } }, { late })
        if (reply.kind !== 'started') throw new Error(`Unexpected reply ${reply.kind}`)
        return processOf(spec.id, reply.pid, onEvent)
      } catch (error) {
        live.remove(spec.id)
        throw error
      }
    },
    openCage: cages.open,
    retireCage(id) {
      if (cages.forget(id)) link?.post({ type: 'cage-retire', id })
    },
    attachPane: (pane, port) => host().post({ type: 'attach', ...pane }, port),
    type: (id, data) => link?.post({ type: 'type', id, data }),
    async openFeed(spec, listener) {
      const { id } = spec
      const forget = (): void => {
        if (feeds.get(id) === listener) feeds.delete(id)
      }
      feeds.set(id, listener)
      live.add(id)((event) => {
        // Nobody types into what has ended, and the listener keeps its connection in memory.
        if (event.type === 'exit' || event.type === 'lost') forget()
        listener.event(event)
      })
      try {
        await ask({ type: 'feed-open', spec })
      } catch (error) {
        forget()
        live.remove(id)
        throw error
      }
      return feedOf(id)
    },
    async close() {
      if (!link) return
      const ms = Math.min(CLOSE_MS, replyMs ?? CLOSE_MS)
      // Without an answer its programs lose their terminals when the host is ended.
      await ask({ type: 'close' }, { ms }).catch((error: Error) => console.error(error.message))
      link?.close()
      link = null
    },
  }
}

/** The open cages, each with the host that has it; they are lost together with their host. */
function createCages(ask: (id: string, argv: readonly string[]) => Promise<unknown>, host: () => HostLink) {
  const cages = new Map<string, { argv: readonly string[]; link: HostLink }>()

  const open = async (id: string, argv: readonly string[]): Promise<void> => {
    cages.set(id, { argv, link: host() })
    await ask(id, argv)
  }

  return {
    open,
    async reopenIfLost(id: string): Promise<void> {
      const cage = cages.get(id)
      if (cage && cage.link !== host()) await open(id, cage.argv)
    },
    forget: (id: string): boolean => cages.delete(id),
  }
}

/** Passes on what the user did in a pane. */
const tellFeed = (
  listener: FeedListener | undefined,
  request: Extract<HostMessage, { type: 'pane' }>['request'],
): void => {
  if (request.type === 'input') listener?.input(request.data)
  else listener?.resize(request.cols, request.rows)
}

interface LiveProcess {
  early: ProcessEvent[]
  listener: ((event: ProcessEvent) => void) | null
}

/** The processes of the host; events that come before anybody listens are kept for the listener. */
function createLiveProcesses() {
  const live = new Map<string, LiveProcess>()

  const deliver = (id: string, event: ProcessEvent): void => {
    const process = live.get(id)
    if (!process) return
    if (event.type === 'exit' || event.type === 'lost') live.delete(id)
    if (process.listener) process.listener(event)
    else process.early.push(event)
  }

  return {
    deliver,
    add(id: string): NodeProcess['onEvent'] {
      const process: LiveProcess = { early: [], listener: null }
      live.set(id, process)
      return (listener) => {
        process.listener = listener
        for (const event of process.early.splice(0)) listener(event)
      }
    },
    remove: (id: string): void => void live.delete(id),
    /** Returns how many were lost. */
    loseAll(): number {
      const lost = [...live.keys()]
      for (const id of lost) deliver(id, { type: 'lost' })
      return lost.length
    },
  }
}

function hostInfo(env: Readonly<Record<string, string | undefined>>): HostInfo {
  const os = process.platform === 'darwin' ? 'darwin' : process.platform === 'win32' ? 'windows' : 'linux'
  return {
    os,
    hostname: hostname(),
    envKeys: Object.keys(commandEnv(env)).sort(),
    shell: os === 'windows' ? windowsShell(env, existsSync) : env.SHELL || '/bin/sh',
  }
}
