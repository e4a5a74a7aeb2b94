import type { CronSchedule, CronSpec } from '../../src-preload/contract/schedule'
import { isRecord } from '../is-record'
import { durationMs, parseWhen } from './parse-when'
import { ScheduleError, type Written } from './types'

/** Validates a job from a tool call or a form. Throws an error that says what is missing or wrong. */

const shortestMs = 1000
const longestMs = 366 * 24 * 3600 * 1000
/** A time may be this far in the past: times have minute precision, and a call takes a moment to arrive. */
const latestMs = 60_000
const longestText = 100_000

export interface JobFields {
  name: string
  description?: string
  enabled: boolean
  deleteAfterRun: boolean
  schedule: CronSchedule
  spec: CronSpec
}

/** Reads a new job: name, schedule and spec are required. */
export const readJob = async (job: Written, now: number, zone: string): Promise<JobFields> => {
  const fields = await readPatch(job, now, zone)
  for (const name of ['name', 'schedule', 'spec'] as const) {
    if (fields[name] === undefined) throw new ScheduleError(`A job needs ${name}.`)
  }
  const { enabled = true, deleteAfterRun = false } = fields
  return { ...fields, enabled, deleteAfterRun } as JobFields
}

/** Reads a change: every field is optional. The time that the job already has may be in the past. */
export const readPatch = async (
  patch: Written,
  now: number,
  zone: string,
  before?: CronSchedule,
): Promise<Partial<JobFields>> => {
  const name = text(patch, 'name', 200)
  const description = text(patch, 'description', 2000, true)
  const enabled = flag(patch, 'enabled')
  const deleteAfterRun = flag(patch, 'deleteAfterRun')
  return {
    name: name?.trim(),
    description,
    enabled,
    deleteAfterRun,
    ...(patch.schedule !== undefined && { schedule: await readSchedule(patch.schedule, now, zone, before) }),
    ...(patch.spec !== undefined && { spec: readSpec(patch.spec) }),
  }
}

export const readSchedule = async (
  value: unknown,
  now: number,
  zone: string,
  before?: CronSchedule,
): Promise<CronSchedule> => {
  const schedule = object(value, 'schedule')
  switch (schedule.kind) {
    case 'at': {
      const atMs = await readAt(schedule, now, zone)
      const isKept = before?.kind === 'at' && before.atMs === atMs
      return { kind: 'at', atMs: isKept ? atMs : checkedTime(atMs, now) }
    }
    case 'every': {
      const anchorMs = await readAnchor(schedule, now, zone)
      return { kind: 'every', everyMs: readInterval(schedule), anchorMs }
    }
    case 'cron': {
      const expr = text(schedule, 'expr', 200)
      if (expr === undefined) throw new ScheduleError('A schedule of kind cron needs expr, such as "0 9 * * 1-5".')
      const tz = text(schedule, 'tz', 100, true)?.trim() || zone
      const { checkedExpression } = await import('./next-run')
      return { kind: 'cron', expr: checkedExpression(expr, tz), tz }
    }
    default:
      throw new ScheduleError(`A schedule needs kind: "at", "every" or "cron"${said(schedule.kind)}.`)
  }
}

const readAt = async (schedule: Written, now: number, zone: string): Promise<number> => {
  const atMs = number(schedule, 'atMs')
  if (atMs !== undefined) return atMs
  const ahead = sumOf(schedule, { inMs: 1, inSeconds: 1000, inMinutes: 60_000, inHours: 3_600_000, inDays: 86_400_000 })
  if (ahead !== null) return now + ahead
  const relative = text(schedule, 'in', 200)
  if (relative !== undefined) {
    const length = durationMs(relative.trim().replace(/^in\s+/i, ''))
    if (length === null) {
      throw new ScheduleError(`The time ${JSON.stringify(relative)} could not be read. Write it like "in 30 minutes".`)
    }
    return now + length
  }
  const { at } = schedule
  if (typeof at === 'number') return parseWhen(String(Math.round(at)), now, zone)
  const when = text(schedule, 'at', 200)
  if (when === undefined) throw new ScheduleError('A schedule of kind at needs at, such as "tomorrow at 9am", or in.')
  return parseWhen(when, now, zone)
}

const checkedTime = (atMs: number, now: number): number => {
  if (atMs >= now - latestMs) return atMs
  throw new ScheduleError(
    `That time has passed: it means ${new Date(atMs).toISOString()}, and it is ${new Date(now).toISOString()} now. Name a time to come, such as "in 5 minutes" or "tomorrow at 9am".`,
  )
}

const readInterval = (schedule: Written): number => {
  const parts = { everyMs: 1, everySeconds: 1000, everyMinutes: 60_000, everyHours: 3_600_000, everyDays: 86_400_000 }
  const given = Object.keys(parts).filter((name) => schedule[name] !== undefined && schedule[name] !== null)
  if (given.length !== 1) {
    throw new ScheduleError(
      `A schedule of kind every needs one of everyMinutes, everyHours or everyDays${given.length > 1 ? `, not ${given.join(' and ')}` : ''}.`,
    )
  }
  const ms = Math.round(sumOf(schedule, parts) ?? 0)
  if (ms >= shortestMs && ms <= longestMs) return ms
  throw new ScheduleError(`${given[0]} must be between a second and a year.`)
}

const readAnchor = async (schedule: Written, now: number, zone: string): Promise<number | undefined> => {
  const anchorMs = number(schedule, 'anchorMs')
  if (anchorMs !== undefined) return anchorMs
  const written = ['anchor', 'anchorAt', 'startAt']
    .map((name) => text(schedule, name, 200, true))
    .find((value) => value)
  return written === undefined ? undefined : parseWhen(written, now, zone)
}

/** Maps the thinking levels of other systems to the ones used here. */
export const thinkingLevels = new Map<string, 'low' | 'medium' | 'high' | undefined>([
  ['off', undefined],
  ['none', undefined],
  ['minimal', 'low'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'high'],
  ['max', 'high'],
])

const readSpec = (value: unknown): CronSpec => {
  const spec = object(value, 'spec')
  if (spec.mode === 'systemEvent') {
    const words = text(spec, 'text', longestText)
    if (words === undefined) throw new ScheduleError('A spec of mode systemEvent needs text.')
    return { mode: 'systemEvent', text: words }
  }
  if (spec.mode !== 'task') {
    throw new ScheduleError(`A spec needs mode: "systemEvent" or "task"${said(spec.mode)}.`)
  }
  const message = text(spec, 'message', longestText)
  if (message === undefined) throw new ScheduleError('A spec of mode task needs message.')
  const deliver = flag(spec, 'deliver')
  const bestEffortDeliver = flag(spec, 'bestEffortDeliver')
  const timeoutSeconds = number(spec, 'timeoutSeconds')
  if (timeoutSeconds !== undefined && timeoutSeconds <= 0) throw new ScheduleError('timeoutSeconds must be above 0.')
  const [channel, to, model, thinking] = (['channel', 'to', 'model', 'thinking'] as const).map((name) =>
    text(spec, name, 500, true)?.trim(),
  )
  if (thinking && !thinkingLevels.has(thinking)) {
    throw new ScheduleError(`thinking is one of ${[...thinkingLevels.keys()].join(', ')}${said(thinking)}.`)
  }
  return {
    mode: 'task',
    message,
    deliver,
    ...(channel && { channel }),
    ...(to && { to }),
    ...(model && { model }),
    ...(thinking && { thinking }),
    timeoutSeconds,
    bestEffortDeliver,
  }
}

const said = (value: unknown): string => (value === undefined ? '' : `, not ${JSON.stringify(value)}`)

export const object = (value: unknown, name: string): Written => {
  if (isRecord(value)) return value
  throw new ScheduleError(`${name} must be an object.`)
}

/** `null` counts as absent, since models write either. */
const text = (from: Written, name: string, longest: number, mayBeEmpty = false): string | undefined => {
  const value = from[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw new ScheduleError(`${name} must be a string.`)
  if (value.length > longest) throw new ScheduleError(`${name} is longer than ${longest} characters.`)
  if (!mayBeEmpty && value.trim() === '') throw new ScheduleError(`${name} must not be empty.`)
  return value
}

const flag = (from: Written, name: string): boolean | undefined => {
  const value = from[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value
  throw new ScheduleError(`${name} must be true or false.`)
}

export const number = (from: Written, name: string): number | undefined => {
  const value = from[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new ScheduleError(`${name} must be a number.`)
}

const sumOf = (from: Written, parts: Readonly<Record<string, number>>): number | null => {
  const given = Object.entries(parts).flatMap(([name, unit]) => {
    const count = number(from, name)
    return count === undefined ? [] : [count * unit]
  })
  return given.length === 0 ? null : given.reduce((total, each) => total + each, 0)
}
