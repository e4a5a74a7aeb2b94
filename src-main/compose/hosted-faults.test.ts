import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostLimits } from '../hosts/limits'
import { isProcessAlive } from '../process-alive'
import { openHostedBench } from './hosted-bench'

let bench: Awaited<ReturnType<typeof openHostedBench>>
let run: Awaited<ReturnType<(typeof bench)['start']>>
const usual = { ...hostLimits }

beforeAll(async () => {
  bench = await openHostedBench({
    scripted: {},
    keeps: { AGENT_STATE: '/dev/null' },
    silent: { AGENT_SILENT: '1' },
    future: { AGENT_WRONG_VERSION: '1' },
    missing: {},
  })
  run = await bench.start()
})
afterAll(async () => {
  Object.assign(hostLimits, usual)
  await bench.close()
})

const told = (sessionId: string): string[] => run.sketch(sessionId).filter((line) => !line.startsWith('user: ['))

test('an invented session is refused, and lines that are no protocol end nothing', async () => {
  const id = run.session()
  const end = await run.turn(id, [
    { raw: 'this is not JSON' },
    {
      raw: '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"invented","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"FORGED"}}}}',
    },
    { raw: '{"jsonrpc":"2.0","method":"session/update","params":{"update":[]}}' },
    { raw: '{"jsonrpc":"2.0","method":"no/such","id":"x","params":{}}' },
    { raw: '[1,2,3]' },
    { update: { sessionUpdate: 'nobody_knows_this', content: 1 } },
    { update: { sessionUpdate: 'tool_call', toolCallId: '', title: 3 } },
    {
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'odd',
        title: 'Odd',
        kind: 7,
        content: 'none',
        locations: [{ path: 4 }, null],
        rawInput: null,
        status: 'completed',
      },
    },
    { stranger: true },
    { say: ' fine' },
  ])
  expect(end.reason).toBe('done')
  expect(told(id)).toEqual([
    'Tool Odd: done',
    expect.stringMatching(/^assistant: \[refused: .*no such session.* fine$/),
  ])
})

test('a call that was allowed under one name does not let another command through', async () => {
  const id = run.session('ask')
  const from = run.events.length
  const ended = run.turn(id, [
    { ask: { toolCallId: '1', title: 'ls', kind: 'execute', rawInput: { command: 'ls' } } },
    { terminal: { command: 'sh', args: ['-c', 'touch stolen'] } },
    { terminal: { command: 'ls', env: [{ name: 'LD_PRELOAD', value: '/tmp/x.so' }] } },
    { write: { path: join(bench.workspace, 'stolen'), content: 'x' } },
  ])
  const asked: string[] = []
  for (let n = 0; n < 4; n++) {
    const { call } = await run.event(
      'call',
      ({ call }) => call.state.status === 'awaiting' && !asked.includes(call.state.question.id),
      from,
    )
    if (call.state.status !== 'awaiting') throw new Error('not a question')
    asked.push(call.state.question.id)
    run.engine.runner.answer(
      call.state.question.id,
      n === 0 ? { decision: 'allow', scope: 'once' } : { decision: 'deny' },
    )
  }
  await ended
  expect(run.calls(id).map(({ gist, state }) => `${gist}: ${state.status}`)).toEqual([
    'ls: failed',
    'touch stolen: denied',
    'ls: denied',
    `${join(bench.workspace, 'stolen')}: denied`,
  ])
  expect(existsSync(join(bench.workspace, 'stolen'))).toBe(false)
})

test('an edit that names one file and shows another is asked about for both', async () => {
  const id = run.session('workspace')
  const { question, ended } = await run.asking(id, [
    {
      ask: {
        toolCallId: '1',
        title: 'Edit a.txt',
        kind: 'edit',
        locations: [{ path: join(bench.workspace, 'a.txt') }],
        rawInput: { file_path: '/etc/hosts' },
        content: [{ type: 'diff', path: join(bench.workspace, 'a.txt'), oldText: '', newText: 'x' }],
      },
    },
  ])
  expect(question.resources).toContain('/etc/hosts')
  run.engine.runner.answer(question.id, { decision: 'deny' })
  await ended
})

test('a command that the agent does not name is asked about in every mode, and no rule is offered', async () => {
  const id = run.session('all')
  const { question, ended } = await run.asking(id, [
    { ask: { toolCallId: '1', title: 'Something harmless', kind: 'execute' } },
  ])
  expect(question).toMatchObject({ reason: 'The agent does not say exactly what it will run', offers: [] })
  run.engine.runner.answer(question.id, { decision: 'deny' })
  await ended
})

test('two ways to agree do not make a harmless choice of a command', async () => {
  const id = run.session('ask')
  const { question, ended } = await run.asking(id, [
    {
      ask: {
        toolCallId: '1',
        title: 'Which color do you like?',
        kind: 'switch_mode',
        rawInput: { command: 'touch chosen' },
        options: [
          { optionId: 'red', name: 'Red', kind: 'allow_once' },
          { optionId: 'green', name: 'Green', kind: 'allow_once' },
          { optionId: 'no', name: 'None', kind: 'reject_once' },
        ],
      },
    },
  ])
  expect(question).toMatchObject({ command: 'touch chosen' })
  run.engine.runner.answer(question.id, { decision: 'deny' })
  await ended
  expect(told(id).join('\n')).toContain('[selected no]')
})

test('floods of words and of calls end the turn, and the agent', async () => {
  hostLimits.turnChars = 300_000
  hostLimits.turnCalls = 50
  const wordy = run.session()
  expect(await run.turn(wordy, [{ flood: { count: 10_000 } }])).toMatchObject({
    reason: 'failed',
    error: { message: expect.stringContaining('characters in one turn') },
  })
  expect(run.engine.hosts.info(wordy)?.state).toBe('off')
  const busy = run.session()
  expect(await run.turn(busy, [{ flood: { count: 1000, kind: 'tool_call' } }])).toMatchObject({
    reason: 'failed',
    error: { message: expect.stringContaining('more than 50 calls') },
  })
  expect(run.calls(busy).length).toBeLessThanOrEqual(50)
  expect(run.calls(busy).every(({ state }) => state.status !== 'running' && state.status !== 'pending')).toBe(true)
  Object.assign(hostLimits, usual)
})

test('a message that is too large ends the agent, not the app', async () => {
  hostLimits.messageBytes = 100_000
  const id = run.session()
  const end = await run.turn(id, [{ say: 'x'.repeat(200_000) }])
  Object.assign(hostLimits, usual)
  expect(end).toMatchObject({ reason: 'failed', error: { retryable: true } })
})

test('death in mid-turn leaves nothing open, is told with the last words, and a retry starts it anew', async () => {
  const id = run.session()
  const end = await run.turn(id, [
    { say: 'begun' },
    { call: { toolCallId: '1', title: 'x', kind: 'execute', status: 'in_progress', rawInput: { command: 'make' } } },
    { die: 7 },
  ])
  expect(end).toMatchObject({ reason: 'failed', error: { message: expect.stringContaining('ended with exit code 7') } })
  expect(told(id).slice(0, 2)).toEqual(['assistant: begun', 'Bash make: failed'])
  // This agent cannot load what it has forgotten: the session stays readable, and says so.
  expect(await run.turn(id, 'go on')).toMatchObject({
    reason: 'failed',
    error: { message: expect.stringContaining('cannot take up earlier sessions') },
  })
  expect(run.engine.hosts.info(id)?.state).toBe('read-only')
  // Handed to another agent, the session goes on with its past.
  run.engine.runner.updateSession(id, { model: 'agent:missing' })
  expect(await run.turn(id, 'what now?')).toMatchObject({
    reason: 'done',
    text: expect.stringMatching(/take over a session[\s\S]*begun[\s\S]*what now\?/),
  })
})

test('an agent that never answers, or speaks another version, is given up', async () => {
  hostLimits.startMs = 1_500
  const silent = run.session('safe', 'silent')
  expect(await run.turn(silent, 'hello')).toMatchObject({
    reason: 'failed',
    error: { message: 'silent did not answer within 1.5 s.' },
  })
  Object.assign(hostLimits, usual)
  const future = run.session('safe', 'future')
  expect(await run.turn(future, 'hello')).toMatchObject({
    reason: 'failed',
    error: { message: expect.stringContaining('version 99') },
  })
})

test('one that does not stop is ended, with everything that it started', async () => {
  hostLimits.cancelMs = 500
  const id = run.session()
  const ended = run.turn(id, [{ say: 'never' }, { ignore: true }])
  await run.event('delta', ({ sessionId }) => sessionId === id)
  run.engine.runner.stop(id)
  expect((await ended).reason).toBe('stopped')
  Object.assign(hostLimits, usual)
  await expect.poll(() => run.engine.hosts.info(id)?.state).toBe('off')
})

test('one that falls silent is ended after a while', async () => {
  hostLimits.silenceMs = 1_500
  const id = run.session()
  const end = await run.turn(id, [{ say: 'so' }, { ignore: true }])
  Object.assign(hostLimits, usual)
  expect(end).toMatchObject({ reason: 'failed', error: { message: expect.stringContaining('said nothing') } })
})

test('an agent that is not there is told in words', async () => {
  const id = run.session('safe', 'nobody')
  expect(await run.turn(id, 'hello')).toMatchObject({
    reason: 'failed',
    error: { message: expect.stringContaining('There is no agent nobody') },
  })
  const known = run.session('safe', 'stakpak')
  expect(await run.turn(known, 'hello')).toMatchObject({
    error: { message: expect.stringContaining('Stakpak was not found') },
  })
})

const cost = (amount: number) => ({
  sessionUpdate: 'usage_update',
  used: 10,
  size: 100,
  cost: { amount, currency: 'USD' },
})

test('after a restart an agent that can load goes on where it was, without showing its past twice', async () => {
  const state = join(bench.folder, 'state')
  const starts = join(bench.folder, 'starts')
  const other = await openHostedBench({ keeps: { AGENT_STATE: state, AGENT_STARTS: starts } })
  appendFileSync(state, '')
  const first = await other.start()
  const id = first.session('safe', 'keeps')
  await first.turn(id, [{ update: cost(0.25) }, { say: 'remember me' }])
  await first.engine.close()
  const [pid] = readFileSync(starts, 'utf8').trim().split('\n').map(Number)
  expect(isProcessAlive(pid ?? 0)).toBe(false)
  const second = await other.start()
  expect(await second.turn(id, 'still there?')).toMatchObject({ reason: 'done', text: 'I heard: still there?' })
  expect(second.sketch(id).join('\n')).not.toContain('REPLAYED')
  // It tells the cost of the whole session: what was counted before the restart is not counted again.
  await second.turn(id, [{ update: cost(0.4) }])
  expect(second.engine.store.sessions.get(id).usage.cost).toBeCloseTo(0.4)
  expect(second.engine.store.usage.ofSession(id).cost).toBeCloseTo(0.4)
  await other.close()
})
