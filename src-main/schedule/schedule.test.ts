import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createScheduleBench } from './test-bench'

const minute = 60_000
const hour = 60 * minute
const user = { by: 'user' } as const
const agent = { by: 'agent' } as const
const task = { mode: 'task', message: 'Look at the logs' } as const

let bench: ReturnType<typeof createScheduleBench>
beforeEach(() => {
  bench = createScheduleBench('2027-01-04T08:00:00Z') // a Monday, 09:00 in Berlin
})
afterEach(() => bench.close())

const hourly = { name: 'hourly', schedule: { kind: 'every', everyHours: 1 }, spec: task }

describe('the seven actions', () => {
  it('add and list a job, with its times in words', async () => {
    const { schedule } = bench.open()
    const { job } = await schedule.add(
      { name: 'report', schedule: { kind: 'cron', expr: '30 17 * * 1-5' }, spec: task },
      agent,
    )
    expect(job).toEqual({
      id: job.id,
      agentId: 'main',
      name: 'report',
      enabled: true,
      createdAtMs: bench.time.clock.now(),
      updatedAtMs: bench.time.clock.now(),
      schedule: { kind: 'cron', expr: '30 17 * * 1-5', tz: 'Europe/Berlin' },
      spec: task,
      state: { nextRunAtMs: Date.parse('2027-01-04T16:30Z') },
    })
    expect(schedule.list()).toEqual({
      jobs: [
        {
          ...job,
          scheduleHuman: 'every weekday at 17:30',
          nextRunHuman: 'in 9 hours, today at 17:30',
        },
      ],
      count: 1,
      timezone: 'Europe/Berlin',
      currentTime: 'Monday, 4 January 2027 at 09:00 CET',
    })
  })

  it('tell the state, of all jobs or of one agent', async () => {
    const { schedule } = bench.open()
    await schedule.add(hourly, agent)
    await schedule.add({ ...hourly, agentId: 'Helper', schedule: { kind: 'at', atMs: bench.time.clock.now() } }, agent)
    expect(schedule.status()).toEqual({
      enabled: true,
      count: 2,
      dueCount: 1,
      runningCount: 0,
      nextRunAtMs: bench.time.clock.now(),
      maxJobs: 200,
      maxConcurrentRuns: 4,
      currentTime: 'Monday, 4 January 2027 at 09:00 CET',
      timezone: 'Europe/Berlin',
    })
    expect(schedule.status({ agentId: 'main' })).toMatchObject({ count: 1, dueCount: 0 })
    expect(schedule.list({ agentId: 'helper' }).jobs.map(({ agentId }) => agentId)).toEqual(['helper'])
  })

  it('run one by force, and keep its history', async () => {
    const { schedule, said } = bench.open()
    const { job } = await schedule.add(hourly, agent)
    const ran = await schedule.run({ mode: 'force', id: job.id })
    expect(ran).toEqual({
      ok: true,
      ran: 1,
      results: [{ jobId: job.id, status: 'ok', summary: 'Done.', durationMs: 0, nextRunAtMs: job.state.nextRunAtMs }],
    })
    expect(said.map(({ text, origin }) => ({ text, origin }))).toEqual([
      {
        text: '[cron · Monday, 4 January 2027 at 09:00 CET] Look at the logs',
        origin: { label: 'Scheduled: hourly', mayDoAll: false },
      },
    ])
    const { runs, count } = schedule.runs()
    expect({ runs, count }).toEqual({
      runs: [
        {
          id: runs[0]?.id,
          jobId: job.id,
          ts: bench.time.clock.now(),
          status: 'ok',
          summary: 'Done.',
          durationMs: 0,
          nextRunAtMs: job.state.nextRunAtMs,
        },
      ],
      count: 1,
    })
  })

  it('run only what is due, four at most', async () => {
    const { schedule, said } = bench.open()
    for (let n = 0; n < 6; n++) await schedule.add({ ...hourly, name: `job ${n}` }, agent)
    await schedule.add({ ...hourly, name: 'later', schedule: { kind: 'at', in: '3 days' } }, agent)
    expect((await schedule.run({})).ran).toBe(0)
    await bench.time.advance(hour)
    expect((await schedule.run({ mode: 'due' })).ran).toBe(4)
    expect((await schedule.run({ mode: 'due' })).ran).toBe(2)
    expect((await schedule.run({ mode: 'due' })).ran).toBe(0)
    expect(said).toHaveLength(6)
  })

  it('change and remove', async () => {
    const { schedule } = bench.open()
    const { job } = await schedule.add(hourly, agent)
    const { job: changed } = await schedule.update(
      job.id,
      { name: 'two-hourly', schedule: { kind: 'every', everyHours: 2 } },
      agent,
    )
    expect(changed).toMatchObject({
      name: 'two-hourly',
      spec: task,
      state: { nextRunAtMs: bench.time.clock.now() + 2 * hour },
    })
    expect((await schedule.update(job.id, {}, agent)).job).toEqual({ ...changed, updatedAtMs: expect.any(Number) })
    expect(schedule.remove(job.id)).toEqual({ ok: true, removed: true })
    expect(schedule.remove(job.id)).toEqual({ ok: true, removed: false })
  })

  it('refuse in words', async () => {
    const { schedule } = bench.open()
    const refused = async (input: Record<string, unknown>): Promise<string> =>
      schedule.execute(input, agent).then(
        () => 'accepted',
        (error: Error) => error.message,
      )
    expect(await refused({})).toMatch(/^action is required/)
    expect(await refused({ action: 'explode' })).toBe('Unknown cron action: explode')
    expect(await refused({ action: 'update', patch: {} })).toBe('id is required for action "update".')
    expect(await refused({ action: 'remove' })).toBe('id is required for action "remove".')
    expect(await refused({ action: 'run', mode: 'force' })).toBe('id is required for action run with mode "force".')
    expect(await refused({ action: 'add' })).toBe('job is required for action "add".')
    for (const missing of ['name', 'schedule', 'spec'] as const) {
      const { [missing]: _, ...rest } = hourly
      expect(await refused({ action: 'add', job: rest })).toBe(`A job needs ${missing}.`)
    }
    const withSchedule = (schedule: unknown) => refused({ action: 'add', job: { ...hourly, schedule } })
    expect(await withSchedule({})).toMatch(/^A schedule needs kind/)
    expect(await withSchedule({ kind: 'every' })).toMatch(/needs one of everyMinutes/)
    expect(await withSchedule({ kind: 'every', everyHours: 1, everyDays: 1 })).toMatch(/not everyHours and everyDays/)
    expect(await withSchedule({ kind: 'cron', expr: '* * *' })).toMatch(/5 fields/)
    expect(await withSchedule({ kind: 'cron', expr: '0 0 30 2 *' })).toMatch(/never run/)
    expect(await withSchedule({ kind: 'at', at: '2020-01-01' })).toMatch(/has passed/)
    const ago = (ms: number) => ({ kind: 'at', atMs: bench.time.clock.now() - ms })
    expect(await withSchedule(ago(2 * 60_000))).toMatch(/has passed.*Name a time to come/)
    expect(await withSchedule(ago(23 * 3_600_000))).toMatch(/has passed/)
    expect(await refused({ action: 'add', job: { ...hourly, spec: { mode: 'task' } } })).toMatch(/needs message/)
    expect(await refused({ action: 'add', job: { ...hourly, spec: { mode: 'systemEvent' } } })).toMatch(/needs text/)
    expect(await refused({ action: 'add', job: { ...hourly, spec: {} } })).toMatch(/needs mode/)
    expect(await refused({ action: 'add', job: { ...hourly, agentId: '../x' } })).toMatch(/not the id of an agent/)
    expect(await refused({ action: 'add', job: { ...hourly, agentId: 'helpr' } })).toBe('There is no agent helpr.')
  })

  it('hold at most 200 jobs', async () => {
    const { schedule } = bench.open()
    for (let n = 0; n < 200; n++) await schedule.add(hourly, agent)
    await expect(schedule.add(hourly, agent)).rejects.toThrow('There are 200 jobs already')
    expect(schedule.list({ limit: 10, offset: 195 }).jobs).toHaveLength(5)
  })

  it('keep 200 runs of each job', async () => {
    const { schedule, discarded } = bench.open()
    const { job } = await schedule.add(hourly, agent)
    const { job: other } = await schedule.add(hourly, agent)
    await schedule.run({ mode: 'force', id: other.id })
    for (let n = 0; n < 205; n++) {
      await schedule.run({ mode: 'force', id: job.id })
      await bench.time.advance(1)
    }
    const { runs, count } = schedule.runs({ jobId: job.id })
    expect([count, runs.length, runs[0]?.ts]).toEqual([200, 200, bench.time.clock.now() - 1])
    expect(discarded).toEqual([2, 3, 4, 5, 6].map((n) => `this-${job.id}-${n}`))
    expect(schedule.runs({ jobId: other.id }).count).toBe(1)
    expect(schedule.runs({ limit: 3, offset: 199 }).runs).toHaveLength(2)
  })
})

describe('the clock', () => {
  it('starts jobs when their time comes, and not before', async () => {
    const { schedule, said } = bench.open()
    schedule.start()
    await schedule.add(hourly, agent)
    await bench.time.advance(hour - 1)
    expect(said).toHaveLength(0)
    await bench.time.advance(1)
    expect(said).toHaveLength(1)
    await bench.time.advance(5 * hour)
    expect(said).toHaveLength(6)
  })

  it('looks at least each minute, so that a clock that was set is noticed', async () => {
    const { schedule } = bench.open()
    schedule.start()
    await schedule.add({ ...hourly, schedule: { kind: 'at', in: '3 days' } }, agent)
    expect(bench.time.timers()).toEqual([bench.time.clock.now() + minute])
  })

  it('runs what was missed during sleep once, at wake', async () => {
    const { schedule, said } = bench.open()
    schedule.start()
    await schedule.add(hourly, agent)
    await bench.time.sleep(10.5 * hour)
    expect(said).toHaveLength(1)
    await bench.time.advance(29 * minute)
    expect(said).toHaveLength(1)
    await bench.time.advance(minute)
    expect(said).toHaveLength(2)
  })

  it('runs what was missed while the app was closed once, at start', async () => {
    const first = bench.open('first')
    await first.schedule.add(hourly, agent)
    first.close()
    await bench.time.advance(50 * hour)
    const second = bench.open('second')
    second.schedule.start()
    await bench.time.advance(1)
    expect(second.said).toHaveLength(1)
  })

  it('does not let one run of a job overlap the next, and says so once', async () => {
    const { schedule, said, knobs } = bench.open()
    knobs.autoAnswer = null
    schedule.start()
    const { job } = await schedule.add({ ...hourly, schedule: { kind: 'every', everyMinutes: 10 } }, agent)
    await bench.time.advance(35 * minute)
    expect(said).toHaveLength(1)
    expect(await schedule.run({ mode: 'force', id: job.id })).toMatchObject({
      ran: 0,
      results: [{ status: 'skipped' }],
    })
    said[0]?.end({ text: 'At last.' })
    await bench.time.breathe()
    expect(schedule.runs().runs.map(({ status }) => status)).toEqual(['skipped', 'ok'])
    await bench.time.advance(10 * minute)
    expect(said).toHaveLength(2)
  })

  it('has four at work and lets the others wait, but not for those that wait for an answer', async () => {
    const { schedule, said, knobs, ask } = bench.open()
    knobs.autoAnswer = null
    schedule.start()
    for (let n = 0; n < 6; n++) await schedule.add({ ...hourly, name: `job ${n}` }, agent)
    await bench.time.advance(hour)
    expect(said).toHaveLength(4)
    ask(said[0]?.sessionId ?? '', 'q1')
    await bench.time.advance(2000)
    expect(said).toHaveLength(5)
    said[1]?.end()
    await bench.time.breathe()
    await bench.time.advance(2000)
    expect(said).toHaveLength(6)
  })

  it('can be paused as a whole; by hand jobs still run', async () => {
    const { schedule, said } = bench.open()
    schedule.start()
    const { job } = await schedule.add(hourly, agent)
    await schedule.pause(undefined, true)
    await bench.time.advance(3 * hour)
    expect(await schedule.run({ mode: 'due' })).toMatchObject({ ran: 0 })
    expect(said).toHaveLength(0)
    expect(await schedule.run({ mode: 'force', id: job.id })).toMatchObject({ ran: 1 })
    await schedule.add({ ...hourly, schedule: { kind: 'at', in: '10 minutes' }, name: 'once' }, agent)
    await bench.time.advance(90 * minute)
    await schedule.pause(undefined, false)
    expect(schedule.status().enabled).toBe(true)
    await bench.time.advance(minute)
    // The hourly job simply runs again; the one-time job is made up for.
    expect(said.map(({ origin }) => origin.label)).toEqual(['Scheduled: hourly', 'Scheduled: once'])
  })

  it('leaves a paused job alone and does not make up for it afterwards', async () => {
    const { schedule, said } = bench.open()
    schedule.start()
    const { job } = await schedule.add(hourly, agent)
    await schedule.pause(job.id, true)
    await bench.time.advance(5.5 * hour)
    await schedule.pause(job.id, false)
    await bench.time.advance(minute)
    expect(said).toHaveLength(0)
    await bench.time.advance(hour)
    expect(said).toHaveLength(1)
  })

  it('of two processes on one folder only one runs a job', async () => {
    const one = bench.open('one', ['one', 'two'])
    const two = bench.open('two', ['one', 'two'])
    one.schedule.start()
    two.schedule.start()
    await one.schedule.add(hourly, agent)
    await bench.time.advance(3 * hour)
    expect(one.said.length + two.said.length).toBe(3)
  })
})

describe('one time only', () => {
  const once = { name: 'once', schedule: { kind: 'at', at: 'in 30 minutes' }, spec: task }

  it('fires once and is then disabled, with its history', async () => {
    const { schedule, said } = bench.open()
    schedule.start()
    const { job } = await schedule.add(once, agent)
    expect(job.schedule).toEqual({ kind: 'at', atMs: bench.time.clock.now() + 30 * minute })
    await bench.time.advance(5 * hour)
    expect(said).toHaveLength(1)
    expect(schedule.list().jobs).toMatchObject([{ enabled: false, state: { lastStatus: 'ok' } }])
    expect(schedule.list({ includeDisabled: false }).jobs).toEqual([])
  })

  it('is deleted after a success where that was asked for, and its history stays', async () => {
    const { schedule, knobs, said } = bench.open()
    schedule.start()
    const { job } = await schedule.add({ ...once, deleteAfterRun: true }, agent)
    const { job: fails } = await schedule.add({ ...once, deleteAfterRun: true }, agent)
    knobs.autoAnswer = null
    await bench.time.advance(30 * minute)
    said[0]?.end()
    said[1]?.end({ reason: 'failed', error: { message: 'No such model.' } })
    await schedule.settled()
    expect(schedule.list().jobs.map(({ id, enabled }) => [id, enabled])).toEqual([[fails.id, false]])
    expect(schedule.runs({ jobId: job.id }).runs).toMatchObject([{ status: 'ok' }])
    expect(schedule.runs({ jobId: fails.id }).runs).toMatchObject([{ status: 'error', error: 'No such model.' }])
  })
})

describe('a run', () => {
  it('has a session of its own for each task, and the main one for an event', async () => {
    const { schedule, said } = bench.open()
    const { job } = await schedule.add(hourly, agent)
    const event = {
      name: 'wake',
      agentId: 'helper',
      schedule: hourly.schedule,
      spec: { mode: 'systemEvent', text: 'Hi' },
    }
    const { job: wake } = await schedule.add(event, agent)
    for (const id of [job.id, job.id, wake.id]) await schedule.run({ mode: 'force', id })
    expect(said.map(({ sessionId }) => sessionId)).toEqual([`this-${job.id}-1`, `this-${job.id}-2`, 'main-of-helper'])
    expect(schedule.history({ jobId: job.id }).map(({ sessionId }) => sessionId)).toEqual([
      `this-${job.id}-2`,
      `this-${job.id}-1`,
    ])
  })

  it('does not wait for the answer to an event: whoever asks may be the one to answer', async () => {
    const { schedule, said, knobs } = bench.open()
    knobs.autoAnswer = null
    const { job } = await schedule.add({ ...hourly, spec: { mode: 'systemEvent', text: 'Hi' } }, agent)
    expect(await schedule.run({ mode: 'force', id: job.id })).toMatchObject({
      ran: 1,
      results: [{ status: 'ok', summary: 'Started.' }],
    })
    expect(schedule.status().runningCount).toBe(1)
    await bench.time.breathe()
    said[0]?.end()
    await schedule.settled()
    expect(schedule.runs().runs).toMatchObject([{ status: 'ok', summary: 'Done.' }])
  })

  it('delivers its answer where it was told to, or nowhere', async () => {
    const { schedule, deliveries } = bench.open()
    const run = async (spec: Record<string, unknown>): Promise<void> => {
      const { job } = await schedule.add({ ...hourly, spec: { ...task, ...spec } }, agent)
      await schedule.run({ mode: 'force', id: job.id })
    }
    await run({ deliver: false, channel: 'slack' })
    expect(deliveries).toEqual([])
    await run({ channel: 'telegram', to: '4711' })
    await run({})
    expect(deliveries.map(({ channel, to, text, agentId }) => ({ channel, to, text, agentId }))).toEqual([
      { channel: 'telegram', to: '4711', text: 'Done.', agentId: 'main' },
      { channel: undefined, to: undefined, text: 'Done.', agentId: 'main' },
    ])
  })

  it('fails when its answer cannot be delivered, unless that was only an effort', async () => {
    const { schedule, knobs } = bench.open()
    knobs.deliveryProblem = 'There is no channel named pigeon.'
    const run = async (spec: Record<string, unknown>) => {
      const { job } = await schedule.add({ ...hourly, spec: { ...task, channel: 'pigeon', ...spec } }, agent)
      return (await schedule.run({ mode: 'force', id: job.id })).results[0]
    }
    expect(await run({})).toMatchObject({
      status: 'error',
      error: 'The answer could not be delivered: There is no channel named pigeon.',
    })
    expect(await run({ bestEffortDeliver: true })).toMatchObject({ status: 'ok' })
  })

  it('is stopped when it takes longer than its time', async () => {
    const { schedule, knobs } = bench.open()
    knobs.autoAnswer = null
    const { job } = await schedule.add({ ...hourly, spec: { ...task, timeoutSeconds: 90 } }, agent)
    await schedule.begin(job.id)
    await bench.time.advance(89_000)
    expect(schedule.status().runningCount).toBe(1)
    await bench.time.advance(1000)
    await schedule.settled()
    expect(schedule.runs().runs).toMatchObject([
      { status: 'error', error: 'It took longer than 90 seconds and was stopped.' },
    ])
  })

  it('may wait for an answer without losing its time, but not for ever', async () => {
    const { schedule, knobs, said, ask, answered, denied } = bench.open()
    knobs.autoAnswer = null
    const { job } = await schedule.add({ ...hourly, spec: { ...task, timeoutSeconds: 90 }, answerMinutes: 60 }, user)
    await schedule.begin(job.id)
    await bench.time.breathe()
    const sessionId = said[0]?.sessionId ?? ''
    await bench.time.advance(60_000)
    ask(sessionId, 'q1')
    expect(schedule.job(job.id)).toMatchObject({ waiting: true, sessionId })
    await bench.time.advance(50 * minute)
    answered(sessionId)
    await bench.time.advance(20_000)
    expect(schedule.status().runningCount).toBe(1)
    ask(sessionId, 'q2')
    await bench.time.advance(60 * minute)
    await schedule.settled()
    expect(denied).toEqual([{ id: 'q2', note: 'Nobody answered in time.' }])
    expect(schedule.runs().runs).toMatchObject([
      { status: 'error', error: 'It needed an answer, and nobody gave one within 1 hour. It was denied.' },
    ])
  })

  it('can be stopped, and removing its job stops it too', async () => {
    const { schedule, knobs } = bench.open()
    knobs.autoAnswer = null
    const { job } = await schedule.add(hourly, agent)
    await schedule.begin(job.id)
    schedule.stop(job.id)
    await schedule.settled()
    await schedule.begin(job.id)
    schedule.remove(job.id)
    await schedule.settled()
    expect(schedule.runs({ jobId: job.id }).runs.map(({ error }) => error)).toEqual([
      'It was stopped.',
      'It was stopped.',
    ])
  })
})

describe('after a crash', () => {
  /** A process with a run that never ends. */
  const running = async (wish: Record<string, unknown> = hourly) => {
    const first = bench.open('first')
    first.knobs.autoAnswer = null
    const { job } = await first.schedule.add(wish, agent)
    await first.schedule.begin(job.id)
    return { first, job }
  }

  it('a run in the middle counts as failed, and the job runs again', async () => {
    const { first } = await running()
    await bench.time.breathe()
    first.close()
    const second = bench.open('second')
    second.schedule.start()
    expect(second.schedule.runs().runs).toMatchObject([{ status: 'error', error: 'Deckhand stopped while it ran.' }])
    expect(second.schedule.list().jobs[0]?.state).toMatchObject({ lastStatus: 'error' })
    await bench.time.advance(hour)
    expect(second.said).toHaveLength(1)
  })

  it('a job that it left marked can be run by hand at once, without the clock', async () => {
    const { first, job } = await running()
    first.close()
    const second = bench.open('second')
    expect(await second.schedule.run({ mode: 'force', id: job.id })).toMatchObject({
      ran: 1,
      results: [{ status: 'ok' }],
    })
    expect(second.schedule.runs().runs.map(({ status }) => status)).toEqual(['ok', 'error'])
  })

  it('a run of a process that still lives is left alone', async () => {
    await running()
    const second = bench.open('second', ['first', 'second'])
    second.schedule.start()
    expect(second.schedule.status().runningCount).toBe(1)
  })

  it('a run that waited for an answer goes on when it comes', async () => {
    const { first, job } = await running()
    await bench.time.breathe()
    const sessionId = first.said[0]?.sessionId ?? ''
    first.close()
    const second = bench.open('second')
    second.keepQuestion(sessionId, 'q1', bench.time.clock.now())
    second.schedule.start()
    expect(second.schedule.job(job.id)).toMatchObject({ waiting: true, sessionId })
    await bench.time.advance(hour)
    second.answered(sessionId)
    second.turnEnd(sessionId, { reason: 'done', text: 'Now I could.' })
    await second.schedule.settled()
    expect(second.schedule.runs().runs).toMatchObject([
      { status: 'skipped' },
      { status: 'ok', summary: 'Now I could.' },
    ])
    expect(second.deliveries).toMatchObject([{ text: 'Now I could.' }])
  })

  it('and its deadline still holds', async () => {
    const { first } = await running({ ...hourly, schedule: { kind: 'at', in: '1 minute' } })
    await bench.time.breathe()
    const sessionId = first.said[0]?.sessionId ?? ''
    const asked = bench.time.clock.now()
    first.close()
    await bench.time.advance(7 * hour)
    const second = bench.open('second')
    second.keepQuestion(sessionId, 'q1', asked)
    second.schedule.start()
    await bench.time.advance(hour)
    await second.schedule.settled()
    expect(second.denied).toEqual([{ id: 'q1', note: 'Nobody answered in time.' }])
    expect(second.schedule.list().jobs).toMatchObject([{ enabled: false, state: { lastStatus: 'error' } }])
  })
})

describe('how much a job may do', () => {
  const wide = { ...hourly, mode: 'all', workspace: '/srv', answerMinutes: 5 }

  it('is for the user to say, not for an agent', async () => {
    const { schedule, said } = bench.open()
    const { job } = await schedule.add(wide, agent)
    expect(schedule.job(job.id)).toMatchObject({ mode: null, workspace: null, answerMinutes: 480, madeBy: 'agent' })
    await schedule.update(job.id, { mode: 'all' }, agent)
    await schedule.run({ mode: 'force', id: job.id })
    await schedule.update(job.id, { mode: 'all' }, user)
    await schedule.run({ mode: 'force', id: job.id })
    expect(said.map(({ origin }) => origin.mayDoAll)).toEqual([false, true])
  })

  it('is no more than usual once an agent has changed what it does', async () => {
    const { schedule } = bench.open()
    const { job } = await schedule.add(wide, user)
    await schedule.update(job.id, { name: 'other name' }, agent)
    expect(schedule.job(job.id)).toMatchObject({ mode: 'all' })
    await schedule.update(job.id, { spec: { mode: 'task', message: 'Send me everything' } }, agent)
    expect(schedule.job(job.id)).toMatchObject({ mode: null })
  })

  it('is marked by the strangers who may have spoken through its maker', async () => {
    const { schedule, tainted, said } = bench.open()
    tainted.add('s_read_the_web')
    const { job } = await schedule.add(hourly, { by: 'agent', sessionId: 's_read_the_web' })
    await schedule.run({ mode: 'force', id: job.id })
    expect(tainted.has(said[0]?.sessionId ?? '')).toBe(true)
  })
})

it('says before it is saved what a schedule would mean', async () => {
  const { schedule } = bench.open()
  expect(await schedule.preview({ kind: 'cron', expr: '0 9 * * 1' })).toEqual({
    ok: true,
    human: 'on Mondays at 09:00',
    next: [11, 18, 25, 32, 39].map((day) => Date.UTC(2027, 0, day, 8)),
    problem: null,
  })
  expect(await schedule.preview({ kind: 'at', at: 'whenever' })).toMatchObject({ ok: false, next: [] })
})
