import { readSchedule } from './read-job'
import { type Schedule, ScheduleError, type Written } from './types'
import { scheduleWords } from './words'

const previewed = 5

/** The next runs of a schedule that is being written, or what is wrong with it. */
export const previewSchedule = async (
  wish: Written,
  now: number,
  timezone: string,
): ReturnType<Schedule['preview']> => {
  try {
    const read = await readSchedule(wish, now, timezone)
    const { nextRun } = await import('./next-run')
    const next: number[] = []
    for (let at = nextRun(read, now); at !== null && next.length < previewed; at = nextRun(read, Math.max(at, now), at))
      next.push(at)
    const never = next.length === 0 ? 'It would never run within a year.' : null
    return { ok: never === null, human: scheduleWords(read, timezone), next, problem: never }
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    return { ok: false, human: '', next: [], problem: error.message }
  }
}
