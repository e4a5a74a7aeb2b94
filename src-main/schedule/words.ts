import type { CronSchedule } from '../../src-preload/contract/schedule'

/** Formats schedules and times for people. */

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const lengths: readonly [number, string][] = [
  [604_800_000, 'week'],
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
]

export const scheduleWords = (schedule: CronSchedule, userZone: string): string => {
  switch (schedule.kind) {
    case 'at':
      return `once, ${dayAndTime(schedule.atMs, userZone)}`
    case 'every':
      return `every ${lengthWords(schedule.everyMs)}`.replace(/^every 1 /, 'every ')
    case 'cron': {
      const words = cronWords(schedule.expr) ?? `cron ${schedule.expr}`
      return schedule.tz === userZone ? words : `${words} (${schedule.tz})`
    }
  }
}

/** In the largest unit that leaves nothing over: 90 minutes, 2 hours. */
export const lengthWords = (ms: number): string => {
  const [unit, name] = lengths.find(([length]) => ms >= length && ms % length === 0) ?? [1, 'millisecond']
  return counted(ms / unit, name)
}

const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`

/** "in 3 hours, today at 17:00", "2 days ago, Mon 16 Nov at 09:00". */
export const whenWords = (ms: number, now: number, zone: string): string => {
  const distance = Math.abs(ms - now)
  if (distance < 1000) return 'now'
  const [unit, name] = lengths.find(([length]) => distance >= length) ?? [1000, 'second']
  const about = counted(Math.round(distance / unit), name)
  return `${ms > now ? `in ${about}` : `${about} ago`}, ${dayAndTime(ms, zone, now)}`
}

const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
const date: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }
const full: Intl.DateTimeFormatOptions = {
  ...time,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZoneName: 'short',
}

/** Cached: creating a format takes longer than using it a hundred times. */
const formats = new Map<Intl.DateTimeFormatOptions, Map<string, Intl.DateTimeFormat>>()

const format = (ms: number, zone: string, options: Intl.DateTimeFormatOptions): string => {
  const byZone = formats.get(options) ?? new Map<string, Intl.DateTimeFormat>()
  const made = byZone.get(zone) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options })
  formats.set(options, byZone.set(zone, made))
  return made.format(ms)
}

const dayAndTime = (ms: number, zone: string, now?: number): string => {
  const day = format(ms, zone, date)
  return `${now === undefined ? day : (nearDay(day, now, zone) ?? day)} at ${format(ms, zone, time)}`
}

const nearDay = (day: string, now: number, zone: string): string | null => {
  if (day === format(now, zone, date)) return 'today'
  if (day === format(now + 86_400_000, zone, date)) return 'tomorrow'
  return day === format(now - 86_400_000, zone, date) ? 'yesterday' : null
}

/** Date, time and zone in full, for the model. */
export const fullTime = (ms: number, zone: string): string => format(ms, zone, full)

/** Describes common cron patterns; `null` for others, which are shown as they are. */
const cronWords = (expr: string): string | null => {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = expr.split(' ')
  if (month !== '*') return null
  const everyDay = day === '*' && weekday === '*'
  if (everyDay && hour === '*') return minutesWords(minute)
  if (!/^\d+$/.test(minute)) return null
  const time = timeWords(hour, minute)
  if (time === null) return everyDay ? hoursWords(hour, minute) : null
  if (everyDay) return `every day at ${time}`
  if (day === '*') {
    const named = weekdayWords(weekday)
    return named && `${named} at ${time}`
  }
  return weekday === '*' && /^\d+$/.test(day) ? `on day ${Number(day)} of each month at ${time}` : null
}

const minutesWords = (minute: string): string | null => {
  if (minute === '*' || minute === '*/1') return 'every minute'
  const step = /^\*\/(\d+)$/.exec(minute)
  if (step) return 60 % Number(step[1]) === 0 ? `every ${step[1]} minutes` : null
  return /^\d+$/.test(minute) ? `every hour at :${minute.padStart(2, '0')}` : null
}

const hoursWords = (hour: string, minute: string): string | null => {
  const step = /^\*\/(\d+)$/.exec(hour)
  return step && 24 % Number(step[1]) === 0 ? `every ${step[1]} hours at :${minute.padStart(2, '0')}` : null
}

const timeWords = (hour: string, minute: string): string | null => {
  if (!/^\d+(,\d+)*$/.test(hour)) return null
  const times = hour.split(',').map((each) => `${each.padStart(2, '0')}:${minute.padStart(2, '0')}`)
  return joined(times)
}

const weekdayWords = (weekday: string): string | null => {
  if (weekday === '1-5') return 'every weekday'
  if (weekday === '0,6' || weekday === '6,0' || weekday === '6-7' || weekday === '6,7') return 'on weekends'
  if (!/^[0-7](,[0-7])*$/.test(weekday)) return null
  return `on ${joined(weekday.split(',').map((each) => `${days[Number(each) % 7]}s`))}`
}

const joined = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
