import type { CronRun, ScheduledRun } from '../../src-preload/contract/schedule'
import { executeCron } from './execute'
import { createJobChanges } from './job-changes'
import { createJobRows, type KeptJob, type Outcome } from './job-rows'
import { createJobViews } from './job-views'
import { readSchedule } from './read-job'
import { createRunRows } from './run-rows'
import { createTimekeeper } from './timekeeper'
import {
  type Clock,
  type CronRunResult,
  type Schedule,
  ScheduleError,
  type ScheduleOptions,
  type Written,
} from './types'
import { scheduleWords } from './words'

const previewed = 5

/** The longest delay that `setTimeout` supports. */
const longestMs = 2 ** 31 - 1

const realClock: Clock = {
  now: Date.now,
  after: (ms, work) => {
    const timer = setTimeout(work, Math.min(ms, longestMs))
    // A future job must not keep a command-line process alive.
    timer.unref()
    return () => clearTimeout(timer)
  },
}

const maxJobs = 200
const maxConcurrentRuns = 4
const usualWaitMs = 30_000

/** Jobs that run by the clock. */
export const createSchedule = (options: ScheduleOptions): Schedule => {
  const { database, publish, timezone } = options
  const clock = options.clock ?? realClock
  const jobs = createJobRows(database)
  const history = createRunRows(database, options.sessions.discard)
  const isEnabled = (): boolean =>
    database.prepare<{ value: string }>(`SELECT value FROM service_state WHERE name = 'schedule'`).get()?.value !==
    'off'

  const kept = (id: string): KeptJob => {
    const found = jobs.find(id)
    if (!found) throw new ScheduleError(`There is no job with the id ${JSON.stringify(id)}.`)
    return found
  }

  const changed = (): void => {
    if (timekeeper.isClosed()) return
    publish({ type: 'schedule', ...views.view() })
    timekeeper.arm()
  }

  const shared = { ...options, clock, jobs, history, maxJobs, maxConcurrentRuns, isEnabled, kept, changed }
  const timekeeper = createTimekeeper(shared)
  const { live } = timekeeper
  const views = createJobViews({ clock, timezone, jobs, history, live, isEnabled, maxJobs, maxConcurrentRuns })
  const changes = createJobChanges({ ...shared, timekeeper })

  const runOne = async (id: string, waitMs: number): Promise<CronRunResult> => {
    const resultOf = (outcome: Omit<Outcome, 'startedAt'>) =>
      runResult(id, outcome, jobs.find(id)?.job.state.nextRunAtMs)
    const begun = await timekeeper.begin(id)
    if (!begun) return resultOf({ status: 'skipped', error: 'It is running already.', durationMs: 0 })
    const waits = begun.kept.job.spec.mode === 'task' && waitMs > 0
    const outcome = waits ? await Promise.race([begun.done, passed(clock, waitMs)]) : null
    if (outcome) return resultOf(outcome)
    return resultOf({ status: 'ok', summary: 'Started.', durationMs: clock.now() - begun.run.ts })
  }

  /** Skips runs that were missed while the schedule was off, except one-time jobs, which would otherwise never run. */
  const forgetMissed = async (): Promise<void> => {
    const now = clock.now()
    for (const late of isEnabled() ? [] : jobs.due(now)) {
      if (late.job.schedule.kind !== 'at') jobs.setNext(late.job.id, await timekeeper.nextOf(late, now))
    }
  }

  const schedule: Schedule = {
    ...changes,
    status: views.status,
    list: views.list,
    run: async ({ mode = 'due', id, waitMs = usualWaitMs }) => {
      if (mode === 'force') {
        if (!id) throw new ScheduleError('id is required to run one job with mode "force".')
        const result = await runOne(id, waitMs)
        return { ok: true, ran: result.status === 'skipped' ? 0 : 1, results: [result] }
      }
      const due = isEnabled() ? jobs.due(clock.now()).filter(({ job }) => job.state.runningAtMs === undefined) : []
      const results: CronRunResult[] = []
      for (const { job } of due.slice(0, maxConcurrentRuns)) results.push(await runOne(job.id, waitMs))
      return { ok: true, ran: results.filter(({ status }) => status !== 'skipped').length, results }
    },
    runs: ({ jobId, limit = 200, offset = 0 } = {}) => ({
      runs: history.list(jobId, Math.min(limit, 2000), offset, 'ended').map(toCronRun),
      count: history.count(jobId),
    }),
    execute: (input, caller) => executeCron(schedule, input, caller),

    view: views.view,
    job: (id) => views.shown(kept(id)),
    history: ({ jobId, limit = 100, offset = 0 }) => history.list(jobId, limit, offset, 'all'),
    begin: async (id) => {
      const begun = await timekeeper.begin(id)
      if (!begun) throw new ScheduleError('It is running already.')
      return begun.run
    },
    stop: (id) => {
      const running = live.get(id)
      if (!running) throw new ScheduleError('It is not running.')
      running.stop()
    },
    pause: async (id, paused) => {
      if (id !== undefined) {
        await changes.update(id, { enabled: !paused }, { by: 'user' })
        return
      }
      if (!paused) await forgetMissed()
      database
        .prepare(`INSERT OR REPLACE INTO service_state (name, value) VALUES ('schedule', ?)`)
        .run(paused ? 'off' : 'on')
      changed()
    },
    preview: (wish) => previewSchedule(wish, clock.now(), timezone()),

    start: timekeeper.start,
    settled: timekeeper.settled,
    close: timekeeper.close,
  }
  return schedule
}

const passed = (clock: Clock, ms: number): Promise<null> =>
  new Promise((resolve) => clock.after(ms, () => resolve(null)))

const runResult = (
  id: string,
  { status, error, summary, durationMs }: Omit<Outcome, 'startedAt'>,
  next: number | undefined,
): CronRunResult => {
  return {
    jobId: id,
    status,
    error,
    summary,
    durationMs,
    nextRunAtMs: next,
  }
}

const toCronRun = ({ jobName: _name, sessionId: _session, ...run }: ScheduledRun): CronRun => run as CronRun

/** The next runs of a schedule that is being written, or what is wrong with it. */
const previewSchedule = async (wish: Written, now: number, timezone: string): ReturnType<Schedule['preview']> => {
  try {
    const read = await readSchedule(wish, now, timezone)
    const { nextRun } = await import('./next-run')
    const next: number[] = []
    for (let at = nextRun(read, now); at !== null && next.length < previewed; at = nextRun(read, Math.max(at, now), at))
      next.push(at)
    const never = next.length === 0 ? 'It would never run within a year.' : null
    return { ok: never === null, human: scheduleWords(read, timezone), next, problem: never }
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    return { ok: false, human: '', next: [], problem: error.message }
  }
}
