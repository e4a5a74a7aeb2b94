import type { ScheduledRun } from '../../src-preload/contract/schedule'
import type { JobRows, KeptJob, Outcome } from './job-rows'
import { type LiveRun, watchedRun } from './live-run'
import { errorWords, failure, outcomeOf } from './run-outcome'
import type { RunRows } from './run-rows'
import type { Clock, JobTurn, ScheduleOptions } from './types'
import { fullTime } from './words'

interface RunsOptions extends ScheduleOptions {
  clock: Clock
  jobs: JobRows
  runs: RunRows
  /** Called when it has a session. */
  placed(live: LiveRun): void
  /** Saves the outcome and publishes it. */
  ended(live: LiveRun, outcome: Outcome): void
}

/** Runs that are going on in this process. */
export const createRuns = (options: RunsOptions) => {
  const { clock, sessions, log, runs } = options
  const live = new Map<string, LiveRun>()

  /** Starts the run of a job that has been claimed. */
  const begin = (kept: KeptJob, run: ScheduledRun): LiveRun => {
    const { job, limits, tainted } = kept
    const controller = new AbortController()
    const watched = watchedRun(options, kept, run, controller)
    const { entry } = watched

    const perform = async (): Promise<JobTurn> => {
      const sessionId = job.spec.mode === 'task' ? sessions.fresh(job, limits) : sessions.main(job.agentId)
      entry.sessionId = sessionId
      runs.setSession(run.id, sessionId)
      options.placed(entry)
      if (tainted) sessions.taint(sessionId)
      const words = job.spec.mode === 'task' ? job.spec.message : job.spec.text
      const text = `[cron · ${fullTime(clock.now(), options.timezone())}] ${words}`
      const origin = { label: `Scheduled: ${job.name}`, mayDoAll: limits.mode === 'all' }
      return sessions.say(sessionId, text, { origin, signal: controller.signal, started: watched.started })
    }

    // Starts after this function returns, so that the caller has the run before any event about it.
    entry.done = Promise.resolve()
      .then(perform)
      .then((turn) => outcomeOf(options, entry, turn, watched.ending()))
      .catch((error: unknown) => failure(run, watched.ending()?.error ?? errorWords(error), clock.now()))
      .then((outcome) => settle(entry, outcome, watched.release))
    live.set(job.id, entry)
    return entry
  }

  /** Takes over a run of an earlier process that still waits for an answer. */
  const adopt = (kept: KeptJob, run: ScheduledRun, sessionId: string): LiveRun => {
    const controller = new AbortController()
    const watched = watchedRun(options, kept, run, controller)
    const { entry } = watched
    entry.sessionId = sessionId
    const { promise, resolve } = Promise.withResolvers<JobTurn>()
    const gone = (): void => {
      if (!sessions.exists(sessionId)) resolve({ reason: 'stopped', text: '' })
    }
    const stops = [
      options.news.onTurnEnd((id, turn) => id === sessionId && resolve(turn)),
      options.news.onQuestions(gone),
    ]
    controller.signal.addEventListener('abort', () => {
      sessions.stop(sessionId)
      resolve({ reason: 'stopped', text: '' })
    })
    watched.started()
    entry.done = promise
      .then((turn) => outcomeOf(options, entry, turn, watched.ending()))
      .catch((error: unknown) => failure(run, errorWords(error), clock.now()))
      .then((outcome) => {
        for (const stop of stops) stop()
        return settle(entry, outcome, watched.release)
      })
    live.set(kept.job.id, entry)
    return entry
  }

  const settle = (entry: LiveRun, outcome: Outcome, release: () => void): Outcome => {
    release()
    live.delete(entry.kept.job.id)
    try {
      options.ended(entry, outcome)
    } catch (error) {
      log.error('The end of a job could not be saved', { job: entry.kept.job.id, error })
    }
    return outcome
  }

  return { live, begin, adopt }
}
