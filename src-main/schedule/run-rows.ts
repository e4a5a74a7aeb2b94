import { randomBytes } from 'node:crypto'
import type { CronStatus, ScheduledRun } from '../../src-preload/contract/schedule'
import type { Database } from '../database'
import type { Outcome } from './job-rows'

interface Row {
  id: string
  job_id: string
  job_name: string
  session_id: string | null
  ts: number
  status: CronStatus | 'running'
  error: string | null
  summary: string | null
  duration_ms: number | null
  next_run_at: number | null
}

const keptPerJob = 200
/** Overall limit, so that the history of deleted one-time jobs does not grow forever. */
const keptInAll = 20_000

export type RunRows = ReturnType<typeof createRunRows>

/** The history of runs, including those of deleted jobs. */
export const createRunRows = (database: Database, discard: (sessionIds: string[]) => void) => {
  const get = (id: string): ScheduledRun | null => {
    const row = database.prepare<Row>('SELECT * FROM job_runs WHERE id = ?').get(id)
    return row ? toRun(row) : null
  }

  /** Deletes old runs together with their sessions, which nobody could find any more. */
  const trim = (jobId: string): void => {
    const old = database
      .prepare<{ session_id: string | null }>(
        `DELETE FROM job_runs
         WHERE (job_id = ? AND n <= (SELECT n FROM job_runs WHERE job_id = ? ORDER BY n DESC LIMIT 1 OFFSET ${keptPerJob}))
            OR n <= (SELECT max(n) FROM job_runs) - ${keptInAll}
         RETURNING session_id`,
      )
      .all(jobId, jobId)
    const sessionIds = old.flatMap(({ session_id }) => (session_id === null ? [] : [session_id]))
    if (sessionIds.length > 0) discard(sessionIds)
  }

  return {
    get,
    begin: (job: { id: string; name: string }, ts: number, status: 'running' | 'skipped' = 'running'): ScheduledRun => {
      const id = `run_${randomBytes(9).toString('hex')}`
      database
        .prepare('INSERT INTO job_runs (id, job_id, job_name, ts, status) VALUES (?, ?, ?, ?, ?)')
        .run(id, job.id, job.name, ts, status)
      trim(job.id)
      const begun = get(id)
      if (!begun) throw new Error('A run was not saved.')
      return begun
    },
    setSession: (id: string, sessionId: string): void => {
      database.prepare('UPDATE job_runs SET session_id = ? WHERE id = ?').run(sessionId, id)
    },
    end: (id: string, outcome: Omit<Outcome, 'startedAt'>, nextRunAt: number | null): ScheduledRun | null => {
      database
        .prepare(
          'UPDATE job_runs SET status = ?, error = ?, summary = ?, duration_ms = ?, next_run_at = ? WHERE id = ?',
        )
        .run(outcome.status, outcome.error ?? null, outcome.summary ?? null, outcome.durationMs, nextRunAt, id)
      return get(id)
    },
    /** The one that has not ended. */
    open: (jobId: string): ScheduledRun | null => {
      const row = database
        .prepare<Row>(`SELECT * FROM job_runs WHERE job_id = ? AND status = 'running' ORDER BY n DESC LIMIT 1`)
        .get(jobId)
      return row ? toRun(row) : null
    },
    last: (jobId: string): ScheduledRun | null => {
      const row = database
        .prepare<Row>('SELECT * FROM job_runs WHERE job_id = ? AND session_id IS NOT NULL ORDER BY n DESC LIMIT 1')
        .get(jobId)
      return row ? toRun(row) : null
    },
    /** Newest first; unfinished runs are included only with `all`. */
    list: (jobId: string | undefined, limit: number, offset: number, which: 'all' | 'ended'): ScheduledRun[] =>
      database
        .prepare<Row>(
          `SELECT * FROM job_runs WHERE job_id = coalesce(?, job_id) AND (status <> 'running' OR ?)
           ORDER BY n DESC LIMIT ? OFFSET ?`,
        )
        .all(jobId ?? null, Number(which === 'all'), limit, offset)
        .map(toRun),
    count: (jobId: string | undefined): number =>
      database
        .prepare<{ n: number }>(
          `SELECT count(*) AS n FROM job_runs WHERE job_id = coalesce(?, job_id) AND status <> 'running'`,
        )
        .get(jobId ?? null)?.n ?? 0,
  }
}

const toRun = (row: Row): ScheduledRun => ({
  id: row.id,
  jobId: row.job_id,
  jobName: row.job_name,
  sessionId: row.session_id,
  ts: row.ts,
  status: row.status,
  error: row.error ?? undefined,
  summary: row.summary ?? undefined,
  durationMs: row.duration_ms ?? undefined,
  nextRunAtMs: row.next_run_at ?? undefined,
})
