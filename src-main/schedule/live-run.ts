import type { ScheduledRun } from '../../src-preload/contract/schedule'
import type { KeptJob, Outcome } from './job-rows'
import type { Clock, ScheduleOptions } from './types'
import { type Overdue, watchRun } from './watch-run'
import { lengthWords } from './words'

/** Time limit of a task that sets none. */
const usualTimeoutMs = 2 * 3600 * 1000

export interface LiveRun {
  run: ScheduledRun
  kept: KeptJob
  sessionId: string | null
  /** Whether it waits for an answer of the user; a waiting run does not count towards the limit of concurrent runs. */
  isWaiting(): boolean
  /** Set after the first skipped run was noted: further ones during this run are not. */
  skipNoted: boolean
  stop(): void
  done: Promise<Outcome>
}

/** Why it was ended before its turn was over. */
export type Ending = { error: string } | null

/** The entry of a run that has begun, ended by `controller` when it exceeds a limit of its job. */
export const watchedRun = (
  { clock, sessions, log, news }: Pick<ScheduleOptions, 'sessions' | 'log' | 'news'> & { clock: Clock },
  kept: KeptJob,
  run: ScheduledRun,
  controller: AbortController,
) => {
  const { spec } = kept.job
  const answerMs = kept.limits.answerMinutes * 60_000
  const timeoutMs = spec.mode === 'task' && spec.timeoutSeconds ? spec.timeoutSeconds * 1000 : usualTimeoutMs
  let ending: Ending = null
  const stopWith = (error: string): void => {
    ending ??= { error }
    controller.abort(new Error(error))
  }
  const overdue = ({ kind, questionId }: Overdue): void => {
    if (kind === 'timeout') {
      stopWith(`It took longer than ${lengthWords(timeoutMs)} and was stopped.`)
      return
    }
    if (kind === 'queued') {
      stopWith(`Its session was busy for ${lengthWords(answerMs)}, so it never began.`)
      return
    }
    const error = `It needed an answer, and nobody gave one within ${lengthWords(answerMs)}. It was denied.`
    ending ??= { error }
    try {
      if (questionId) sessions.deny(questionId, 'Nobody answered in time.')
    } catch (thrown) {
      // The question was answered at the last moment; the run is stopped anyway, since its time is up.
      log.info('A question of a job was settled as its time ran out', { job: kept.job.id, error: thrown })
    }
    stopWith(error)
  }
  const questions = () => (entry.sessionId === null ? [] : sessions.questions(entry.sessionId))
  const watcher = watchRun({ clock, answerMs, timeoutMs, questions, overdue })
  const stopListening = news.onQuestions(watcher.look)
  const entry: LiveRun = {
    run,
    kept,
    sessionId: null,
    isWaiting: () => questions().length > 0,
    skipNoted: false,
    stop: () => stopWith('It was stopped.'),
    done: Promise.resolve({ status: 'error', startedAt: run.ts, durationMs: 0 }),
  }
  return {
    entry,
    started: watcher.started,
    ending: () => ending,
    release: () => {
      watcher.stop()
      stopListening()
    },
  }
}
