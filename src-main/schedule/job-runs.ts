import type { JobRows, KeptJob, Outcome } from './job-rows'
import type { LiveRun } from './live-run'
import type { RunRows } from './run-rows'
import { createRuns } from './runs'
import { type Clock, ScheduleError, type ScheduleOptions } from './types'

interface JobRunsOptions extends ScheduleOptions {
  clock: Clock
  jobs: JobRows
  history: RunRows
  isClosed(): boolean
  /** Called when the state of a job has changed. */
  changed(): void
}

/** Loaded with the first job, not with the app. */
export const nextOf = async ({ job }: Pick<KeptJob, 'job'>, now: number, previous?: number): Promise<number | null> =>
  (await import('./next-run')).nextRun(job.schedule, now, previous)

/** Claims jobs and runs them, saves how runs end, and cleans up runs that an earlier process left unfinished. */
export const createJobRuns = (options: JobRunsOptions) => {
  const { database, clock, jobs, history, log, publish } = options
  const runs = createRuns({ ...options, runs: history, placed, ended })

  /** Null if it is already running, here or in another process. With `dueAt`, starts only if it is still due then. */
  const begin = async (id: string, dueAt?: number): Promise<LiveRun | null> => {
    const now = clock.now()
    const before = jobs.find(id)
    if (!before) throw new ScheduleError(`There is no job with the id ${JSON.stringify(id)}.`)
    const { schedule, state } = before.job
    const planned = state.nextRunAtMs
    const early = schedule.kind !== 'at' && planned !== undefined && planned > now
    const nextRunAt = schedule.kind === 'at' ? null : early ? planned : await nextOf(before, now, planned)
    if (options.isClosed()) return null
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
    if (options.isClosed() || !now) return
    publish({ type: 'schedule-run', run: now })
    options.changed()
  }

  function ended(live: LiveRun, outcome: Outcome): void {
    // Runs that are open when the app closes are settled at the next start.
    if (options.isClosed()) return
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

  return { live: runs.live, begin, recover }
}
