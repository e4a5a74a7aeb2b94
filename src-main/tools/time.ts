import { z } from 'zod'
import { systemTimeZone } from '../system-time-zone'
import { inputShape } from './input'
import type { Tool } from './tool'

export const timeFormats = ['epoch', 'epoch_ms', 'epoch_ns', 'iso', 'rfc2822', 'date', 'time'] as const

type TimeFormat = (typeof timeFormats)[number]

const shape = inputShape(() =>
  z.object({
    format: z.enum(timeFormats).optional().describe('Default iso'),
    zone: z
      .string()
      .refine(isZone, 'is not a time zone')
      .optional()
      .describe("Such as Europe/Paris; default: the user's"),
  }),
)

type TimeInput = ReturnType<typeof shape.parse>

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone })
    return true
  } catch {
    // Trying it is the only way to find out whether a zone is known.
    return false
  }
}

/** A time in one of the formats, in the time zone `zone`. */
export function formatTime(ms: number, format: TimeFormat, zone: string): string {
  const { date, time, weekday, day, month, year, offset } = clockParts(ms, zone)
  switch (format) {
    case 'epoch':
      return String(Math.floor(ms / 1000))
    case 'epoch_ms':
      return String(ms)
    case 'epoch_ns':
      return `${ms}000000`
    case 'iso':
      return `${date}T${time}.${String(ms % 1000).padStart(3, '0')}${offset === '+00:00' ? 'Z' : offset}`
    case 'rfc2822':
      return `${weekday}, ${day} ${month} ${year} ${time} ${offset.replace(':', '')}`
    case 'date':
      return date
    case 'time':
      return time
  }
}

function clockParts(ms: number, zone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  })
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
  const [year, month, day] = [part('year'), part('month'), part('day')]
  const monthNumber = String(new Date(`${month} 1, 2000`).getMonth() + 1).padStart(2, '0')
  return {
    year,
    month,
    day,
    weekday: part('weekday'),
    date: `${year}-${monthNumber}-${day}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
    offset: part('timeZoneName').replace('GMT', '') || '+00:00',
  }
}

export function createTimeTool(node: string, clock: () => number): Tool<TimeInput> {
  return {
    description: 'The current time.',
    ...shape,
    readOnly: true,
    access: (_, { workspace }) => ({ action: 'read', node, workspace, cwd: workspace }),
    gist: ({ format = 'iso' }) => format,
    async run({ format = 'iso', zone = systemTimeZone() }) {
      const text = formatTime(clock(), format, zone)
      return { content: [{ type: 'text', text }], display: { type: 'text', text } }
    },
  }
}
