import { ScheduleError } from './types'
import { instantOf, isZone, offsetMinutes, type WallClock, wallClock } from './zone'

const unitMs = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
} as const

const units: readonly [RegExp, number][] = [
  [/^(ms|msecs?|millis(econds?)?|milliseconds?)$/, unitMs.ms],
  [/^(s|secs?|seconds?)$/, unitMs.s],
  [/^(m|mins?|minutes?)$/, unitMs.m],
  [/^(h|hrs?|hours?)$/, unitMs.h],
  [/^(d|days?)$/, unitMs.d],
  [/^(w|wks?|weeks?)$/, unitMs.w],
]

const daysAhead: Record<string, number> = { today: 0, tomorrow: 1 }

/**
 * Parses a time. These forms are tried in order: epoch seconds or milliseconds, "in 2 hours", "today" and "tomorrow",
 * a date with a zone, a date in the user's zone, and finally natural language.
 */
export const parseWhen = async (text: string, now: number, zone: string): Promise<number> => {
  const words = text.trim().replace(/\s+/g, ' ')
  const found =
    epoch(words) ??
    parseDuration(words.replace(/^in /i, ''), now, /^in /i.test(words)) ??
    namedDay(words, now, zone) ??
    isoDate(words, zone) ??
    (await freeWords(words, now, zone))
  if (found === null || !Number.isFinite(found)) {
    throw new ScheduleError(
      `The time ${JSON.stringify(text)} could not be read. Write an ISO date such as 2027-01-31T09:00, "in 2 hours", or "tomorrow at 9am".`,
    )
  }
  return found
}

/** The milliseconds that "2 hours" or "1.5h" mean. */
export const durationMs = (text: string): number | null => {
  const match = /^(\d+(?:\.\d+)?|\.\d+|an?) ?([a-z]+)$/i.exec(text.trim())
  if (!match) return null
  const [, amount = '', unit = ''] = match
  const length = units.find(([pattern]) => pattern.test(unit.toLowerCase()))?.[1]
  if (length === undefined) return null
  return Math.round((/^an?$/i.test(amount) ? 1 : Number(amount)) * length)
}

const epoch = (text: string): number | null => {
  if (/^\d{10}$/.test(text)) return Number(text) * 1000
  return /^\d{11,16}$/.test(text) ? Number(text) : null
}

const parseDuration = (text: string, now: number, saidIn: boolean): number | null => {
  const length = saidIn ? durationMs(text) : null
  return length === null ? null : now + length
}

/** `today` or `tomorrow`, optionally with `at` and a time. Without a time it is midnight. */
const namedDay = (text: string, now: number, zone: string): number | null => {
  const match = /^(today|tomorrow)(?:,? (?:at )?(\d{1,2})(?::(\d{2}))?(?: ?([ap])\.?m\.?)?)?$/i.exec(text)
  if (!match) return null
  const [, day = '', hourText, minuteText = '0', half] = match
  const hour = hourText === undefined ? 0 : hourOf(Number(hourText), half)
  const minute = Number(minuteText)
  if (hour === null || minute > 59) return null
  const today = wallClock(now, zone)
  // Through the calendar, not by adding 24 hours: a day may have 23 or 25.
  const date = new Date(Date.UTC(today.year, today.month - 1, today.day + (daysAhead[day.toLowerCase()] ?? 0)))
  return instantOf({ ...dateOf(date), hour, minute, second: 0 }, zone)
}

const hourOf = (hour: number, half: string | undefined): number | null => {
  if (half === undefined) return hour <= 23 ? hour : null
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

const dateOf = (date: Date): Pick<WallClock, 'year' | 'month' | 'day'> => ({
  year: date.getUTCFullYear(),
  month: date.getUTCMonth() + 1,
  day: date.getUTCDate(),
})

const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?(?: ?(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)+))?$/i

/** A date with an offset, with a zone name, or else in the user's zone. */
const isoDate = (text: string, userZone: string): number | null => {
  const match = isoPattern.exec(text)
  if (!match) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', zone] = match
  const wall: WallClock = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  }
  if (!isRealTime(wall)) return null
  if (zone === undefined) return instantOf(wall, userZone)
  if (/^(Z|UTC|GMT)$/i.test(zone)) return utc(wall)
  const offset = /^([+-])(\d{2}):?(\d{2})$/.exec(zone)
  if (offset) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3])
    return utc(wall) - (offset[1] === '-' ? -1 : 1) * minutes * 60_000
  }
  return isZone(zone) ? instantOf(wall, zone) : null
}

const utc = ({ year, month, day, hour, minute, second }: WallClock): number =>
  Date.UTC(year, month - 1, day, hour, minute, second)

/** False for dates such as 31 February, which JavaScript would turn into 3 March. */
const isRealTime = (wall: WallClock): boolean => {
  const date = new Date(utc(wall))
  return (
    date.getUTCMonth() === wall.month - 1 &&
    date.getUTCDate() === wall.day &&
    wall.hour <= 23 &&
    wall.minute <= 59 &&
    wall.second <= 59
  )
}

const freeWords = async (text: string, now: number, zone: string): Promise<number | null> => {
  if (text.length > 200) return null
  // A large library, loaded only when nothing above matched.
  const { parse } = await import('chrono-node')
  const [found, ...others] = parse(
    text,
    { instant: new Date(now), timezone: offsetMinutes(now, zone) },
    { forwardDate: true },
  )
  // Ignored words may have changed the meaning, so a partial match is rejected.
  if (!found || others.length > 0 || found.text.length < text.replace(/^(at|on) /i, '').length) return null
  const { start } = found
  if (start.isCertain('timezoneOffset')) return start.date().getTime()
  const part = (name: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'): number => start.get(name) ?? 0
  // The zone's offset at that time may differ from the current one, so only the fields are used and converted again.
  const wall = {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  }
  return instantOf(start.isCertain('hour') ? wall : { ...wall, hour: 0, minute: 0, second: 0 }, zone)
}
