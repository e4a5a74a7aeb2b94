import type { StopReason } from '../../src-preload/contract/events'
import type {
  CronJob,
  CronJobView,
  CronRun,
  CronStatus,
  JobLimits,
  ScheduledJob,
  ScheduledRun,
  ScheduleEvent,
  ScheduleState,
} from '../../src-preload/contract/schedule'
import type { Database } from '../database'
import type { Logger } from '../log'

/** The request is invalid. The message explains why, for both the model and the user. */
export class ScheduleError extends Error {
  override name = 'ScheduleError'
}

/** Who makes the request. A job created by an agent never gets more permissions than the defaults. */
export interface Caller {
  by: 'user' | 'agent'
  /** Owner of a job that names no other; `main` when left out. */
  agentId?: string
  /** The session that makes the request. If it has read untrusted text, the job is marked as tainted. */
  sessionId?: string
}

/** Unvalidated input of a tool call or a form. */
export type Written = Readonly<Record<string, unknown>>

interface CronStatusResult {
  enabled: boolean
  count: number
  dueCount: number
  runningCount: number
  nextRunAtMs?: number
  maxJobs: number
  maxConcurrentRuns: number
  currentTime: string
  timezone: string
}

export interface CronRunResult {
  jobId: string
  status: CronStatus
  error?: string
  summary?: string
  durationMs: number
  nextRunAtMs?: number
}

/**
 * Jobs that run on a schedule. The first seven methods return the results of `gsv__Cron`. Invalid requests throw a
 * `ScheduleError`.
 */
export interface Schedule {
  status(filter?: { agentId?: string }): CronStatusResult
  list(page?: { agentId?: string; includeDisabled?: boolean; limit?: number; offset?: number }): {
    jobs: CronJobView[]
    count: number
    timezone: string
    currentTime: string
  }
  add(job: Written, caller: Caller): Promise<{ ok: true; job: CronJob }>
  update(id: string, patch: Written, caller: Caller): Promise<{ ok: true; job: CronJob }>
  remove(id: string): { ok: true; removed: boolean }
  /**
   * Runs all due jobs, or one job even if it is not due. Waits up to `waitMs` for tasks; a longer one is reported as
   * started. A system event counts as soon as it is sent: the calling session may be the one that has to answer it.
   */
  run(wish: { mode?: 'due' | 'force'; id?: string; waitMs?: number }): Promise<{
    ok: true
    ran: number
    results: CronRunResult[]
  }>
  /** Newest first. */
  runs(page?: { jobId?: string; limit?: number; offset?: number }): { runs: CronRun[]; count: number }
  /** The one tool with its `action`: checks the arguments and calls one of the above. */
  execute(input: Written, caller: Caller): Promise<unknown>

  /** For the window. */
  view(): { jobs: ScheduledJob[]; state: ScheduleState }
  job(id: string): ScheduledJob
  history(page: { jobId?: string; limit?: number; offset?: number }): ScheduledRun[]
  /** Starts a run and returns its history entry. */
  begin(id: string): Promise<ScheduledRun>
  stop(id: string): void
  pause(id: string | undefined, paused: boolean): Promise<void>
  preview(schedule: Written): Promise<{ ok: boolean; human: string; next: number[]; problem: string | null }>

  /** From now on due jobs start automatically. Without this they start only by hand. */
  start(): void
  /** Resolves when no run is active. Mainly for tests. */
  settled(): Promise<void>
  /** Starts no more jobs. Active runs are settled at the next start of the app. */
  close(): void
}

/** How a turn of a job ended. */
export interface JobTurn {
  reason: StopReason
  text: string
  error?: { message: string }
}

/** What the schedule needs from sessions. */
export interface JobSessions {
  /** The agent's main session, made if there is none. */
  main(agentId: string): string
  /** Creates an empty session under the key of the job; the previous one keeps its messages. */
  fresh(job: CronJob, limits: JobLimits): string
  /** Sends a message to the session and resolves when the turn that answers it ends. */
  say(
    sessionId: string,
    text: string,
    options: { origin: { label: string; mayDoAll: boolean }; signal: AbortSignal; started(): void },
  ): Promise<JobTurn>
  /** Open questions in this session or in one that it started. */
  questions(sessionId: string): { id: string; createdAt: number }[]
  deny(questionId: string, note: string): void
  stop(sessionId: string): void
  /** Whether the session has read untrusted text. */
  isTainted(sessionId: string): boolean
  taint(sessionId: string): void
  exists(sessionId: string): boolean
  /** Deletes sessions whose runs have been removed from the history. */
  discard(sessionIds: string[]): void
}

/** The engine's events that are relevant to runs. */
export interface SessionNews {
  /** Called when a question was asked or settled in any session. */
  onQuestions(listener: () => void): () => void
  onTurnEnd(listener: (sessionId: string, turn: JobTurn) => void): () => void
}

export interface JobDelivery {
  sessionId: string
  agentId: string
  text: string
  channel?: string
  to?: string
  /** Title of the notification. */
  title: string
}

/** Injected, so that tests can let time pass. */
export interface Clock {
  now(): number
  /** Calls `work` once after about `ms`; returns a function that cancels it. */
  after(ms: number, work: () => void): () => void
}

export interface ScheduleOptions {
  database: Database
  sessions: JobSessions
  news: SessionNews
  /** Delivers an answer; throws an error with a readable message if that fails. */
  deliver(delivery: JobDelivery): Promise<void>
  publish(event: ScheduleEvent): void
  log: Logger
  /** The user's time zone. */
  timezone(): string
  /** An error message if there is no such agent, else null. */
  unknownAgent(id: string): string | null
  /** Identifies this process; `isAlive` tells whether the process that another owner value names still runs. */
  owner: string
  isAlive(owner: string): boolean
  clock?: Clock
}
