import { systemTimeZone } from '../system-time-zone'

/** The local date of an instant in a time zone, as `2026-11-16`. */
export const localDate = (ms: number, timeZone: string): string => {
  if (timeZone !== systemTimeZone())
    return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(ms)
  const at = new Date(ms)
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => `${part}`.padStart(2, '0')).join('-')
}
