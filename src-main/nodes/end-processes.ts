import { isProcessAlive, startOfProcess } from '../process-alive'
import type { RunningProcess } from '../pty-host/process-list'
import { startedBy, type Wanted } from './survivors'

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
export function signalStarted(wanted: Wanted, name: NodeJS.Signals): void {
  for (const { process: found } of startedBy(wanted)) send(found, name)
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
  if (ask.length > 0) {
    const asked = startedBy(wanted).map((each) => each.process)
    // One that was stopped hears a signal only when it goes on.
    for (const each of asked) for (const name of [...ask, 'SIGCONT'] as const) send(each, name)
    await untilGone(asked, graceMs)
  }
  const deadline = performance.now() + INSIST_MS
  let seenNone = false
  for (;;) {
    const left = startedBy(wanted)
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

const leftOver = ({ id, process: { pid } }: { id: string; process: RunningProcess }): LeftOver => ({ id, pid })

async function untilGone(processes: readonly RunningProcess[], withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  let left = processes
  for (;;) {
    left = left.filter(({ pid, start }) => isProcessAlive(pid) && startOfProcess(pid) === start)
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
