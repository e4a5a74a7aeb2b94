import type { CronJobView, ScheduledJob } from '../../src-preload/contract/schedule'
import type { JobRows, KeptJob } from './job-rows'
import type { LiveRun } from './live-run'
import type { RunRows } from './run-rows'
import type { Clock, Schedule } from './types'
import { fullTime, scheduleWords, whenWords } from './words'

interface JobViewsOptions {
  clock: Clock
  timezone(): string
  jobs: JobRows
  history: RunRows
  live: ReadonlyMap<string, LiveRun>
  isEnabled(): boolean
  maxJobs: number
  maxConcurrentRuns: number
}

/** Jobs as they are shown: `status` and `list` to a model, `shown` and `view` to the user. */
export const createJobViews = ({ clock, timezone, jobs, history, live, isEnabled, ...limits }: JobViewsOptions) => {
  const inWords = ({ job }: KeptJob): CronJobView => {
    const { nextRunAtMs, lastRunAtMs } = job.state
    return {
      ...job,
      scheduleHuman: scheduleWords(job.schedule, timezone()),
      ...(nextRunAtMs !== undefined && { nextRunHuman: whenWords(nextRunAtMs, clock.now(), timezone()) }),
      ...(lastRunAtMs !== undefined && { lastRunHuman: whenWords(lastRunAtMs, clock.now(), timezone()) }),
    }
  }

  const shown = (each: KeptJob): ScheduledJob => {
    const run = live.get(each.job.id)
    return {
      ...inWords(each),
      ...each.limits,
      madeBy: each.madeBy,
      sessionId: run?.sessionId ?? history.last(each.job.id)?.sessionId ?? null,
      waiting: run?.isWaiting() ?? false,
    }
  }

  const view: Schedule['view'] = () => ({
    jobs: jobs.list().map(shown),
    state: { enabled: isEnabled(), timezone: timezone(), maxJobs: limits.maxJobs, nextRunAtMs: jobs.nextAt() },
  })

  const status: Schedule['status'] = ({ agentId } = {}) => {
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
      ...limits,
      currentTime: fullTime(now, timezone()),
      timezone: timezone(),
    }
  }

  const list: Schedule['list'] = ({ agentId, includeDisabled = true, limit = 200, offset = 0 } = {}) => {
    const wanted = jobs
      .list()
      .filter(({ job }) => (agentId === undefined || job.agentId === agentId) && (includeDisabled || job.enabled))
    return {
      jobs: wanted.slice(offset, offset + Math.min(limit, 500)).map(inWords),
      count: wanted.length,
      timezone: timezone(),
      currentTime: fullTime(clock.now(), timezone()),
    }
  }

  return { shown, view, status, list }
}
