import type { Database } from '../database'
import { createJobRows } from './job-rows'
import { thinkingLevels } from './read-job'

/** The thinking level of a job's session, by session key, if the job sets one. */
export const createJobThinking = (database: Database) => {
  const jobs = createJobRows(database)
  return (sessionKey: string): 'low' | 'medium' | 'high' | undefined => {
    const id = /^agent:[^:]+:cron:([^:]+)$/.exec(sessionKey)?.[1]
    const spec = id === undefined ? undefined : jobs.find(id)?.job.spec
    return spec?.mode === 'task' ? thinkingLevels.get(spec.thinking ?? '') : undefined
  }
}
