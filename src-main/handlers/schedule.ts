import type { scheduleCalls } from '../../src-preload/contract/schedule-calls'
import type { Engine } from '../engine'
import { type HandlersFor, nothing } from './handlers'

const user = { by: 'user' } as const

/** Jobs that run by the clock. */
export function scheduleHandlers({ schedule }: Engine): HandlersFor<typeof scheduleCalls> {
  return {
    'schedule.list': () => ({ type: 'schedule', ...schedule.view() }),
    'schedule.add': async (job) => nothing(await schedule.add(job, user)),
    'schedule.update': async ({ id, ...patch }) => nothing(await schedule.update(id, patch, user)),
    'schedule.remove': ({ id }) => nothing(schedule.remove(id)),
    'schedule.run': async ({ id }) => nothing(await schedule.begin(id)),
    'schedule.stop': ({ id }) => nothing(schedule.stop(id)),
    'schedule.runs': ({ jobId, limit, offset }) => ({
      type: 'schedule-runs',
      jobId,
      runs: schedule.history({
        jobId,
        limit,
        offset,
      }),
    }),
    'schedule.pause': async ({ id, paused }) => nothing(await schedule.pause(id, paused)),
    'schedule.preview': ({ schedule: wish }) => schedule.preview(wish),
  }
}
