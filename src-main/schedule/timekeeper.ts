import type { JobRows, KeptJob, Outcome } from './job-rows'
import type { RunRows } from './run-rows'
import { createRuns, type LiveRun } from './runs'
import { type Clock, ScheduleError, type ScheduleOptions } from './types'

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

/** Starts jobs when they are due, follows their runs, and cleans up runs that an earlier process left unfinished. */
export const createTimekeeper = (options: TimekeeperOptions) => {
  const { database, clock, jobs, history, log, publish } = options
  let closed = false
  let started = false
  let passing = false
  let disarm = (): void => {}
  const runs = createRuns({ ...options, runs: history, placed, ended })

  /** Loaded with the first job, not with the app. */
  const nextOf = async ({ job }: Pick<KeptJob, 'job'>, now: number, previous?: number): Promise<number | null> =>
    (await import('./next-run')).nextRun(job.schedule, now, previous)

  /** Null if it is already running, here or in another process. With `dueAt`, starts only if it is still due then. */
  const begin = async (id: string, dueAt?: number): Promise<LiveRun | null> => {
    const now = clock.now()
    const before = jobs.find(id)
    if (!before) throw new ScheduleError(`There is no job with the id ${JSON.stringify(id)}.`)
    const { schedule, state } = before.job
    const planned = state.nextRunAtMs
    const early = schedule.kind !== 'at' && planned !== undefined && planned > now
    const nextRunAt = schedule.kind === 'at' ? null : early ? planned : await nextOf(before, now, planned)
    if (closed) return null
    if (isLeft(before)) clear(before)
    const run = database.transaction(() =>
      jobs.claim(id, options.owner, now, nextRunAt, dueAt ?? null) ? history.begin(before.job, now) : null,
    )
    if (!run) return null
    const live = runs.begin({ ...before, runner: options.owner }, run)
    publish({ type: 'schedule-run', run })
    options.changed()
    return live
  }

  function placed({ run }: LiveRun): void {
    const now = history.get(run.id)
    if (closed || !now) return
    publish({ type: 'schedule-run', run: now })
    options.changed()
  }

  function ended(live: LiveRun, outcome: Outcome): void {
    // Runs that are open when the app closes are settled at the next start.
    if (closed) return
    const { id } = live.kept.job
    const settle = () =>
      database.transaction(() => {
        jobs.settle(id, outcome)
        const now = jobs.find(id)
        if (now?.job.schedule.kind === 'at' && !now.job.state.nextRunAtMs) {
          if (outcome.status === 'ok' && now.job.deleteAfterRun) jobs.remove(id)
          else jobs.update(id, { enabled: false }, clock.now())
        }
        return history.end(live.run.id, outcome, now?.job.state.nextRunAtMs ?? null)
      })
    if (outcome.status === 'error') log.warn('A job failed', { job: id, error: outcome.error })
    // The run has ended even if that cannot be saved now: on a full disk it must not seem to run forever.
    database.unsaved.save(`job:${id}`, () => {
      const run = settle()
      if (run) publish({ type: 'schedule-run', run })
      options.changed()
    })
  }

  /** Marked as running, but no live process runs it. */
  const isLeft = ({ job, runner }: KeptJob): boolean => {
    if (job.state.runningAtMs === undefined || runs.live.has(job.id)) return false
    return runner === null || runner === options.owner || !options.isAlive(runner)
  }

  /** Its process is gone: marks the run as failed, so that the job can run again. */
  const clear = ({ job }: KeptJob): void => {
    const run = history.open(job.id)
    const error = 'Deckhand stopped while it ran.'
    const startedAt = run?.ts ?? job.state.runningAtMs ?? clock.now()
    database.transaction(() => {
      jobs.settle(job.id, { status: 'error', error, startedAt, durationMs: 0 })
      if (job.schedule.kind === 'at') jobs.update(job.id, { enabled: false }, clock.now())
      if (run) history.end(run.id, { status: 'error', error, durationMs: 0 }, job.state.nextRunAtMs ?? null)
    })
  }

  const recover = (): void => {
    for (const left of jobs.running()) {
      if (!isLeft(left)) continue
      const run = history.open(left.job.id)
      const sessionId = run?.sessionId ?? null
      const asks =
        sessionId !== null && options.sessions.exists(sessionId) && options.sessions.questions(sessionId).length > 0
      if (run && sessionId !== null && asks && jobs.adopt(left.job.id, options.owner, left.runner)) {
        runs.adopt({ ...left, runner: options.owner }, run, sessionId)
      } else {
        clear(left)
      }
    }
  }

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
      await begin(job.id, job.state.nextRunAtMs)
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
    begin,
    nextOf,
    /** Sets the timer again; call it when the next due time may have changed. */
    arm: () => arm(),
    start: (): void => {
      if (started || closed) return
      started = true
      recover()
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
