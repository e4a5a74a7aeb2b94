import type { Database } from '../database'
import { createJobRows } from './job-rows'
import { thinkingLevels } from './read-job'

/** What a job sets for its own session, by the key of that session. */
export const createJobSessionSettings = (database: Database) => {
  const jobs = createJobRows(database)
  const jobOf = (sessionKey: string) => {
    const id = /^agent:[^:]+:cron:([^:]+)$/.exec(sessionKey)?.[1]
    return id === undefined ? null : jobs.find(id)
  }
  return {
    /** How hard the model should think, if the job says so. */
    effort: (sessionKey: string): 'low' | 'medium' | 'high' | undefined => {
      const spec = jobOf(sessionKey)?.job.spec
      return spec?.mode === 'task' ? thinkingLevels.get(spec.thinking ?? '') : undefined
    },
    /** US dollars that a run may cost; 0 for no cap. */
    maxCost: (sessionKey: string): number => jobOf(sessionKey)?.limits.maxCost ?? 0,
  }
}
