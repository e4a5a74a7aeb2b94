import type { CronJob, ScheduledRun } from '../../src-preload/contract/schedule'
import type { Outcome } from './job-rows'
import type { Ending, LiveRun } from './live-run'
import type { Clock, JobTurn, ScheduleOptions } from './types'

const summaryLength = 200

type OutcomeOptions = Pick<ScheduleOptions, 'deliver'> & { clock: Clock }

/** The outcome of a run after its turn; delivers the answer. */
export const outcomeOf = async (
  options: OutcomeOptions,
  { run, kept, sessionId }: LiveRun,
  turn: JobTurn,
  ending: Ending,
): Promise<Outcome> => {
  const { clock } = options
  const failed = (error: string): Outcome => failure(run, error, clock.now())
  if (ending) return failed(ending.error)
  if (turn.reason === 'stopped' || turn.reason === 'interrupted') return failed('It was stopped.')
  if (turn.reason === 'failed' || turn.reason === 'cap') return failed(turn.error?.message ?? 'The turn failed.')
  const summary = turn.text.trim().slice(0, summaryLength)
  const problem = await deliver(options, kept.job, sessionId, turn.text)
  const outcome = { startedAt: run.ts, durationMs: clock.now() - run.ts, ...(summary && { summary }) }
  if (problem === null) return { ...outcome, status: 'ok' }
  const error = `The answer could not be delivered: ${problem}`
  const { spec } = kept.job
  const fine = spec.mode === 'task' && spec.bestEffortDeliver === true
  return fine ? { ...outcome, status: 'ok', summary: `${summary} (${error})` } : { ...outcome, status: 'error', error }
}

/** Returns an error message, or null if the answer was delivered or needs no delivery. */
const deliver = async (
  options: OutcomeOptions,
  job: CronJob,
  sessionId: string | null,
  text: string,
): Promise<string | null> => {
  const { spec } = job
  if (sessionId === null || text.trim() === '' || (spec.mode === 'task' && spec.deliver === false)) return null
  const { channel, to } = spec.mode === 'task' ? spec : { channel: undefined, to: undefined }
  try {
    await options.deliver({
      sessionId,
      agentId: job.agentId,
      text,
      title: job.name,
      ...(channel && { channel }),
      ...(to && { to }),
    })
    return null
  } catch (error) {
    return errorWords(error)
  }
}

export const failure = (run: ScheduledRun, error: string, now: number): Outcome => ({
  status: 'error',
  error,
  startedAt: run.ts,
  durationMs: now - run.ts,
})

export const errorWords = (error: unknown): string => (error instanceof Error ? error.message : String(error))
