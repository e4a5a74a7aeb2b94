import { usualTerminalSize } from '../../../src-preload/contract/terminal'
import { trackWork } from '../../track-work'
import type { LocalNode } from '../local'
import type { HostInfo, Node, NodeProcess, ProcessExit, ProcessSpec } from '../node'
import { NodeError } from '../node-error'
import { createDirectNode } from '../shell/direct-node'
import { type RemoteShell, runScript, wordsOf } from '../shell/remote-shell'
import { type Followed, followOutput } from './follow-output'
import { createOrders, nodeProcessOf, openFollowed } from './tmux-process'
import { tidySession } from './tmux-session'
import { endScript, forgetScript, startScript, type TmuxWindow } from './tmux-window'

const tidyMs = 5_000
const startMs = 60_000

export interface TmuxNode extends Node {
  /** Resumes a process of an earlier run, or one that was out of reach. `null` if nothing is left of it. */
  resume(process: { id: string; pid: number; logPath: string }): Promise<NodeProcess | null>
  /** Leaves nothing there that only this run would come back for. */
  forget(): Promise<void>
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
  const orders = createOrders(shell, options.id)
  let closed = false
  // If the machine is out of reach, a folder with a few files stays behind.
  const tidying = trackWork(() => {})
  /** A session was created or found that may have to be removed. */
  let used = false
  const windowOf = (id: string): TmuxWindow => ({ id, session: options.session, owner: options.owner })

  const end = (process: Followed, exit: ProcessExit): void => {
    followed.delete(process.window.id)
    process.input.stop()
    process.feed.end(exit)
    tidying.add(runScript(shell, forgetScript(process.window), { timeoutMs: tidyMs }).then(() => {}))
  }

  const follow = (process: Followed): Promise<'follows' | 'unknown'> =>
    followOutput(process, {
      shell,
      isCurrent: () => !closed && followed.get(process.window.id) === process,
      ended: (exit) => end(process, exit),
      outOfReach: () => options.onOutOfReach(process.window.id),
    })

  const open = async (id: string, pid: number, logPath: string, size: { cols: number; rows: number }) => {
    const process = await openFollowed(
      windowOf(id),
      { pid, logPath, size },
      {
        orders,
        localNode,
        feedLost: () => void followed.delete(id),
        outOfReach: () => options.onOutOfReach(id),
      },
    )
    followed.set(id, process)
    return process
  }

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
      return nodeProcessOf(process, orders)
    },
    async resume({ id, pid, logPath }) {
      const streamed = await direct.resume({ id, pid })
      if (streamed) return streamed
      const process = followed.get(id) ?? (await open(id, pid, logPath, usualTerminalSize))
      if (process.follower === null && (await follow(process)) === 'unknown') {
        followed.delete(id)
        abandon(process)
        return null
      }
      // Its prompt may have been printed long ago.
      void process.input.isSecret()
      return nodeProcessOf(process, orders)
    },
    async forget() {
      if (options.passing) await direct.forget()
    },
    async close() {
      closed = true
      orders.stop()
      for (const process of followed.values()) stopFollowing(process)
      await tidying.settled()
      await orders.close()
      await direct.close()
      if (options.passing && followed.size > 0) await endAll(shell, [...followed.values()])
      if (used) await tidySession(shell, options.session, options.owner)
    },
  }
}

const stopFollowing = ({ follower, input }: Followed): void => {
  input.stop()
  follower?.kill()
}

/** Its machine no longer knows the process: its end will never be reported. */
const abandon = (process: Followed): void => {
  process.listener = () => {}
  process.input.stop()
  process.feed.end({ exitCode: null, signal: null })
}

/** Ends the processes of a run that leaves nothing behind. */
async function endAll(shell: RemoteShell, processes: readonly Followed[]): Promise<void> {
  if (!(await shell.check())) return
  const ends = processes.map(({ window }) => `( ${endScript(window)} )`)
  // If the machine is out of reach, the next connection does it.
  await runScript(shell, ends.join('\n'), { timeoutMs: tidyMs, atClose: true }).catch(() => {})
}
