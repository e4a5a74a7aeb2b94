import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestClock } from '../src-main/schedule/test-bench'
import { openEcho, textOf } from './echo-model'
import { decides, type Json, until } from './harness'
import { openOutside } from './outside'
import { openWorld } from './world'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

interface Job extends Json {
  id: string
  name: string
  agentId: string
  enabled: boolean
  schedule: Json
  spec: Json
  state: { nextRunAtMs?: number; lastStatus?: string; lastError?: string }
}

/** A Monday morning, nine o'clock on the user's clock. */
const start = Date.parse('2026-11-16T08:00:00Z')

describe('Cron', () => {
  const time = createTestClock(start)
  const world = openWorld({ clock: time.clock, timeZone: 'Europe/Berlin' })
  const { result, error } = world
  const echo = openEcho()
  const outside = openOutside()
  let provider = ''

  const cron = (action: string, more: object = {}) => result('Cron', { action, ...more })
  const refused = (action: string, more: object = {}) => error('Cron', { action, ...more })
  const event = { mode: 'systemEvent', text: 'wake up' }
  const task = { mode: 'task', message: 'do it', deliver: false }
  const add = async (job: object, more: object = {}): Promise<Job> =>
    (
      (await cron('add', {
        job: { name: 'A job', schedule: { kind: 'every', everyHours: 1 }, spec: task, ...job },
        ...more,
      })) as { job: Job }
    ).job
  const jobs = async (more: object = {}) => ((await cron('list', more)) as { jobs: Job[] }).jobs
  const find = async (id: string) => (await jobs()).find((job) => job.id === id)
  const force = async (id: string) => ((await cron('run', { mode: 'force', id })) as { results: Json[] }).results[0]
  const runsOf = async (jobId: string) => ((await cron('runs', { jobId })) as { runs: Json[] }).runs
  const nextOf = async (schedule: object) => (await add({ schedule })).state.nextRunAtMs
  const now = () => time.clock.now()
  const userWords = (request: number) =>
    echo.requests.at(request)?.messages.flatMap(({ role, content }) => (role === 'user' ? [textOf(content)] : [])) ?? []

  beforeAll(async () => {
    provider = world.engine.providers.addTemporary('openai', echo.url())
    world.engine.updateSettings({ defaultModel: `${provider}/echo`, defaultMode: 'safe' })
    await world.engine.channels.configure({ inboundEnabled: true, dmScope: 'main' })
    outside.addChannel(world, 'signal')
    await world.engine.channels.start()
  })
  afterAll(() => echo.close())
  beforeEach(async () => {
    for (const job of await jobs()) await cron('remove', { id: job.id })
  })

  describe('actions', () => {
    it('S1-Cron-01 has its name', () =>
      expect(world.definitions().filter(({ name }) => /cron/i.test(name))).toMatchObject([{ name: 'gsv__Cron' }]))
    it('S1-Cron-02 needs an action', async () => {
      expect(await error('Cron', {})).toContain('action')
      expect(await error('Cron', { action: 'explode' })).toContain('action')
    })
    it('S1-Cron-03 status', async () => {
      await add({})
      expect(await cron('status')).toEqual({
        enabled: true,
        count: 1,
        dueCount: 0,
        runningCount: 0,
        nextRunAtMs: now() + hour,
        maxJobs: 200,
        maxConcurrentRuns: 4,
        currentTime: expect.any(String),
        timezone: 'Europe/Berlin',
      })
    })
    it('S1-Cron-04 list', async () => {
      const job = await add({})
      expect(await cron('list')).toEqual({
        jobs: [
          expect.objectContaining({ ...job, scheduleHuman: expect.any(String), nextRunHuman: expect.any(String) }),
        ],
        count: 1,
        timezone: 'Europe/Berlin',
        currentTime: expect.any(String),
      })
    })
    decides('S1-Cron-05 S1-Cron-23 S1-Cron-27', 'add makes a job of its payload', async () => {
      const made = await cron('add', {
        job: { name: 'Report', schedule: { kind: 'every', everyMinutes: 5 }, spec: event },
      })
      expect(made).toMatchObject({
        ok: true,
        job: { name: 'Report', schedule: { kind: 'every', everyMs: 5 * minute }, spec: event },
      })
      expect(await jobs()).toHaveLength(1)
      expect(await refused('add')).toContain('job')
    })
    decides('S1-Cron-06 S1-Cron-24 S1-Cron-28', 'update changes what its patch says', async () => {
      const job = await add({})
      expect(await cron('update', { id: job.id, patch: { name: 'Other' } })).toMatchObject({
        ok: true,
        job: { id: job.id, name: 'Other' },
      })
      expect(await find(job.id)).toMatchObject({ name: 'Other', schedule: job.schedule, spec: job.spec })
      expect(await refused('update', { id: job.id })).toContain('patch')
    })
    decides('S1-Cron-07 S1-Cron-29', 'remove takes it away', async () => {
      const job = await add({})
      expect(await cron('remove', { id: job.id })).toEqual({ ok: true, removed: true })
      expect(await jobs()).toEqual([])
      expect(await cron('remove', { id: job.id })).toEqual({ ok: true, removed: false })
    })
    decides('S1-Cron-08 S1-Cron-14 S1-Cron-30', 'run with force runs one job at once', async () => {
      const [wanted, other] = [await add({ name: 'wanted' }), await add({ name: 'other' })]
      const before = echo.requests.length
      expect(await cron('run', { mode: 'force', id: wanted.id })).toMatchObject({
        ok: true,
        ran: 1,
        results: [{ jobId: wanted.id, status: 'ok', summary: expect.stringContaining('do it') }],
      })
      expect(echo.requests.length).toBe(before + 1)
      expect(await runsOf(other.id)).toEqual([])
    })
    it('S1-Cron-09 runs is the history', async () => {
      const job = await add({})
      await force(job.id)
      expect(await cron('runs', { limit: 1 })).toMatchObject({
        runs: [{ jobId: job.id, status: 'ok', ts: expect.any(Number) }],
        count: expect.any(Number),
      })
    })
    it.each([
      ['S1-Cron-10', 'update', { patch: {} }],
      ['S1-Cron-11', 'remove', {}],
      ['S1-Cron-12', 'run', { mode: 'force' }],
    ])('%s %s needs an id', async (_, action, more) => {
      expect(await refused(action, more)).toContain('id')
      if (action !== 'remove') expect(await refused(action, { ...more, id: 'no-such-job' })).toContain('no-such-job')
    })
    it('S1-Cron-13 run with due runs what is due and nothing else', async () => {
      const soon = await add({ name: 'soon', schedule: { kind: 'at', in: 'in 5 minutes' } })
      const late = await add({ name: 'late', schedule: { kind: 'at', in: 'in 5 hours' } })
      expect(await cron('run', { mode: 'due' })).toMatchObject({ ran: 0, results: [] })
      await time.advance(6 * minute)
      expect(await cron('status')).toMatchObject({ dueCount: 1 })
      expect(await cron('run', { mode: 'due' })).toMatchObject({ ran: 1, results: [{ jobId: soon.id, status: 'ok' }] })
      expect(await runsOf(late.id)).toEqual([])
    })
    decides('S1-Cron-15 S1-Cron-16 S1-Cron-17', 'agentId owns and filters', async () => {
      const { agents } = world.engine.agents
      if (!agents.ids().includes('helper')) await agents.create('helper')
      const mine = await add({ name: 'mine' })
      const theirs = await add({ name: 'theirs' }, { agentId: 'helper' })
      expect([mine.agentId, theirs.agentId]).toEqual(['main', 'helper'])
      expect((await jobs({ agentId: 'helper' })).map(({ id }) => id)).toEqual([theirs.id])
      expect(await cron('status', { agentId: 'helper' })).toMatchObject({ count: 1 })
      expect(await cron('status', { agentId: 'nobody' })).toMatchObject({ count: 0 })
      expect(await cron('status')).toMatchObject({ count: 2 })
    })
    it('S1-Cron-18 includeDisabled', async () => {
      const [on, off] = [await add({}), await add({ enabled: false })]
      expect((await jobs({ includeDisabled: true })).map(({ id }) => id).sort()).toEqual([on.id, off.id].sort())
      expect((await jobs({ includeDisabled: false })).map(({ id }) => id)).toEqual([on.id])
    })
    decides('S1-Cron-19 S1-Cron-21', 'limit and offset page through list', async () => {
      for (let n = 1; n <= 5; n++) await add({ name: `${n}`, schedule: { kind: 'at', in: `in ${n} hours` } })
      const names = async (more: object) => (await jobs(more)).map(({ name }) => name)
      expect([await names({ limit: 2 }), await names({ limit: 2, offset: 2 }), await names({ offset: 4 })]).toEqual([
        ['1', '2'],
        ['3', '4'],
        ['5'],
      ])
    })
    decides('S1-Cron-20 S1-Cron-22 S1-Cron-26', 'limit, offset and jobId page through runs', async () => {
      const [one, other] = [await add({ name: 'one' }), await add({ name: 'other' })]
      for (const job of [one, one, one, other]) {
        await force(job.id)
        await time.advance(1000)
      }
      const all = await runsOf(one.id)
      expect(all).toHaveLength(3)
      expect(((await cron('runs', { jobId: one.id, limit: 1, offset: 1 })) as { runs: Json[] }).runs).toEqual([all[1]])
      // Newest first.
      expect(((await cron('runs', { limit: 1 })) as { runs: Json[] }).runs).toMatchObject([{ jobId: other.id }])
    })
    it.each([
      { name: 'N' },
      { description: 'D' },
      { enabled: false },
      { deleteAfterRun: true },
      { agentId: 'helper' },
      { schedule: { kind: 'cron', expr: '0 9 * * *' } },
      { spec: event },
      {},
    ])('S1-Cron-25 a patch may say no more than %j', async (patch) => {
      const job = await add({})
      expect(await cron('update', { id: job.id, patch })).toMatchObject({ ok: true, job: { id: job.id } })
    })
  })

  describe('a job', () => {
    it.each([
      ['S1-CronJob-01', 'name', { schedule: { kind: 'every', everyHours: 1 }, spec: event }],
      ['S1-CronJob-02', 'schedule', { name: 'x', spec: event }],
      ['S1-CronJob-03', 'spec', { name: 'x', schedule: { kind: 'every', everyHours: 1 } }],
    ])('%s needs its %s', async (_, field, job) => expect(await refused('add', { job })).toContain(field))
    decides('S1-CronJob-04 S1-CronJob-06', 'belongs to main and is enabled', async () => {
      expect(await add({})).toMatchObject({ agentId: 'main', enabled: true })
    })
    it('S1-CronJob-05 may have a description', async () => {
      expect(await add({ description: 'why' })).toMatchObject({ description: 'why' })
      expect(await add({})).not.toHaveProperty('description')
    })
    it('S1-CronJob-07 deleteAfterRun removes it after a run that went well', async () => {
      const at = { kind: 'at', in: 'in 1 hour' }
      const [gone, kept] = [await add({ schedule: at, deleteAfterRun: true }), await add({ schedule: at })]
      const failing = await add({ schedule: at, deleteAfterRun: true, spec: { ...task, model: `${provider}-gone/x` } })
      await time.advance(hour)
      await cron('run', { mode: 'due' })
      await until(async () => (await find(failing.id))?.state.lastStatus === 'error')
      expect((await jobs()).map(({ id, enabled }) => [id, enabled]).sort()).toEqual(
        [
          [kept.id, false],
          [failing.id, false],
        ].sort(),
      )
      expect(await runsOf(gone.id)).toHaveLength(1)
    })
  })

  describe('when', () => {
    const at = (text: string) => nextOf({ kind: 'at', at: text })

    it('S1-CronSched-01 needs a kind', async () => {
      expect(await refused('add', { job: { name: 'x', schedule: { everyHours: 1 }, spec: event } })).toContain('kind')
      expect(await refused('add', { job: { name: 'x', schedule: { kind: 'sometimes' }, spec: event } })).toContain(
        'kind',
      )
    })
    it('S1-CronSched-02 an ISO time', async () => {
      expect(await at('2026-12-24T18:00:00Z')).toBe(Date.parse('2026-12-24T18:00:00Z'))
      expect(await at('2026-12-24T18:00:00+05:00')).toBe(Date.parse('2026-12-24T13:00:00Z'))
    })
    it('S1-CronSched-03 "in 2 hours"', async () => expect(await at('in 2 hours')).toBe(now() + 2 * hour))
    it('S1-CronSched-04 "today at 23:30"', async () => {
      const today = new Date(now()).toISOString().slice(0, 10)
      expect(await at('today at 23:30')).toBe(Date.parse(`${today}T22:30:00Z`))
      expect(await at('today 11:45pm')).toBe(Date.parse(`${today}T22:45:00Z`))
    })
    it('S1-CronSched-05 "tomorrow at 9am"', async () => {
      const tomorrow = new Date(now() + day).toISOString().slice(0, 10)
      expect(await at('tomorrow at 9am')).toBe(Date.parse(`${tomorrow}T08:00:00Z`))
      expect(await at('tomorrow')).toBe(Date.parse(`${tomorrow}T00:00:00+01:00`))
    })
    it('S1-CronSched-06 a time without a zone is on the clock of the user', async () => {
      expect(await at('2026-12-24T18:00')).toBe(Date.parse('2026-12-24T18:00:00+01:00'))
      expect(await at('2027-07-01T18:00:00')).toBe(Date.parse('2027-07-01T18:00:00+02:00'))
    })
    it('S1-CronSched-07 in: "in 30 minutes"', async () =>
      expect(await nextOf({ kind: 'at', in: 'in 30 minutes' })).toBe(now() + 30 * minute))
    it.each([
      ['S1-CronSched-09', { everyMinutes: 15 }, 15 * minute],
      ['S1-CronSched-10', { everyHours: 2 }, 2 * hour],
      ['S1-CronSched-11', { everyDays: 3 }, 3 * day],
    ])('%s every %j', async (_, every, ms) => {
      expect((await add({ schedule: { kind: 'every', ...every } })).schedule).toMatchObject({
        kind: 'every',
        everyMs: ms,
      })
    })
    it('S1-CronSched-12 every needs one length', async () => {
      const job = { name: 'x', spec: event }
      expect(await refused('add', { job: { ...job, schedule: { kind: 'every' } } })).toContain('every')
      expect(await refused('add', { job: { ...job, schedule: { kind: 'every', everyMinutes: 0 } } })).not.toBe('')
    })
    it('S1-CronSched-13 anchor sets the phase', async () => {
      const anchor = new Date(now() - 90 * minute).toISOString()
      expect(await nextOf({ kind: 'every', everyHours: 1, anchor })).toBe(now() + 30 * minute)
      const future = new Date(now() + 5 * hour).toISOString()
      expect(await nextOf({ kind: 'every', everyHours: 1, anchor: future })).toBe(now() + 5 * hour)
    })
    it('S1-CronSched-14 without one it begins now', async () => {
      expect(await nextOf({ kind: 'every', everyMinutes: 7 })).toBe(now() + 7 * minute)
    })
    it('S1-CronSched-15 cron has five fields', async () => {
      expect(await nextOf({ kind: 'cron', expr: '*/5 * * * *' })).toBe(
        Math.floor(now() / (5 * minute)) * 5 * minute + 5 * minute,
      )
      for (const expr of ['* * * *', '0 * * * * *', '99 * * * *', 'tea time'])
        expect(await refused('add', { job: { name: 'x', schedule: { kind: 'cron', expr }, spec: event } })).not.toBe('')
    })
    it('S1-CronSched-16 cron in a zone', async () => {
      const next = await nextOf({ kind: 'cron', expr: '0 9 * * *', tz: 'America/New_York' })
      expect(new Date(next ?? 0).toISOString()).toMatch(/T14:00:00/)
      expect(
        await refused('add', {
          job: { name: 'x', schedule: { kind: 'cron', expr: '0 9 * * *', tz: 'Mars/Base' }, spec: event },
        }),
      ).toContain('Mars')
    })
    it('S1-CronSched-17 cron in the zone of the user by default', async () => {
      expect(new Date((await nextOf({ kind: 'cron', expr: '0 10 * * *' })) ?? 0).toISOString()).toMatch(/T09:00:00/)
    })
  })

  describe('what', () => {
    const main = () => world.engine.post.open('main')?.id ?? ''
    const words = (sessionId: string) => world.engine.post.history(sessionId, 20).map(({ content }) => content)
    const withSpec = (spec: object) => add({ spec })

    it('S1-CronSpec-01 needs a mode', async () => {
      expect(
        await refused('add', { job: { name: 'x', schedule: { kind: 'every', everyHours: 1 }, spec: { text: 'x' } } }),
      ).toContain('mode')
    })
    it('S1-CronSpec-02 an event needs a text', async () => {
      expect(
        await refused('add', {
          job: { name: 'x', schedule: { kind: 'every', everyHours: 1 }, spec: { mode: 'systemEvent' } },
        }),
      ).toContain('text')
    })
    decides('S1-CronSpec-03 S1-CronSpec-04', 'an event goes on with the main session', async () => {
      await result('SessionSend', { sessionKey: 'main', message: 'remember the milk' })
      const job = await withSpec({ mode: 'systemEvent', text: 'what about it' })
      await force(job.id)
      await until(() => words(main()).some((line) => line.startsWith('You said:') && line.includes('what about it')))
      expect(userWords(-1)).toEqual(
        expect.arrayContaining(['remember the milk', expect.stringContaining('what about it')]),
      )
    })
    it('S1-CronSpec-05 its answer goes to the last active channel', async () => {
      await outside.speak(world, { channel: 'signal', sender: '+4912', text: 'hello' })
      await until(() => outside.delivered.some(({ text }) => text.includes('hello')))
      const job = await withSpec({ mode: 'systemEvent', text: 'tell me' })
      await force(job.id)
      await until(() => outside.delivered.some(({ text }) => text.includes('tell me')))
      expect(outside.delivered.at(-1)).toMatchObject({ channel: 'signal', to: '+4912' })
    })
    it('S1-CronSpec-06 a task needs a message', async () => {
      expect(
        await refused('add', {
          job: { name: 'x', schedule: { kind: 'every', everyHours: 1 }, spec: { mode: 'task' } },
        }),
      ).toContain('message')
    })
    decides('S1-CronSpec-14 S1-CronSpec-15', 'a task runs in a clean session of its own, each time', async () => {
      const job = await withSpec(task)
      const runs = [await force(job.id), await force(job.id)]
      expect(runs).toMatchObject([{ status: 'ok' }, { status: 'ok' }])
      expect(userWords(-1)).toHaveLength(1)
      expect(userWords(-1)[0]).toContain('do it')
      const session = world.engine.post.find(`agent:main:cron:${job.id}`)
      expect(session?.id).not.toBe(main())
      expect(words(session?.id ?? '')).toHaveLength(2)
    })
    decides(
      'S1-CronSpec-07 S1-CronSpec-08 S1-CronSpec-09 S1-CronSpec-16',
      'its answer goes where it should, or nowhere',
      async () => {
        const before = outside.delivered.length
        await force((await withSpec({ ...task, message: 'quiet', deliver: false })).id)
        expect(outside.delivered).toHaveLength(before)
        await force((await withSpec({ mode: 'task', message: 'aloud', channel: 'signal', to: '+4955' })).id)
        expect(outside.delivered.at(-1)).toMatchObject({
          channel: 'signal',
          to: '+4955',
          text: expect.stringContaining('aloud'),
        })
        expect(outside.delivered).toHaveLength(before + 1)
        // Nothing said: where the main session was last active.
        await force((await withSpec({ mode: 'task', message: 'by default' })).id)
        expect(outside.delivered.at(-1)).toMatchObject({ to: '+4912', text: expect.stringContaining('by default') })
      },
    )
    it('S1-CronSpec-10 with another model', async () => {
      await force((await withSpec({ ...task, model: `${provider}/larger` })).id)
      expect(echo.requests.at(-1)?.model).toBe('larger')
    })
    it('S1-CronSpec-11 thinking harder', async () => {
      await force((await withSpec({ ...task, thinking: 'high' })).id)
      expect(echo.requests.at(-1)?.reasoning_effort).toBe('high')
      await force((await withSpec(task)).id)
      expect(echo.requests.at(-1)).not.toHaveProperty('reasoning_effort')
    })
    it('S1-CronSpec-12 no longer than timeoutSeconds', async () => {
      const release = echo.hold()
      const job = await withSpec({ ...task, timeoutSeconds: 5 })
      const before = echo.requests.length
      const running = force(job.id)
      await until(() => echo.requests.length > before)
      await time.advance(6000)
      expect(await running).toMatchObject({ status: 'error', error: expect.stringMatching(/5 seconds|longer/) })
      release()
    })
    it('S1-CronSpec-13 an answer that cannot be delivered is a failure, unless it was only hoped for', async () => {
      outside.refuses = true
      const there = { mode: 'task', message: 'nobody home', channel: 'signal', to: '+4955' }
      expect(await force((await withSpec(there)).id)).toMatchObject({
        status: 'error',
        error: expect.stringContaining('delivered'),
      })
      expect(await force((await withSpec({ ...there, bestEffortDeliver: true })).id)).toMatchObject({ status: 'ok' })
      outside.refuses = false
    })
  })

  it('S1-CronSched-08 a one-shot job fires once, by itself', async () => {
    const job = await add({ schedule: { kind: 'at', in: 'in 10 minutes' } })
    const often = await add({ schedule: { kind: 'every', everyMinutes: 30 } })
    world.engine.schedule.start()
    for (let n = 0; n < 4; n++) {
      await time.advance(30 * minute)
      await world.engine.schedule.settled()
    }
    expect(await runsOf(job.id)).toMatchObject([{ status: 'ok' }])
    expect((await runsOf(often.id)).length).toBeGreaterThanOrEqual(3)
    expect(await find(job.id)).toMatchObject({ enabled: false })
    expect((await find(job.id))?.state).not.toHaveProperty('nextRunAtMs')
  })
})
