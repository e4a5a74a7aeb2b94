import type { CronRun, JobLeash, ScheduledJob, ScheduledRun } from '../../src-preload/contract/schedule'
import { realClock } from './clock'
import { executeCron } from './execute'
import { createJobRows, type KeptJob, type Outcome } from './job-rows'
import { readJob, readPatch, readSchedule } from './read-job'
import { createRunRows } from './run-rows'
import { createTimekeeper } from './timekeeper'
import {
  type Caller,
  type CronRunResult,
  type Schedule,
  ScheduleError,
  type ScheduleOptions,
  type Written,
} from './types'
import { fullTime, scheduleWords, whenWords } from './words'

const maxJobs = 200
const maxConcurrentRuns = 4
const usualWaitMs = 30_000
const usualAnswerMinutes = 8 * 60
const previewed = 5

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

  const humans = ({ job }: KeptJob) => {
    const { nextRunAtMs, lastRunAtMs } = job.state
    return {
      ...job,
      scheduleHuman: scheduleWords(job.schedule, timezone()),
      ...(nextRunAtMs !== undefined && { nextRunHuman: whenWords(nextRunAtMs, clock.now(), timezone()) }),
      ...(lastRunAtMs !== undefined && { lastRunHuman: whenWords(lastRunAtMs, clock.now(), timezone()) }),
    }
  }

  const toScheduled = (each: KeptJob): ScheduledJob => {
    const live = timekeeper.live.get(each.job.id)
    return {
      ...humans(each),
      ...each.leash,
      madeBy: each.madeBy,
      sessionId: live?.sessionId ?? history.last(each.job.id)?.sessionId ?? null,
      waiting: live?.isWaiting() ?? false,
    }
  }

  const view: Schedule['view'] = () => ({
    jobs: jobs.list().map(toScheduled),
    state: { enabled: isEnabled(), timezone: timezone(), maxJobs, nextRunAtMs: jobs.nextAt() },
  })

  const changed = (): void => {
    if (timekeeper.isClosed()) return
    publish({ type: 'schedule', ...view() })
    timekeeper.arm()
  }

  const timekeeper = createTimekeeper({ ...options, clock, jobs, history, maxConcurrentRuns, isEnabled, changed })

  const resultOf = (id: string, outcome: Omit<Outcome, 'startedAt'>): CronRunResult => {
    const next = jobs.find(id)?.job.state.nextRunAtMs
    const { status, error, summary, durationMs } = outcome
    return {
      jobId: id,
      status,
      ...(error !== undefined && { error }),
      ...(summary !== undefined && { summary }),
      durationMs,
      ...(next !== undefined && { nextRunAtMs: next }),
    }
  }

  const after = (ms: number): Promise<null> => new Promise((resolve) => clock.after(ms, () => resolve(null)))

  const runOne = async (id: string, waitMs: number): Promise<CronRunResult> => {
    const live = await timekeeper.begin(id)
    if (!live) return resultOf(id, { status: 'skipped', error: 'It is running already.', durationMs: 0 })
    const outcome =
      live.kept.job.spec.mode === 'task' && waitMs > 0 ? await Promise.race([live.done, after(waitMs)]) : null
    if (outcome) return resultOf(id, outcome)
    return resultOf(id, { status: 'ok', summary: 'Started.', durationMs: clock.now() - live.run.ts })
  }

  const schedule: Schedule = {
    status: ({ agentId } = {}) => {
      const now = clock.now()
      const counted = jobs.list().filter(({ job }) => agentId === undefined || job.agentId === agentId)
      const next = counted.map(({ job }) => job.state.nextRunAtMs ?? Number.POSITIVE_INFINITY)
      const nextRunAtMs = Math.min(...next)
      return {
        enabled: isEnabled(),
        count: counted.length,
        dueCount: next.filter((at) => at <= now).length,
        runningCount: counted.filter(({ job }) => job.state.runningAtMs !== undefined).length,
        ...(Number.isFinite(nextRunAtMs) && { nextRunAtMs }),
        maxJobs,
        maxConcurrentRuns,
        currentTime: fullTime(now, timezone()),
        timezone: timezone(),
      }
    },
    list: ({ agentId, includeDisabled = true, limit = 200, offset = 0 } = {}) => {
      const wanted = jobs
        .list()
        .filter(({ job }) => (agentId === undefined || job.agentId === agentId) && (includeDisabled || job.enabled))
      return {
        jobs: wanted.slice(offset, offset + Math.min(limit, 500)).map(humans),
        count: wanted.length,
        timezone: timezone(),
        currentTime: fullTime(clock.now(), timezone()),
      }
    },
    add: async (wish, caller) => {
      const now = clock.now()
      const fields = await readJob(wish, now, timezone())
      const nextRunAt = await firstRun(fields.schedule, now)
      const added = database.durably(() => {
        if (jobs.count() >= maxJobs) throw new ScheduleError(`There are ${maxJobs} jobs already. Remove one first.`)
        return jobs.add(
          {
            ...fields,
            agentId: agentOf(wish, caller, options.unknownAgent),
            leash: leashOf(wish, caller, {
              mode: null,
              workspace: null,
              answerMinutes: usualAnswerMinutes,
              maxCost: 0,
            }),
            madeBy: caller.by,
            tainted: isTainted(caller),
            nextRunAt,
          },
          now,
        )
      })
      changed()
      return { ok: true, job: added.job }
    },
    update: async (id, patch, caller) => {
      const now = clock.now()
      const before = kept(id)
      const fields = await readPatch(patch, now, timezone(), before.job.schedule)
      const enabled = fields.enabled ?? before.job.enabled
      const planAgain = fields.schedule !== undefined || (enabled && !before.job.enabled)
      const nextRunAt = planAgain ? await replan(before, fields.schedule, now) : undefined
      database.durably(() =>
        jobs.update(
          id,
          {
            ...fields,
            leash: leashAfter(before, patch, caller),
            ...(nextRunAt !== undefined && { nextRunAt }),
            ...(isTainted(caller) && { tainted: true }),
          },
          now,
        ),
      )
      changed()
      return { ok: true, job: kept(id).job }
    },
    remove: (id) => {
      timekeeper.live.get(id)?.stop()
      const removed = database.durably(() => jobs.remove(id))
      changed()
      return { ok: true, removed }
    },
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

    view,
    job: (id) => toScheduled(kept(id)),
    history: ({ jobId, limit = 100, offset = 0 }) => history.list(jobId, limit, offset, 'all'),
    begin: async (id) => {
      const live = await timekeeper.begin(id)
      if (!live) throw new ScheduleError('It is running already.')
      return live.run
    },
    stop: (id) => {
      const live = timekeeper.live.get(id)
      if (!live) throw new ScheduleError('It is not running.')
      live.stop()
    },
    pause: async (id, paused) => {
      if (id !== undefined) {
        await schedule.update(id, { enabled: !paused }, { by: 'user' })
        return
      }
      if (!paused) await forgetMissed()
      database
        .prepare(`INSERT OR REPLACE INTO service_state (name, value) VALUES ('schedule', ?)`)
        .run(paused ? 'off' : 'on')
      changed()
    },
    preview: async (wish) => {
      try {
        const now = clock.now()
        const read = await readSchedule(wish, now, timezone())
        const { nextRun } = await import('./next-run')
        const next: number[] = []
        for (
          let at = nextRun(read, now);
          at !== null && next.length < previewed;
          at = nextRun(read, Math.max(at, now), at)
        )
          next.push(at)
        const never = next.length === 0 ? 'It would never run within a year.' : null
        return { ok: never === null, human: scheduleWords(read, timezone()), next, problem: never }
      } catch (error) {
        if (!(error instanceof ScheduleError)) throw error
        return { ok: false, human: '', next: [], problem: error.message }
      }
    },

    start: timekeeper.start,
    settled: timekeeper.settled,
    close: timekeeper.close,
  }

  const isTainted = ({ sessionId }: Caller): boolean => sessionId !== undefined && options.sessions.isTainted(sessionId)

  const firstRun = async (wanted: KeptJob['job']['schedule'], now: number): Promise<number> => {
    const next = (await import('./next-run')).nextRun(wanted, now)
    if (next === null) throw new ScheduleError('This schedule would never run within a year.')
    return next
  }

  /** Skips runs that were missed while the schedule was off, except one-time jobs, which would otherwise never run. */
  const forgetMissed = async (): Promise<void> => {
    const now = clock.now()
    for (const late of isEnabled() ? [] : jobs.due(now)) {
      if (late.job.schedule.kind !== 'at') jobs.setNext(late.job.id, await timekeeper.nextOf(late, now))
    }
  }

  /** The next run after the schedule was changed or the job was enabled again. Missed runs are not made up for. */
  const replan = async (
    before: KeptJob,
    wanted: KeptJob['job']['schedule'] | undefined,
    now: number,
  ): Promise<number | null> => {
    if (wanted) return firstRun(wanted, now)
    const { schedule: same, state } = before.job
    if (same.kind === 'at') return state.lastRunAtMs === undefined ? same.atMs : null
    return timekeeper.nextOf(before, now)
  }

  return schedule
}

const toCronRun = ({ jobName: _name, sessionId: _session, ...run }: ScheduledRun): CronRun => run as CronRun

const agentOf = (wish: Written, caller: Caller, unknownAgent: ScheduleOptions['unknownAgent']): string => {
  const id = wish.agentId ?? caller.agentId ?? 'main'
  if (typeof id !== 'string') throw new ScheduleError('agentId must be a string.')
  const plain = id.trim().toLowerCase()
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(plain))
    throw new ScheduleError(`${JSON.stringify(id)} is not the id of an agent.`)
  const unknown = unknownAgent(plain)
  if (unknown !== null) throw new ScheduleError(unknown)
  return plain
}

/** Only the user can change the leash (what a job may do); values from an agent are ignored. */
const leashOf = (wish: Written, caller: Caller, before: JobLeash): JobLeash => {
  if (caller.by !== 'user') return before
  const {
    mode = before.mode,
    workspace = before.workspace,
    answerMinutes = before.answerMinutes,
    maxCost = before.maxCost,
  } = wish as Partial<JobLeash>
  return { mode, workspace: workspace || null, answerMinutes: Math.round(answerMinutes), maxCost }
}

/** The user granted extra permissions for a specific spec. If an agent changes the spec, they are revoked. */
const leashAfter = (before: KeptJob, patch: Written, caller: Caller): JobLeash =>
  caller.by === 'agent' && patch.spec !== undefined
    ? { ...before.leash, mode: null }
    : leashOf(patch, caller, before.leash)
