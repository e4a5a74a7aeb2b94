import { statSync } from 'node:fs'
import { readLineMode } from '../../pty-host/line-mode'
import { createUserInput, type UserInput } from '../../pty-host/user-input'
import type { LocalNode } from '../local'
import type { NodeProcess, ProcessEvent } from '../node'
import { NodeError } from '../node-error'
import { type Channel, endMarks, openChannel } from '../shell/channel'
import { type Outcome, type RemoteShell, wordsOf } from '../shell/remote-shell'
import { type Followed, maxBacklog } from './follow-output'
import { refuseSecret } from './tmux-terminal'
import { agentKeysLine, keysLine, resizeLine, signalLine, type TmuxWindow, terminalLine } from './tmux-window'

/** For one tmux command, over a slow connection. */
const orderMs = 30_000

/** Short tmux commands, one after the other over one channel that is opened again when it was lost. */
interface Orders {
  send(line: string): Promise<Outcome>
  /** For requests of a pane that nobody waits for; a lost connection is reported by the follower. */
  sendQuietly(line: string): void
  /** From now on nothing is sent. */
  stop(): void
  close(): Promise<void>
}

export function createOrders(shell: RemoteShell, id: string): Orders {
  let channel: Promise<Channel> | null = null
  let stopped = false
  const opened = async (): Promise<Channel> => {
    const known = channel && (await channel.catch(() => null))
    if (known?.open) return known
    channel = openChannel(shell, ':')
    return channel
  }
  const send = async (line: string): Promise<Outcome> => {
    if (stopped) throw new NodeError('unreachable', `${id} is not connected`)
    return (await opened()).request((token) => `{ ${line}; } </dev/null; ${endMarks(token)}`, { timeoutMs: orderMs })
  }
  return {
    send,
    sendQuietly: (line) => void send(line).catch(() => {}),
    stop: () => {
      stopped = true
    },
    close: async () => {
      await channel?.then(
        (each) => each.close(),
        () => {}, // It never opened.
      )
    },
  }
}

interface ProcessPorts {
  orders: Orders
  localNode: LocalNode
  /** The local terminal host is gone, but not the process. Called before its follower is ended, and again after. */
  feedLost(): void
  outOfReach(): void
}

/** The local state of a process in a tmux window, with the log that its output is written to. */
export async function openFollowed(
  window: TmuxWindow,
  { pid, logPath, size }: { pid: number; logPath: string; size: { cols: number; rows: number } },
  { orders, localNode, feedLost, outOfReach }: ProcessPorts,
): Promise<Followed> {
  const received = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0
  const process: Omit<Followed, 'feed'> = {
    ...{ window, pid, received, written: received },
    ...{ follower: null, early: [], listener: null, input: inputOf(window, orders, (event) => emit(process, event)) },
  }
  const feed = await localNode.openFeed(
    { id: window.id, logPath, ...size, offset: received },
    {
      event(event) {
        if (event.type === 'output') {
          process.written = event.bytes
          if (process.received - event.bytes < maxBacklog / 2) process.follower?.stdout.resume()
        }
        if (event.type !== 'lost') return emit(process, event)
        feedLost()
        process.input.stop()
        process.follower?.kill()
        outOfReach()
      },
      input: (data) => process.input.type(data),
      resize: (cols, rows) => orders.sendQuietly(resizeLine(window, cols, rows)),
    },
  )
  return Object.assign(process, { feed })
}

const emit = ({ listener, early }: Pick<Followed, 'listener' | 'early'>, event: ProcessEvent): void => {
  if (listener) listener(event)
  else early.push(event)
}

const inputOf = (window: TmuxWindow, orders: Orders, tell: (event: ProcessEvent) => void): UserInput =>
  createUserInput({
    child: {
      write: (data) => orders.sendQuietly(keysLine(window, Buffer.from(data))),
      lineMode: () =>
        orders.send(terminalLine(window)).then(
          ({ exitCode, stdout }) => (exitCode === 0 ? readLineMode(stdout.toString()) : null),
          () => null, // Out of reach, which the follower of the process reports.
        ),
    },
    ...{ tty: true, far: true, emit: tell },
  })

/** The process as the table knows processes. */
export const nodeProcessOf = (process: Followed, orders: Orders): NodeProcess => ({
  pid: process.pid,
  onEvent(listener) {
    process.listener = listener
    for (const event of process.early.splice(0)) listener(event)
  },
  async write(data) {
    const done = await orders.send(agentKeysLine(process.window, Buffer.from(data)))
    refuseSecret(done)
    if (done.exitCode !== 0) throw new Error(wordsOf(done))
  },
  resize: (cols, rows) => orders.sendQuietly(resizeLine(process.window, cols, rows)),
  signal: (name) => orders.sendQuietly(signalLine(process.window, name)),
  screen: () => process.feed.screen(),
})
