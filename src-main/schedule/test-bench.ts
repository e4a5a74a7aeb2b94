import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScheduleEvent } from '../../src-preload/contract/schedule'
import { openDatabase } from '../database'
import { silentLog } from '../log'
import { createSchedule } from './schedule'
import type { Clock, JobDelivery, JobTurn, SessionNews } from './types'

/** A clock for tests: time passes only on demand, and every timer fires at its exact time. */
export const createTestClock = (start: number) => {
  let now = start
  let timers: { at: number; work: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    after: (ms, work) => {
      const timer = { at: now + ms, work }
      timers.push(timer)
      return () => {
        timers = timers.filter((each) => each !== timer)
      }
    },
  }
  /** Lets async work that a timer started make progress. */
  const breathe = async (): Promise<void> => {
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    clock,
    timers: () => timers.map(({ at }) => at).sort((a, b) => a - b),
    breathe,
    advance: async (ms: number): Promise<void> => {
      const until = now + ms
      for (;;) {
        const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        timers = timers.filter((each) => each !== next)
        now = Math.max(now, next.at)
        next.work()
        await breathe()
      }
      now = until
      await breathe()
    },
    /** Simulates a sleeping machine: time passes, but timers fire only afterwards. */
    sleep: async (ms: number): Promise<void> => {
      now += ms
      const late = timers.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)
      timers = timers.filter((each) => !late.includes(each))
      for (const { work } of late) work()
      await breathe()
    },
  }
}

interface Said {
  sessionId: string
  text: string
  origin: { label: string; mayDoAll: boolean }
  /** Ends the turn that answers it. */
  end(turn?: Partial<JobTurn>): void
}

/** Sessions that answer when the test says so; everything else is real. */
export const createScheduleBench = (start: string, zone = 'Europe/Berlin') => {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-schedule-'))
  const time = createTestClock(Date.parse(start))
  const closers: (() => void)[] = []

  const open = (owner = 'this', alive: readonly string[] = [owner]) => {
    const database = openDatabase(folder)
    const events: ScheduleEvent[] = []
    const said: Said[] = []
    const deliveries: JobDelivery[] = []
    const denied: { id: string; note: string }[] = []
    const discarded: string[] = []
    const tainted = new Set<string>()
    const questions = new Map<string, { id: string; createdAt: number }[]>()
    const onQuestions = new Set<() => void>()
    const onTurnEnd = new Set<Parameters<SessionNews['onTurnEnd']>[0]>()
    let made = 0
    const knobs = {
      autoAnswer: 'Done.' as string | null,
      deliveryProblem: null as string | null,
    }
    const schedule = createSchedule({
      database,
      sessions: {
        main: (agentId) => `main-of-${agentId}`,
        fresh: (job) => `${owner}-${job.id}-${++made}`,
        say: (sessionId, text, { origin, signal, started }) => {
          const { promise, resolve } = Promise.withResolvers<JobTurn>()
          const end = (turn: Partial<JobTurn> = {}): void =>
            resolve({ reason: 'done', text: knobs.autoAnswer ?? 'Done.', ...turn })
          said.push({ sessionId, text, origin, end })
          signal.addEventListener('abort', () => end({ reason: 'stopped', text: '' }))
          started()
          if (knobs.autoAnswer !== null) end()
          return promise
        },
        questions: (sessionId) => questions.get(sessionId) ?? [],
        deny: (id, note) => void denied.push({ id, note }),
        stop: () => {},
        isTainted: (sessionId) => tainted.has(sessionId),
        taint: (sessionId) => void tainted.add(sessionId),
        exists: () => true,
        discard: (sessionIds) => void discarded.push(...sessionIds),
      },
      news: {
        onQuestions: (listener) => {
          onQuestions.add(listener)
          return () => void onQuestions.delete(listener)
        },
        onTurnEnd: (listener) => {
          onTurnEnd.add(listener)
          return () => void onTurnEnd.delete(listener)
        },
      },
      deliver: async (delivery) => {
        if (knobs.deliveryProblem) throw new Error(knobs.deliveryProblem)
        deliveries.push(delivery)
      },
      publish: (event) => void events.push(event),
      log: silentLog,
      timezone: () => zone,
      unknownAgent: (id) => (['main', 'helper'].includes(id) ? null : `There is no agent ${id}.`),
      owner,
      isAlive: (other) => alive.includes(other),
      clock: time.clock,
    })
    let isOpen = true
    const close = (): void => {
      if (!isOpen) return
      isOpen = false
      schedule.close()
      database.close()
    }
    closers.push(close)
    return {
      schedule,
      said,
      events,
      deliveries,
      denied,
      discarded,
      tainted,
      knobs,
      close,
      ask: (sessionId: string, id: string): void => {
        questions.set(sessionId, [{ id, createdAt: time.clock.now() }])
        for (const tell of [...onQuestions]) tell()
      },
      keepQuestion: (sessionId: string, id: string, createdAt: number): void => {
        questions.set(sessionId, [{ id, createdAt }])
      },
      answered: (sessionId: string): void => {
        questions.delete(sessionId)
        for (const tell of [...onQuestions]) tell()
      },
      turnEnd: (sessionId: string, turn: JobTurn): void => {
        for (const tell of [...onTurnEnd]) tell(sessionId, turn)
      },
    }
  }

  return {
    time,
    open,
    close: () => {
      for (const close of closers) close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
