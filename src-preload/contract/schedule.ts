import type { UsualMode } from './sessions'

/** Jobs that run by the clock, and how their runs ended, as plain data. */

/** When a job runs. Whatever way it was said, this is how it is kept. */
export type CronSchedule =
  | { kind: 'at'; atMs: number }
  | { kind: 'every'; everyMs: number; anchorMs?: number }
  /** Five fields, read in this IANA time zone. */
  | { kind: 'cron'; expr: string; tz: string }

export type CronSpec =
  /** Said in the agent's main session, which goes on from there. */
  | { mode: 'systemEvent'; text: string }
  /** Said in a fresh session of its own. */
  | {
      mode: 'task'
      message: string
      /** `false`: the answer stays in its session. */
      deliver?: boolean
      channel?: string
      to?: string
      model?: string
      thinking?: string
      timeoutSeconds?: number
      /** An answer that cannot be delivered does not make the run a failure. */
      bestEffortDeliver?: boolean
    }

export type CronStatus = 'ok' | 'error' | 'skipped'

interface CronState {
  nextRunAtMs?: number
  /** Set while it runs. */
  runningAtMs?: number
  lastRunAtMs?: number
  lastStatus?: CronStatus
  lastError?: string
  lastDurationMs?: number
}

export interface CronJob {
  id: string
  agentId: string
  name: string
  description?: string
  enabled: boolean
  deleteAfterRun?: boolean
  createdAtMs: number
  updatedAtMs: number
  schedule: CronSchedule
  spec: CronSpec
  state: CronState
}

/** A job with its times in words: "every day at 09:00", "in 3 hours". */
export interface CronJobView extends CronJob {
  scheduleHuman: string
  nextRunHuman?: string
  lastRunHuman?: string
}

export interface CronRun {
  id: string
  jobId: string
  ts: number
  status: CronStatus
  error?: string
  summary?: string
  durationMs?: number
  nextRunAtMs?: number
}

/** What only the window sees and sets: how much a job may do while nobody looks. */
export interface JobLimits {
  /** `null`: the default of the settings, and never `all`. */
  mode: UsualMode | null
  /** Folder that its tasks work in; `null` for the default one. */
  workspace: string | null
  /** How long a question of its run waits for an answer before it counts as denied. */
  answerMinutes: number
  /** US dollars that one run may cost; 0 for no cap of its own. */
  maxCost: number
}

/** A job as the Schedule page shows it. */
export interface ScheduledJob extends CronJobView, JobLimits {
  madeBy: 'user' | 'agent'
  /** The session of the run that is going on, or else of the last one. */
  sessionId: string | null
  /** Its run waits for an answer of the user's. */
  waiting: boolean
}

/** A line of a job's history; the first may still be going on. */
export interface ScheduledRun extends Omit<CronRun, 'status'> {
  status: CronStatus | 'running'
  jobName: string
  /** Where its conversation can be read; `null` when it never came to one. */
  sessionId: string | null
}

/** The state of the clock that starts the jobs. */
export interface ScheduleState {
  /** `false`: paused as a whole. Jobs still run when told to by hand. */
  enabled: boolean
  timezone: string
  maxJobs: number
  nextRunAtMs: number | null
}

export type ScheduleEvent =
  | { type: 'schedule'; jobs: ScheduledJob[]; state: ScheduleState }
  /** A run began or ended. */
  | { type: 'schedule-run'; run: ScheduledRun }
