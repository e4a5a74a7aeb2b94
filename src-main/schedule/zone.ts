/** Converts between instants and local time in any IANA time zone. */

export interface WallClock {
  year: number
  /** From 1. */
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const dayMs = 24 * 60 * 60 * 1000
const formats = new Map<string, Intl.DateTimeFormat>()

const formatFor = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone, made)
  return made
}

export const isZone = (zone: string): boolean => {
  try {
    formatFor(zone)
    return true
  } catch {
    // An exception is the only way to find out that a zone is unknown.
    return false
  }
}

export const wallClock = (ms: number, zone: string): WallClock => {
  const parts = Object.fromEntries(
    formatFor(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts
  return { year, month, day, hour, minute, second }
}

const asUtc = ({ year, month, day, hour, minute, second }: WallClock): number =>
  Date.UTC(year, month - 1, day, hour, minute, second)

/** How far the zone is ahead of UTC at that instant. */
export const offsetMinutes = (ms: number, zone: string): number =>
  Math.round((asUtc(wallClock(ms, zone)) - Math.floor(ms / 1000) * 1000) / 60_000)

/**
 * The instant of a local time. If it occurs twice because clocks go back, the first is used. If it is skipped because
 * clocks go forward, it is moved forward by the same amount.
 */
export const instantOf = (wall: WallClock, zone: string): number => {
  const plain = asUtc(wall)
  const before = plain - offsetMinutes(plain - dayMs, zone) * 60_000
  const after = plain - offsetMinutes(plain + dayMs, zone) * 60_000
  const fits = [before, after].filter((ms) => asUtc(wallClock(ms, zone)) === plain)
  return fits.length > 0 ? Math.min(...fits) : before
}
