import type { CronSchedule } from '../../src-preload/contract/schedule'

/** Schedules and times as people say them. */

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

const dayAndTime = (ms: number, zone: string, now?: number): string => {
  const format = (at: number, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options }).format(at)
  const time = format(ms, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const full: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }
  if (now === undefined) return `${format(ms, full)} at ${time}`
  const date = (at: number): string => format(at, { dateStyle: 'short' })
  if (date(ms) === date(now)) return `today at ${time}`
  if (date(ms) === date(now + 86_400_000)) return `tomorrow at ${time}`
  if (date(ms) === date(now - 86_400_000)) return `yesterday at ${time}`
  return `${format(ms, full)} at ${time}`
}

/** With everything that a model may want to know about now. */
export const fullTime = (ms: number, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(ms)

/** The patterns that people write; `null` for the others, which are best read as they are. */
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
