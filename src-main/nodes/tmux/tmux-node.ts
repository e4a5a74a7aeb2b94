import { statSync } from 'node:fs'
import { usualTerminalSize } from '../../../src-preload/contract/terminal'
import { readLineMode } from '../../pty-host/line-mode'
import { createUserInput, type UserInput } from '../../pty-host/user-input'
import type { LocalNode } from '../local'
import type { HostInfo, Node, NodeProcess, ProcessEvent, ProcessExit, ProcessSpec } from '../node'
import { NodeError } from '../node-error'
import { type Channel, endMarks, openChannel } from '../shell/channel'
import { createDirectNode } from '../shell/direct-node'
import type { Outcome } from '../shell/remote-shell'
import { type RemoteShell, runScript, wordsOf } from '../shell/remote-shell'
import { type Followed, followOutput, maxBacklog } from './follow-output'
import { tidySession } from './tmux-session'
import { refuseSecret } from './tmux-terminal'
import {
  agentKeysLine,
  endScript,
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

  const follow = (process: Followed): Promise<'follows' | 'unknown'> =>
    followOutput(process, {
      shell,
      isCurrent: () => !closed && followed.get(process.window.id) === process,
      ended: (exit) => end(process, exit),
      outOfReach: () => options.onOutOfReach(process.window.id),
    })

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
