import type { CronSpec, ScheduledJob, ScheduledRun, ScheduleState } from '../../src-preload/contract/schedule'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A future time: "in 5 min", "in 3 h", then day and time. The exact time belongs in the title attribute. */
export function untilTime(time: number, now: number): string {
  const left = time - now
  if (left <= 0) return 'now'
  if (left < minute) return 'in less than a minute'
  if (left < hour) return `in ${Math.round(left / minute)} min`
  const days = Math.round((startOfDay(time) - startOfDay(now)) / day)
  if (days === 0 || left < 6 * hour) return `in ${Math.round(left / hour)} h, at ${clock(time)}`
  if (days === 1) return `tomorrow at ${clock(time)}`
  return `${dayName(time, days, now)} at ${clock(time)}`
}

const startOfDay = (time: number) => new Date(time).setHours(0, 0, 0, 0)

const clock = (time: number) => new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

function dayName(time: number, days: number, now: number): string {
  const date = new Date(time)
  if (days < 7) return date.toLocaleDateString('en', { weekday: 'long' })
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) })
}

/** A few times on one line, each with weekday, date and time. */
export const timeList = (times: number[]) =>
  times
    .map((time) => {
      const date = new Date(time).toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
      return `${date} ${clock(time)}`
    })
    .join(', ')

/** When a job runs next, or why it does not. */
export function nextWords(job: ScheduledJob, state: ScheduleState | null, now: number): string {
  if (job.state.runningAtMs !== undefined) return 'running now'
  if (!job.enabled) return 'off'
  if (state && !state.enabled) return 'paused'
  const next = job.state.nextRunAtMs
  if (next === undefined) return 'never'
  return next <= now ? 'due now' : untilTime(next, now)
}

/** Waiting and running jobs first, then by the next run; disabled ones last. */
export function sortedJobs(jobs: ScheduledJob[]): ScheduledJob[] {
  const rank = (job: ScheduledJob) =>
    job.waiting ? 0 : job.state.runningAtMs !== undefined ? 1 : job.enabled && job.state.nextRunAtMs ? 2 : 3
  const next = (job: ScheduledJob) => job.state.nextRunAtMs ?? Number.MAX_SAFE_INTEGER
  return [...jobs].sort((a, b) => rank(a) - rank(b) || next(a) - next(b) || a.name.localeCompare(b.name))
}

/** The text that a job sends. */
export const textOf = (spec: CronSpec) => (spec.mode === 'task' ? spec.message : spec.text)

/** Where its answer goes. */
export function deliveryWords(spec: CronSpec): string {
  if (spec.mode === 'systemEvent') return 'sent to the main session'
  if (spec.deliver === false) return 'stays in its session'
  if (!spec.channel || spec.channel === 'app') return 'shown in the app'
  return spec.to ? `${spec.channel}, to ${spec.to}` : spec.channel
}

type RunTone = 'good' | 'bad' | 'idle' | 'busy'

const results: Record<ScheduledRun['status'], { tone: RunTone; words: string }> = {
  ok: { tone: 'good', words: 'done' },
  error: { tone: 'bad', words: 'failed' },
  skipped: { tone: 'idle', words: 'skipped' },
  running: { tone: 'busy', words: 'running' },
}

export const resultOf = (status: ScheduledRun['status']) => results[status]
