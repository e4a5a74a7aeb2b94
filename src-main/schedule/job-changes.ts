import type { CronSchedule, JobLimits } from '../../src-preload/contract/schedule'
import type { JobRows, KeptJob } from './job-rows'
import { readJob, readPatch } from './read-job'
import type { Timekeeper } from './timekeeper'
import { type Caller, type Clock, type Schedule, ScheduleError, type ScheduleOptions, type Written } from './types'

/** What a job may do when the user has set nothing. */
const usualLimits: JobLimits = { mode: null, workspace: null, answerMinutes: 8 * 60, maxCost: 0 }

interface JobChangesOptions extends ScheduleOptions {
  clock: Clock
  jobs: JobRows
  timekeeper: Timekeeper
  maxJobs: number
  /** Throws if there is no such job. */
  kept(id: string): KeptJob
  changed(): void
}

/** Adds, updates and removes jobs. */
export const createJobChanges = (options: JobChangesOptions): Pick<Schedule, 'add' | 'update' | 'remove'> => {
  const { database, clock, timezone, jobs, timekeeper, maxJobs, kept, changed } = options

  const isTainted = ({ sessionId }: Caller): boolean => sessionId !== undefined && options.sessions.isTainted(sessionId)

  /** The next run after the schedule was changed or the job was enabled again. Missed runs are not made up for. */
  const replan = async (before: KeptJob, wanted: CronSchedule | undefined, now: number): Promise<number | null> => {
    if (wanted) return firstRun(wanted, now)
    const { schedule: same, state } = before.job
    if (same.kind === 'at') return state.lastRunAtMs === undefined ? same.atMs : null
    return timekeeper.nextOf(before, now)
  }

  return {
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
            limits: limitsFrom(wish, caller, usualLimits),
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
      const change = {
        ...fields,
        limits: limitsAfter(before, patch, caller),
        nextRunAt,
        ...(isTainted(caller) && { tainted: true }),
      }
      database.durably(() => jobs.update(id, change, now))
      changed()
      return { ok: true, job: kept(id).job }
    },
    remove: (id) => {
      timekeeper.live.get(id)?.stop()
      const removed = database.durably(() => jobs.remove(id))
      changed()
      return { ok: true, removed }
    },
  }
}

const firstRun = async (wanted: CronSchedule, now: number): Promise<number> => {
  const next = (await import('./next-run')).nextRun(wanted, now)
  if (next === null) throw new ScheduleError('This schedule would never run within a year.')
  return next
}

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

/** Only the user can change what a job may do; values from an agent are ignored. */
const limitsFrom = (wish: Written, caller: Caller, before: JobLimits): JobLimits => {
  if (caller.by !== 'user') return before
  const {
    mode = before.mode,
    workspace = before.workspace,
    answerMinutes = before.answerMinutes,
    maxCost = before.maxCost,
  } = wish as Partial<JobLimits>
  return { mode, workspace: workspace || null, answerMinutes: Math.round(answerMinutes), maxCost }
}

/** The user granted extra permissions for a specific spec. If an agent changes the spec, they are revoked. */
const limitsAfter = (before: KeptJob, patch: Written, caller: Caller): JobLimits =>
  caller.by === 'agent' && patch.spec !== undefined
    ? { ...before.limits, mode: null }
    : limitsFrom(patch, caller, before.limits)
