import { randomBytes } from 'node:crypto'
import type { CronJob, CronSchedule, CronSpec, CronStatus, JobLimits } from '../../src-preload/contract/schedule'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'
import type { JobFields } from './read-job'

interface Row {
  id: string
  agent_id: string
  name: string
  description: string | null
  enabled: number
  delete_after_run: number
  schedule: string
  spec: string
  mode: JobLimits['mode']
  workspace: string | null
  answer_minutes: number
  max_cost: number
  made_by: string
  tainted: number
  next_run_at: number | null
  running_at: number | null
  runner: string | null
  last_run_at: number | null
  last_status: CronStatus | null
  last_error: string | null
  last_duration_ms: number | null
  created_at: number
  updated_at: number
}

/** A job together with internal state. */
export interface KeptJob {
  job: CronJob
  limits: JobLimits
  madeBy: 'user' | 'agent'
  /** Created by a session that had read untrusted text, which may have influenced the job. */
  tainted: boolean
  /** The process in which it runs. */
  runner: string | null
}

interface NewJob extends JobFields {
  agentId: string
  limits: JobLimits
  madeBy: 'user' | 'agent'
  tainted: boolean
  nextRunAt: number | null
}

type JobPatch = Partial<JobFields> & { limits?: JobLimits; nextRunAt?: number | null; tainted?: boolean }

export interface Outcome {
  status: CronStatus
  error?: string
  summary?: string
  startedAt: number
  durationMs: number
}

export type JobRows = ReturnType<typeof createJobRows>

export const createJobRows = (database: Database) => {
  const find = (id: string): KeptJob | null => {
    const row = database.prepare<Row>('SELECT * FROM jobs WHERE id = ?').get(id)
    return row ? toJob(row) : null
  }
  /** Next run first; those that have none, last. */
  const order = 'ORDER BY next_run_at IS NULL, next_run_at, rowid'

  return {
    find,
    count: (): number => database.prepare<{ n: number }>('SELECT count(*) AS n FROM jobs').get()?.n ?? 0,
    list: (): KeptJob[] =>
      database
        .prepare<Row>(`SELECT * FROM jobs ${order}`)
        .all()
        .flatMap((row) => toJob(row) ?? []),
    /** Enabled jobs whose time has come, including those that are running. */
    due: (now: number): KeptJob[] =>
      database
        .prepare<Row>(`SELECT * FROM jobs WHERE enabled = 1 AND next_run_at <= ? ${order}`)
        .all(now)
        .flatMap((row) => toJob(row) ?? []),
    running: (): KeptJob[] =>
      database
        .prepare<Row>('SELECT * FROM jobs WHERE running_at IS NOT NULL')
        .all()
        .flatMap((row) => toJob(row) ?? []),
    /** The earliest due time among enabled jobs. */
    nextAt: (): number | null =>
      database.prepare<{ at: number | null }>('SELECT min(next_run_at) AS at FROM jobs WHERE enabled = 1').get()?.at ??
      null,

    add: (job: NewJob, now: number): KeptJob => {
      const id = `job_${randomBytes(9).toString('hex')}`
      const set = present({
        id,
        agent_id: job.agentId,
        made_by: job.madeBy,
        created_at: now,
        ...columnsOf(job, now),
      })
      database
        .prepare(`INSERT INTO jobs (${set.names.join(', ')}) VALUES (${set.names.map(() => '?').join(', ')})`)
        .run(...set.values)
      const added = find(id)
      if (!added) throw new Error('The new job could not be read.')
      return added
    },
    update: (id: string, patch: JobPatch, now: number): void => {
      const set = present(columnsOf(patch, now))
      const list = set.names.map((name) => `${name} = ?`).join(', ')
      database.prepare(`UPDATE jobs SET ${list} WHERE id = ?`).run(...set.values, id)
    },
    remove: (id: string): boolean => database.prepare('DELETE FROM jobs WHERE id = ?').run(id) > 0,

    setNext: (id: string, nextRunAt: number | null): void => {
      database.prepare('UPDATE jobs SET next_run_at = ? WHERE id = ?').run(nextRunAt, id)
    },
    /** Claims the job for this process. False if it is running, or another process just ran it for this due time. */
    claim: (id: string, owner: string, now: number, nextRunAt: number | null, dueAt: number | null): boolean =>
      database
        .prepare(
          `UPDATE jobs SET running_at = ?, runner = ?, next_run_at = ?
           WHERE id = ? AND running_at IS NULL AND next_run_at IS coalesce(?, next_run_at)`,
        )
        .run(now, owner, nextRunAt, id, dueAt) > 0,
    /** Takes over the run of a process that is gone. */
    adopt: (id: string, owner: string, from: string | null): boolean =>
      database.prepare('UPDATE jobs SET runner = ? WHERE id = ? AND runner IS ?').run(owner, id, from) > 0,
    settle: (id: string, { startedAt, status, error, durationMs }: Outcome): void => {
      database
        .prepare(
          `UPDATE jobs SET running_at = NULL, runner = NULL, last_run_at = ?, last_status = ?, last_error = ?,
             last_duration_ms = ? WHERE id = ?`,
        )
        .run(startedAt, status, error ?? null, durationMs, id)
    },
  }
}

type Columns = Record<string, string | number | null | undefined>

/** The columns that a patch sets; `undefined` for those that it leaves. */
const columnsOf = (patch: JobPatch, now: number): Columns => ({
  name: patch.name,
  description: patch.description,
  enabled: patch.enabled === undefined ? undefined : Number(patch.enabled),
  delete_after_run: patch.deleteAfterRun === undefined ? undefined : Number(patch.deleteAfterRun),
  schedule: patch.schedule && JSON.stringify(patch.schedule),
  spec: patch.spec && JSON.stringify(patch.spec),
  mode: patch.limits?.mode,
  workspace: patch.limits?.workspace,
  answer_minutes: patch.limits?.answerMinutes,
  max_cost: patch.limits?.maxCost,
  tainted: patch.tainted === undefined ? undefined : Number(patch.tainted),
  next_run_at: patch.nextRunAt,
  updated_at: now,
})

const present = (columns: Columns): { names: string[]; values: (string | number | null)[] } => {
  const set = Object.entries(columns).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
  return { names: set.map(({ name }) => name), values: set.map(({ value }) => value) }
}

/** `null` if the row cannot be parsed. */
const toJob = (row: Row): KeptJob | null => {
  const schedule = readJson<CronSchedule, null>(row.schedule, null)
  const spec = readJson<CronSpec, null>(row.spec, null)
  return schedule && spec && joinJob(row, schedule, spec)
}

const joinJob = (row: Row, schedule: CronSchedule, spec: CronSpec): KeptJob => ({
  job: {
    id: row.id,
    agentId: row.agent_id,
    name: row.name,
    description: row.description ?? undefined,
    enabled: row.enabled === 1,
    ...(row.delete_after_run === 1 && { deleteAfterRun: true }),
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    schedule,
    spec,
    state: {
      ...(row.next_run_at !== null && row.enabled === 1 && { nextRunAtMs: row.next_run_at }),
      runningAtMs: row.running_at ?? undefined,
      lastRunAtMs: row.last_run_at ?? undefined,
      lastStatus: row.last_status ?? undefined,
      lastError: row.last_error ?? undefined,
      lastDurationMs: row.last_duration_ms ?? undefined,
    },
  },
  limits: {
    mode: row.mode,
    workspace: row.workspace,
    answerMinutes: row.answer_minutes,
    maxCost: row.max_cost,
  },
  madeBy: row.made_by === 'user' ? 'user' : 'agent',
  tainted: row.tainted === 1,
  runner: row.runner,
})
