import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { usualTerminalSize } from '../../../src-preload/contract/terminal'
import { readLineMode } from '../../pty-host/line-mode'
import { createUserInput, type UserInput } from '../../pty-host/user-input'
import type { LocalNode, ProcessFeed } from '../local'
import type { HostInfo, Node, NodeProcess, ProcessEvent, ProcessExit, ProcessSpec } from '../node'
import { NodeError } from '../node-error'
import { type Channel, endMarks, openChannel } from '../shell/channel'
import { createDirectNode } from '../shell/direct-node'
import type { Outcome } from '../shell/remote-shell'
import { type RemoteShell, runScript, wordsOf } from '../shell/remote-shell'
import { createTailReader } from './tail-reader'
import { tidySession } from './tmux-session'
import { refuseSecret } from './tmux-terminal'
import {
  agentKeysLine,
  endScript,
  followScript,
  forgetScript,
  keysLine,
  resizeLine,
  signalLine,
  startScript,
  type TmuxWindow,
  terminalLine,
} from './tmux-window'

const tidyMs = 5_000
const startMs = 60_000
/** Output that waits for the disk; beyond this the sender waits. */
const maxBacklog = 8 * 1024 * 1024

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))

/** The local state of a process that runs there. */
interface Followed {
  window: TmuxWindow
  pid: number
  feed: ProcessFeed
  /** What the user types into its panes. */
  input: UserInput
  /** How many bytes of its log there have been passed on. */
  received: number
  /** How many of them are in the local log. */
  written: number
  follower: ChildProcessWithoutNullStreams | null
  /** Events that come before there is a listener. */
  early: ProcessEvent[]
  listener: ((event: ProcessEvent) => void) | null
}

/** For one tmux command, over a slow connection. */
const orderMs = 30_000

export interface TmuxNode extends Node {
  /** Resumes a process of an earlier run, or one that was out of reach. `null` if nothing is left of it. */
  resume(process: { id: string; pid: number; logPath: string }): Promise<NodeProcess | null>
}

/**
 * A node whose terminals are tmux windows. They outlive the connection and the app: their output waits in a file there,
 * and is read again from the last byte that arrived here.
 */
export function createTmuxNode(options: {
  id: string
  shell: RemoteShell
  session: string
  /** For a session that this installation creates and removes; `undefined` for one that the user has named. */
  owner?: string | undefined
  /** For this run only: its processes end with it. */
  passing?: boolean
  localNode: LocalNode
  info: HostInfo
  /** The process continues, but the connection to it is lost. */
  onOutOfReach(id: string): void
}): TmuxNode {
  const { shell, localNode } = options
  /** For processes with separate streams: a terminal has only one. */
  const direct = createDirectNode(options)
  const followed = new Map<string, Followed>()
  let channel: Promise<Channel> | null = null
  let closed = false
  const tidying = new Set<Promise<unknown>>()
  /** A session was created or found that may have to be removed. */
  let used = false
  const windowOf = (id: string): TmuxWindow => ({ id, session: options.session, owner: options.owner })

  const order = async (line: string): Promise<Outcome> => {
    if (closed) throw new NodeError('unreachable', `${options.id} is not connected`)
    const open = channel && (await channel.catch(() => null))
    if (!open?.open) channel = openChannel(shell, ':')
    return (await (channel as Promise<Channel>)).request((token) => `{ ${line}; } </dev/null; ${endMarks(token)}`, {
      timeoutMs: orderMs,
    })
  }
  /** For requests of a pane that nobody waits for; a lost connection is reported by the follower. */
  const quietly = (line: string): void => void order(line).catch(() => {})

  const emit = ({ listener, early }: Pick<Followed, 'listener' | 'early'>, event: ProcessEvent): void => {
    if (listener) listener(event)
    else early.push(event)
  }

  const end = (process: Followed, exit: ProcessExit): void => {
    followed.delete(process.window.id)
    process.input.stop()
    process.feed.end(exit)
    const tidy: Promise<unknown> = runScript(shell, forgetScript(process.window), { timeoutMs: tidyMs })
      .catch(() => {}) // Out of reach: a folder with a few files stays behind.
      .finally(() => tidying.delete(tidy))
    tidying.add(tidy)
  }

  const follow = async (process: Followed): Promise<'follows' | 'unknown'> => {
    const { window } = process
    await shell.ready()
    const [file, ...args] = shell.argv(followScript(window, process.received), { stdin: true })
    const child = spawn(file, args, { env: shell.env, stdio: 'pipe', detached: true })
    process.follower = child
    let said = ''
    let ended = false
    const known = Promise.withResolvers<'follows' | 'unknown'>()
    const reader = createTailReader(window.id, {
      output(chunk) {
        process.received += chunk.length
        process.feed.push(chunk)
        process.input.output(chunk)
      },
      end(exitCode) {
        ended = true
        end(process, { exitCode, signal: null })
        child.kill()
      },
    })
    child.stdout.on('data', (chunk: Buffer) => {
      if (!ended) reader.push(chunk)
      if (process.received - process.written > maxBacklog) child.stdout.pause()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (/^known$/m.test(said)) known.resolve('follows')
    })
    child.stdin.on('error', () => child.stdin.destroy())
    child.on('error', () => known.resolve('follows'))
    child.on('close', () => {
      process.follower = null
      const lost = /^unknown$/m.test(said)
      known.resolve(lost ? 'unknown' : 'follows')
      if (ended || closed || lost || followed.get(window.id) !== process) return
      const [gone, isDead, signal] = /^gone ?(1?) ?(\d*)$/m.exec(said) ?? []
      if (gone === undefined) return options.onOutOfReach(window.id)
      reader.flush()
      end(process, { exitCode: null, signal: isDead ? (signalNames.get(Number(signal)) ?? 'SIGKILL') : null })
    })
    return known.promise
  }

  const inputOf = (window: TmuxWindow, tell: (event: ProcessEvent) => void): UserInput =>
    createUserInput({
      child: {
        write: (data) => quietly(keysLine(window, Buffer.from(data))),
        lineMode: () =>
          order(terminalLine(window)).then(
            ({ exitCode, stdout }) => (exitCode === 0 ? readLineMode(stdout.toString()) : null),
            () => null, // Out of reach, which the follower of the process reports.
          ),
      },
      ...{ tty: true, far: true, emit: tell },
    })

  const open = async (id: string, pid: number, logPath: string, size: { cols: number; rows: number }) => {
    const window = windowOf(id)
    const received = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0
    const process: Omit<Followed, 'feed'> = {
      ...{ window, pid, received, written: received },
      ...{ follower: null, early: [], listener: null, input: inputOf(window, (event) => emit(process, event)) },
    }
    const feed = await localNode.openFeed(
      { id, logPath, ...size, offset: received },
      {
        event(event) {
          if (event.type === 'output') {
            process.written = event.bytes
            if (process.received - event.bytes < maxBacklog / 2) process.follower?.stdout.resume()
          }
          if (event.type !== 'lost') return emit(process, event)
          // The local terminal host is gone, not the process.
          followed.delete(id)
          process.input.stop()
          process.follower?.kill()
          options.onOutOfReach(id)
        },
        input: (data) => process.input.type(data),
        resize: (cols, rows) => quietly(resizeLine(window, cols, rows)),
      },
    )
    const whole: Followed = Object.assign(process, { feed })
    followed.set(id, whole)
    return whole
  }

  const processOf = (process: Followed): NodeProcess => ({
    pid: process.pid,
    onEvent(listener) {
      process.listener = listener
      for (const event of process.early.splice(0)) listener(event)
    },
    async write(data) {
      const done = await order(agentKeysLine(process.window, Buffer.from(data)))
      refuseSecret(done)
      if (done.exitCode !== 0) throw new Error(wordsOf(done))
    },
    resize: (cols, rows) => quietly(resizeLine(process.window, cols, rows)),
    signal: (name) => quietly(signalLine(process.window, name)),
    screen: () => process.feed.screen(),
  })

  return {
    id: options.id,
    role: 'execution',
    outlives: true,
    info: () => options.info,
    files: direct.files,
    async start(spec: ProcessSpec) {
      if (!spec.tty) return direct.start(spec)
      const window = windowOf(spec.id)
      used = true
      const done = await runScript(shell, startScript(window, spec), { timeoutMs: startMs })
      const pid = Number(done.stdout.toString().trim())
      if (done.exitCode !== 0 || !pid) throw new NodeError('failed', `tmux: ${wordsOf(done)}`)
      const process = await open(spec.id, pid, spec.logPath, spec.tty)
      void follow(process).catch(() => options.onOutOfReach(spec.id))
      return processOf(process)
    },
    async resume({ id, pid, logPath }) {
      const streamed = await direct.resume({ id, pid })
      if (streamed) return streamed
      const process = followed.get(id) ?? (await open(id, pid, logPath, usualTerminalSize))
      if (process.follower === null && (await follow(process)) === 'unknown') {
        followed.delete(id)
        process.listener = () => {}
        process.input.stop()
        process.feed.end({ exitCode: null, signal: null })
        return null
      }
      // Its prompt may have been printed long ago.
      void process.input.isSecret()
      return processOf(process)
    },
    async close() {
      closed = true
      for (const { follower, input } of followed.values()) {
        input.stop()
        follower?.kill()
      }
      await Promise.all(tidying)
      await channel?.then(
        (each) => each.close(),
        () => {}, // It never opened.
      )
      await direct.close()
      if (options.passing && followed.size > 0 && (await shell.check())) {
        const ends = [...followed.values()].map((process) => `( ${endScript(process.window)} )`)
        // Out of reach: the next connection does it.
        await runScript(shell, ends.join('\n'), { timeoutMs: tidyMs, atClose: true }).catch(() => {})
      }
      if (used) await tidySession(shell, options.session, options.owner)
    },
  }
}
