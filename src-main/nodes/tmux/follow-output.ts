import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { constants } from 'node:os'
import type { UserInput } from '../../pty-host/user-input'
import type { ProcessFeed } from '../local'
import type { ProcessEvent, ProcessExit } from '../node'
import { outputMark, quote, type RemoteShell, skipToMark } from '../shell/remote-shell'
import { createTailReader } from './tail-reader'
import { followScript, type TmuxWindow } from './tmux-window'

/** Output that waits for the disk; beyond this the sender waits. */
export const maxBacklog = 8 * 1024 * 1024

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))

/** The local state of a process that runs there. */
export interface Followed {
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

/**
 * Passes on the output of a tmux window from the last byte that arrived here, until it ends or its machine is out of
 * reach. Resolves when it is known whether the window exists.
 */
export async function followOutput(
  process: Followed,
  options: {
    shell: RemoteShell
    /** Whether this process is still followed by this connection. */
    isCurrent(): boolean
    ended(exit: ProcessExit): void
    outOfReach(): void
  },
): Promise<'follows' | 'unknown'> {
  const { shell } = options
  const { window } = process
  await shell.ready()
  const token = randomBytes(12).toString('hex')
  const follow = `${outputMark(token)}; ${followScript(window, process.received)}`
  // The user's own shell may be of another kind.
  const [file, ...args] = shell.argv(`exec sh -c ${quote(follow)}`, { stdin: true })
  const output = skipToMark(token)
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
      options.ended({ exitCode, signal: null })
      child.kill()
    },
  })
  child.stdout.on('data', (chunk: Buffer) => {
    if (!ended) reader.push(output(chunk))
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
    if (ended || lost || !options.isCurrent()) return
    const [gone, isDead, signal] = /^gone ?(1?) ?(\d*)$/m.exec(said) ?? []
    if (gone === undefined) return options.outOfReach()
    reader.flush()
    options.ended({ exitCode: null, signal: isDead ? (signalNames.get(Number(signal)) ?? 'SIGKILL') : null })
  })
  return known.promise
}
