import type { Clock } from './types'

/** Why a run has to end before its turn does. */
export interface Overdue {
  kind: 'unanswered' | 'timeout' | 'queued'
  questionId?: string
}

interface WatchOptions {
  clock: Clock
  /** How long a question waits, and how long a message waits for its turn. */
  answerMs: number
  /** How long it may work, without the time in which it waits for an answer. */
  timeoutMs: number
  questions(): { id: string; createdAt: number }[]
  /** Called once. */
  overdue(reason: Overdue): void
}

const minute = 60_000

/** Enforces the time limits of one run: for its work, and for the questions it waits on. */
export const watchRun = (options: WatchOptions) => {
  const { clock, answerMs } = options
  let left = options.timeoutMs
  let since = clock.now()
  let phase: 'queued' | 'working' | 'waiting' | 'over' = 'queued'
  let callOff = (): void => {}

  const look = (): void => {
    callOff()
    if (phase === 'over') return
    const verdict = phase === 'queued' ? judgeQueued() : judgeRunning()
    if (typeof verdict === 'number') {
      callOff = clock.after(Math.min(Math.max(verdict, 0), minute), look)
      return
    }
    stop()
    options.overdue(verdict)
  }

  /** The time left in this phase, or the reason why the run has to end. */
  const judgeQueued = (): number | Overdue => {
    const left = since + answerMs - clock.now()
    return left > 0 ? left : { kind: 'queued' }
  }

  const judgeRunning = (): number | Overdue => {
    const now = clock.now()
    // Checked every minute: a longer gap means that the machine slept, and that time does not count as work.
    if (phase === 'working') left -= Math.min(now - since, 2 * minute)
    since = now
    const open = options.questions()
    phase = open.length > 0 ? 'waiting' : 'working'
    const expired = open.find(({ createdAt }) => now - createdAt >= answerMs)
    if (expired) return { kind: 'unanswered', questionId: expired.id }
    if (phase === 'waiting') return Math.min(...open.map(({ createdAt }) => createdAt + answerMs - now))
    return left > 0 ? left : { kind: 'timeout' }
  }

  const stop = (): void => {
    phase = 'over'
    callOff()
  }

  look()
  return {
    started: (): void => {
      if (phase !== 'queued') return
      phase = 'working'
      since = clock.now()
      look()
    },
    /** Call when a question was asked or settled. */
    look: (): void => {
      if (phase !== 'queued') look()
    },
    stop,
  }
}
