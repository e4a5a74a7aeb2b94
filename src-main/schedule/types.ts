import type {
  CronJob,
  CronJobView,
  CronRun,
  CronStatus,
  JobLeash,
  ScheduledJob,
  ScheduledRun,
  ScheduleEvent,
  ScheduleState,
} from '../../src-preload/contract/schedule'
import type { Database } from '../database'
import type { Logger } from '../log'

/** Something is wrong with what was asked for; the message says what, for the model as for the user. */
export class ScheduleError extends Error {
  override name = 'ScheduleError'
}

/** Who asks. A job that an agent makes never gets more freedom than the defaults give. */
export interface Caller {
  by: 'user' | 'agent'
  /** Owner of a job that names no other; `main` when left out. */
  agentId?: string
  /** The session that asks. A job made by a session that has read strangers' words counts as theirs. */
  sessionId?: string
}

/** As somebody wrote it: a tool call or a form. It is read, and refused in words, when it arrives. */
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
 * Jobs that run by the clock. The results of the first seven are those of `gsv__Cron`; what is refused is thrown as a
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
   * Runs what is due, or one job whether it is or not. Waits for tasks, up to `waitMs`; one that takes longer is told of as
   * started. A system event counts as soon as it is said: the session that asks may be the one that has to answer it.
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
  /** Begins a run and answers with its line in the history. */
  begin(id: string): Promise<ScheduledRun>
  stop(id: string): void
  pause(id: string | undefined, paused: boolean): Promise<void>
  preview(schedule: Written): Promise<{ ok: boolean; human: string; next: number[]; problem: string | null }>

  /** From here on jobs start by themselves. Without it only by hand. */
  start(): void
  /** Resolves when no run is going on; for those who must know, such as tests. */
  settled(): Promise<void>
  /** Starts nothing more. What is still going on is the next start's to settle. */
  close(): void
}

/** How a turn of a job ended. */
export interface JobTurn {
  reason: 'done' | 'stopped' | 'limit' | 'failed' | 'interrupted'
  text: string
  error?: { message: string }
}

/** What the schedule needs of sessions. */
export interface JobSessions {
  /** The agent's main session, made if there is none. */
  main(agentId: string): string
  /** A clean session under the key of the job; the one that had the key keeps its messages. */
  fresh(job: CronJob, leash: JobLeash): string
  /** Says something there, and settles with the end of the turn that answers it. */
  say(
    sessionId: string,
    text: string,
    options: { origin: { label: string; mayDoAll: boolean }; signal: AbortSignal; started(): void },
  ): Promise<JobTurn>
  /** Questions that wait for an answer in this session or in one that it began. */
  questions(sessionId: string): { id: string; createdAt: number }[]
  deny(questionId: string, note: string): void
  stop(sessionId: string): void
  /** Strangers' words have been read there. */
  isTainted(sessionId: string): boolean
  taint(sessionId: string): void
  exists(sessionId: string): boolean
  /** Their runs have left the history. */
  discard(sessionIds: string[]): void
}

/** The part of the engine's events that bears on runs. */
export interface SessionNews {
  /** A question came up or was settled somewhere. */
  onQuestions(listener: () => void): () => void
  onTurnEnd(listener: (sessionId: string, turn: JobTurn) => void): () => void
}

export interface JobDelivery {
  sessionId: string
  agentId: string
  text: string
  channel?: string
  to?: string
  /** What a notification is headed with. */
  title: string
}

/** Injected, so that tests can let time pass. */
export interface Clock {
  now(): number
  /** Calls back once after about so long; returns the way to call it off. */
  after(ms: number, work: () => void): () => void
}

export interface ScheduleOptions {
  database: Database
  sessions: JobSessions
  news: SessionNews
  /** Brings an answer to where it should be read; throws with words when that fails. */
  deliver(delivery: JobDelivery): Promise<void>
  publish(event: ScheduleEvent): void
  log: Logger
  /** The user's own. */
  timezone(): string
  /** Words for an agent that there is not; null for one that there is. */
  unknownAgent(id: string): string | null
  /** This process, and whether another one that left its name in a row still lives. */
  owner: string
  isAlive(owner: string): boolean
  clock?: Clock
}
