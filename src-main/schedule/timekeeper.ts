import type { JobRows, KeptJob } from './job-rows'
import { createJobRuns, nextOf } from './job-runs'
import type { RunRows } from './run-rows'
import type { Clock, ScheduleOptions } from './types'

/** Upper limit for a timer, since the machine may sleep and its clock may be changed. */
const longestWaitMs = 60_000
/** Pause between passes, so that a job that cannot be started does not cause a busy loop. */
const betweenPassesMs = 1000

interface TimekeeperOptions extends ScheduleOptions {
  clock: Clock
  jobs: JobRows
  history: RunRows
  maxConcurrentRuns: number
  isEnabled(): boolean
  /** Called when the state of a job has changed. */
  changed(): void
}

export type Timekeeper = ReturnType<typeof createTimekeeper>

/** Starts jobs when they are due. */
export const createTimekeeper = (options: TimekeeperOptions) => {
  const { clock, jobs, history, log, publish } = options
  let closed = false
  let started = false
  let passing = false
  let disarm = (): void => {}
  const runs = createJobRuns({ ...options, isClosed: () => closed })

  /** Starts due jobs, up to the limit of concurrent runs. */
  const pass = async (): Promise<void> => {
    if (closed || passing || !options.isEnabled()) return
    passing = true
    try {
      for (const due of jobs.due(clock.now())) {
        if (due.job.state.runningAtMs !== undefined) await skip(due)
        else if (busy() < options.maxConcurrentRuns) await tryToBegin(due)
      }
    } finally {
      passing = false
    }
  }

  /** A job that fails to start must not prevent the others from starting. */
  const tryToBegin = async ({ job }: KeptJob): Promise<void> => {
    try {
      await runs.begin(job.id, job.state.nextRunAtMs)
    } catch (error) {
      log.error('A job could not be started', { job: job.id, error })
    }
  }

  const busy = (): number => [...runs.live.values()].filter((live) => !live.isWaiting()).length

  /** For a job that is due while it is still running: plans the next run and notes that this one was skipped. */
  const skip = async (due: KeptJob): Promise<void> => {
    jobs.setNext(due.job.id, await nextOf(due, clock.now(), due.job.state.nextRunAtMs))
    const live = runs.live.get(due.job.id)
    if (!live || live.skipNoted) return
    live.skipNoted = true
    const { id } = history.begin(due.job, clock.now(), 'skipped')
    const error = 'Its time came while the run before was still going on.'
    const run = history.end(id, { status: 'skipped', error, durationMs: 0 }, null)
    if (run) publish({ type: 'schedule-run', run })
  }

  const arm = (leastMs = 0): void => {
    disarm()
    if (closed || !started) return
    const next = jobs.nextAt()
    const idle = next === null || busy() >= options.maxConcurrentRuns || !options.isEnabled()
    const wait = idle ? longestWaitMs : next - clock.now()
    disarm = clock.after(Math.min(Math.max(wait, leastMs), longestWaitMs), () => {
      pass()
        .catch((error: unknown) => log.error('Due jobs could not be started', { error }))
        .finally(() => arm(betweenPassesMs))
    })
  }

  const stopListening = options.news.onQuestions(() => {
    if (!closed && runs.live.size > 0) options.changed()
  })

  return {
    live: runs.live,
    begin: (id: string) => runs.begin(id),
    nextOf,
    /** Sets the timer again; call it when the next due time may have changed. */
    arm: () => arm(),
    start: (): void => {
      if (started || closed) return
      started = true
      runs.recover()
      arm()
    },
    settled: async (): Promise<void> => {
      while (runs.live.size > 0) await Promise.all([...runs.live.values()].map(({ done }) => done))
    },
    close: (): void => {
      closed = true
      disarm()
      stopListening()
    },
    isClosed: () => closed,
  }
}
