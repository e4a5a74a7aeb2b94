import { Cron } from 'croner'
import type { CronSchedule } from '../../src-preload/contract/schedule'
import { ScheduleError } from './types'
import { isZone } from './zone'

const horizonMs = 366 * 24 * 60 * 60 * 1000

/** Smallest and largest value of the five fields. */
const fields: readonly { name: string; from: number; to: number }[] = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of month', from: 1, to: 31 },
  { name: 'month', from: 1, to: 12 },
  { name: 'day of week', from: 0, to: 7 },
]

/**
 * The next run after `now`; `null` if there is none, or if a cron expression has none within a year. `previous` is
 * the planned time of the last run: an interval without an anchor continues from there, so that it does not drift by
 * the duration of each run.
 */
export const nextRun = (schedule: CronSchedule, now: number, previous?: number): number | null => {
  switch (schedule.kind) {
    case 'at':
      return previous === undefined || previous < schedule.atMs ? schedule.atMs : null
    case 'every':
      return nextInterval(schedule.everyMs, schedule.anchorMs ?? previous ?? now, now)
    case 'cron': {
      const next = patternOf(schedule).nextRun(new Date(now))?.getTime() ?? null
      return next !== null && next - now <= horizonMs ? next : null
    }
  }
}

const nextInterval = (everyMs: number, anchor: number, now: number): number =>
  anchor > now ? anchor : anchor + (Math.floor((now - anchor) / everyMs) + 1) * everyMs

/** If both day fields are restricted, either may match, as in cron. A time skipped by DST runs right after the gap. */
const patternOf = ({ expr, tz }: { expr: string; tz: string }): Cron =>
  new Cron(withoutOpenSteps(expr), { timezone: tz, mode: '5-part', domAndDow: false, paused: true })

/** `5/15` means "every 15th from 5 on"; the library needs an explicit end. */
const withoutOpenSteps = (expr: string): string =>
  expr
    .split(' ')
    .map((field, index) => field.replace(/(^|,)(\d+)\/(\d+)/g, `$1$2-${fields[index]?.to}/$3`))
    .join(' ')

/** The expression with single spaces between its five fields. Throws an error that says what is wrong with it. */
export const checkedExpression = (expr: string, tz: string): string => {
  const given = expr.trim().split(/\s+/)
  if (given.length !== fields.length) {
    throw new ScheduleError(
      `A cron expression has 5 fields (minute, hour, day of month, month, day of week); ${JSON.stringify(expr)} has ${expr.trim() === '' ? 0 : given.length}.`,
    )
  }
  if (!isZone(tz))
    throw new ScheduleError(`There is no time zone named ${JSON.stringify(tz)}. Try Europe/Berlin or UTC.`)
  for (const [index, { name, from, to }] of fields.entries()) {
    const text = given[index] ?? ''
    if (!text.split(',').every((item) => isItem(item, from, to))) {
      throw new ScheduleError(
        `The ${name} of a cron expression is made of *, numbers from ${from} to ${to}, lists (1,15), ranges (1-5) and steps (*/10); ${JSON.stringify(text)} is not.`,
      )
    }
  }
  return given.join(' ')
}

const isItem = (item: string, from: number, to: number): boolean => {
  const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,3}))?$/.exec(item)
  if (!match) return false
  const [, first, last, step] = match
  if (step !== undefined && (Number(step) < 1 || Number(step) > to)) return false
  if (first === undefined) return true
  const within = (text: string): boolean => Number(text) >= from && Number(text) <= to
  return within(first) && (last === undefined || (within(last) && Number(first) <= Number(last)))
}
