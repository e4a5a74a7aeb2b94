import type { scheduleCalls } from '../../src-preload/contract/schedule-calls'
import type { Engine } from '../engine'
import { type HandlersFor, nothing } from './handlers'

const user = { by: 'user' } as const

/** Jobs that run by the clock. */
export function scheduleHandlers({ schedule }: Engine): HandlersFor<typeof scheduleCalls> {
  return {
    'schedule.list': () => schedule.view(),
    'schedule.add': async (job) => schedule.job((await schedule.add(job, user)).job.id),
    'schedule.update': async ({ id, ...patch }) => schedule.job((await schedule.update(id, patch, user)).job.id),
    'schedule.remove': ({ id }) => nothing(schedule.remove(id)),
    'schedule.run': ({ id }) => schedule.begin(id),
    'schedule.stop': ({ id }) => nothing(schedule.stop(id)),
    'schedule.runs': ({ jobId, limit, offset }) =>
      schedule.history({
        ...(jobId !== undefined && { jobId }),
        ...(limit !== undefined && { limit }),
        ...(offset !== undefined && { offset }),
      }),
    'schedule.pause': async ({ id, paused }) => {
      await schedule.pause(id, paused)
      return schedule.view()
    },
    'schedule.preview': ({ schedule: wish }) => schedule.preview(wish),
  }
}
