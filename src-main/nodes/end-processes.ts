import { type RunningProcess, runningProcess } from '../pty-host/process-list'
import { lookForStarted, type Started, type Wanted } from './survivors'

/** Between asking programs to end and making them. */
export const GRACE_MS = 250
/** Killed programs take a moment to go, and one that multiplies itself has to be caught up with. */
const INSIST_MS = 2_000
const POLL_MS = 10

/** What could not be ended: it became another user's, or hangs in the kernel. */
export interface LeftOver {
  id: string
  pid: number
}

/** Sends a signal to all that these have started, at once. Nothing is waited for. */
export function signalStarted(wanted: Wanted, name: NodeJS.Signals, byEnvironment?: boolean): void {
  for (const { process: found } of lookForStarted(wanted, byEnvironment)()) send(found, name)
}

/**
 * Ends these processes and everything that they have started, however far it has got away: asks first, by the signals of
 * `ask`, and kills what has not gone by then. One look at the machine serves for all of them. Answers what is left.
 */
export async function endStarted(
  wanted: Wanted,
  ask: readonly NodeJS.Signals[] = ['SIGTERM'],
  graceMs = GRACE_MS,
): Promise<LeftOver[]> {
  const look = lookForStarted(wanted)
  if (ask.length > 0) {
    const asked = look().map((each) => each.process)
    // One that was stopped hears a signal only when it goes on.
    for (const each of asked) for (const name of [...ask, 'SIGCONT'] as const) send(each, name)
    await untilGone(asked, graceMs)
  }
  const deadline = performance.now() + INSIST_MS
  let seenNone = false
  for (;;) {
    const left = hold(look, deadline)
    // A program that forks and ends while all are looked at can hide its child from one look, but hardly from two.
    if (left.length === 0 && seenNone) return []
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
 * Stops all that runs, until nothing new is found. Whoever kills a program that multiplies itself while it goes on makes
 * room for its next children; what is stopped keeps its room and starts nothing.
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

/** Whether it may be sent to this process at all. */
function send({ pid }: RunningProcess, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch (error) {
    // It has just ended, or it is another user's.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
