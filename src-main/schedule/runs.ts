import type { ScheduledRun } from '../../src-preload/contract/schedule'
import type { JobRows, KeptJob, Outcome } from './job-rows'
import type { RunRows } from './run-rows'
import type { Clock, JobTurn, ScheduleOptions } from './types'
import { type Overdue, watchRun } from './watch-run'
import { fullTime, lengthWords } from './words'

const summaryLength = 200
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

type Ending = { error: string } | null

interface RunsOptions extends ScheduleOptions {
  clock: Clock
  jobs: JobRows
  runs: RunRows
  /** It has a session now. */
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
    const { job, leash, tainted } = kept
    const controller = new AbortController()
    const watched = watch(kept, run, controller)
    const { entry } = watched

    const perform = async (): Promise<JobTurn> => {
      const sessionId = job.spec.mode === 'task' ? sessions.fresh(job, leash) : sessions.main(job.agentId)
      entry.sessionId = sessionId
      runs.setSession(run.id, sessionId)
      options.placed(entry)
      if (tainted) sessions.taint(sessionId)
      const words = job.spec.mode === 'task' ? job.spec.message : job.spec.text
      const text = `[cron · ${fullTime(clock.now(), options.timezone())}] ${words}`
      const origin = { label: `Scheduled: ${job.name}`, mayDoAll: leash.mode === 'all' }
      return sessions.say(sessionId, text, { origin, signal: controller.signal, started: watched.started })
    }

    // Starts after this function returns, so that the caller has the run before any event about it.
    entry.done = Promise.resolve()
      .then(perform)
      .then((turn) => finish(kept, entry, turn, watched.ending()))
      .catch((error: unknown) => failed(run, watched.ending()?.error ?? words(error)))
      .then((outcome) => settle(entry, outcome, watched.release))
    live.set(job.id, entry)
    return entry
  }

  /** Takes over a run of an earlier process that still waits for an answer. */
  const adopt = (kept: KeptJob, run: ScheduledRun, sessionId: string): LiveRun => {
    const controller = new AbortController()
    const watched = watch(kept, run, controller)
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
      .then((turn) => finish(kept, entry, turn, watched.ending()))
      .catch((error: unknown) => failed(run, words(error)))
      .then((outcome) => {
        for (const stop of stops) stop()
        return settle(entry, outcome, watched.release)
      })
    live.set(kept.job.id, entry)
    return entry
  }

  const watch = (kept: KeptJob, run: ScheduledRun, controller: AbortController) => {
    const { spec } = kept.job
    const answerMs = kept.leash.answerMinutes * 60_000
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
    const watcher = watchRun({
      clock,
      answerMs,
      timeoutMs,
      questions,
      overdue,
    })
    const stopListening = options.news.onQuestions(watcher.look)
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

  const finish = async (kept: KeptJob, entry: LiveRun, turn: JobTurn, ending: Ending): Promise<Outcome> => {
    const { run } = entry
    if (ending) return failed(run, ending.error)
    if (turn.reason === 'stopped' || turn.reason === 'interrupted') return failed(run, 'It was stopped.')
    if (turn.reason === 'failed' || turn.reason === 'cap') return failed(run, turn.error?.message ?? 'The turn failed.')
    const summary = turn.text.trim().slice(0, summaryLength)
    const problem = await deliver(kept, entry, turn.text)
    const outcome = { startedAt: run.ts, durationMs: clock.now() - run.ts, ...(summary && { summary }) }
    if (problem === null) return { ...outcome, status: 'ok' }
    const error = `The answer could not be delivered: ${problem}`
    const { spec } = kept.job
    const fine = spec.mode === 'task' && spec.bestEffortDeliver === true
    return fine
      ? { ...outcome, status: 'ok', summary: `${summary} (${error})` }
      : { ...outcome, status: 'error', error }
  }

  /** Returns an error message, or null if the answer was delivered or needs no delivery. */
  const deliver = async ({ job }: KeptJob, { sessionId }: LiveRun, text: string): Promise<string | null> => {
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
      return words(error)
    }
  }

  const failed = (run: ScheduledRun, error: string): Outcome => ({
    status: 'error',
    error,
    startedAt: run.ts,
    durationMs: clock.now() - run.ts,
  })

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

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error))
