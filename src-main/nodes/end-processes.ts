import { killGroups, removeGroup } from '../pty-host/control-group'
import { type RunningProcess, runningProcess } from '../pty-host/process-list'
import { type LookOptions, lookForStarted, type Started, type Wanted } from './survivors'

/** The time between asking programs to end and killing them. */
export const GRACE_MS = 250
/** Killed programs take a moment to end, and one that keeps forking has to be caught up with. */
const INSIST_MS = 2_000
const POLL_MS = 10

/** A process that could not be ended: it runs as another user, or hangs in the kernel. */
export interface LeftOver {
  id: string
  pid: number
}

/** Sends a signal to everything that these have started, at once and without waiting. */
export function signalStarted(wanted: Wanted, name: NodeJS.Signals, options?: LookOptions): void {
  if (name === 'SIGKILL') killGroups(wanted.keys())
  for (const { process: found } of lookForStarted(wanted, options)()) send(found, name)
}

/**
 * Ends these processes and everything that they have started, even if it was detached: asks first, with the signals in
 * `ask`, and kills what is left after that. One look at the machine serves all of them. Returns what could not be
 * ended.
 */
export async function endStarted(
  wanted: Wanted,
  ask: readonly NodeJS.Signals[] = ['SIGTERM'],
  graceMs = GRACE_MS,
  options?: LookOptions,
): Promise<LeftOver[]> {
  const look = lookForStarted(wanted, options)
  if (ask.length > 0) {
    const asked = look().map((each) => each.process)
    // A stopped process handles a signal only when it continues.
    for (const each of asked) for (const name of [...ask, 'SIGCONT'] as const) send(each, name)
    await untilGone(asked, graceMs)
  }
  const deadline = performance.now() + INSIST_MS
  let seenNone = false
  killGroups(wanted.keys())
  for (;;) {
    const left = hold(look, deadline)
    // A program that forks and ends during a look can hide its child from one look, but hardly from two.
    if (left.length === 0 && seenNone) {
      for (const id of wanted.keys()) removeGroup(id)
      return []
    }
    seenNone = left.length === 0
    if (seenNone) continue
    const refused = left.filter((each) => !send(each.process, 'SIGKILL'))
    if (refused.length === left.length || performance.now() > deadline) return left.map(leftOver)
    await untilGone(
      left.map((each) => each.process),
      POLL_MS * 10,
    )
  }
}

/**
 * Stops everything that runs, until nothing new is found. Killing a program that keeps forking makes room for its next
 * children; stopped processes keep their slots and start nothing.
 */
function hold(look: () => Started[], deadline: number): Started[] {
  const held = new Set<string>()
  for (;;) {
    const found = look()
    const fresh = found.filter(({ process: { pid, start } }) => !held.has(`${pid} ${start}`))
    if (fresh.length === 0 || performance.now() > deadline) return found
    for (const { process: each } of fresh) {
      held.add(`${each.pid} ${each.start}`)
      send(each, 'SIGSTOP')
    }
  }
}

const leftOver = ({ id, process: { pid } }: Started): LeftOver => ({ id, pid })

async function untilGone(processes: readonly RunningProcess[], withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  let left = processes
  for (;;) {
    left = left.filter(({ pid, start }) => runningProcess(pid)?.start === start)
    if (left.length === 0 || performance.now() > deadline) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Sends a signal; false if this process may not be signalled. */
function send({ pid }: RunningProcess, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch (error) {
    // It has just ended, or belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
