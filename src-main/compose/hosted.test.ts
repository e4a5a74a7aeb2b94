import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostedHandlers } from '../handlers/hosted'
import { openHostedBench } from './hosted-bench'

let forksFolder: string
let bench: Awaited<ReturnType<typeof openHostedBench>>
let run: Awaited<ReturnType<(typeof bench)['start']>>

beforeAll(async () => {
  forksFolder = mkdtempSync(join(tmpdir(), 'deckhand-forks-'))
  const state = join(forksFolder, 'sessions')
  bench = await openHostedBench({
    scripted: {},
    forks: { AGENT_FORK: '1', AGENT_STATE: state },
    failing: { AGENT_FORK: 'FAIL', AGENT_STATE: state },
    second: {},
    signed: { AGENT_SIGN_IN: '1' },
    terminal: { AGENT_SIGN_IN: 'terminal' },
  })
  run = await bench.start()
})
afterAll(async () => {
  await bench.close()
  rmSync(forksFolder, { recursive: true, force: true })
})

/** What the agent and the user said, without the scripts. */
const told = (sessionId: string): string[] => run.sketch(sessionId).filter((line) => !line.startsWith('user: ['))

test('a turn of a hosted agent is a turn of ours: text, thoughts, plan, calls, images, usage', async () => {
  const id = run.session()
  const end = await run.turn(id, [
    { think: 'Let me see.' },
    { say: 'Hello, ' },
    { say: 'I look.' },
    {
      update: {
        sessionUpdate: 'plan',
        entries: [
          { content: 'Look', priority: 'high', status: 'completed' },
          { content: 'Change', priority: 'low', status: 'in_progress' },
        ],
      },
    },
    {
      call: {
        toolCallId: '1',
        title: 'Look around',
        kind: 'search',
        status: 'in_progress',
        locations: [{ path: join(bench.workspace, 'a.txt') }],
      },
    },
    {
      progress: {
        toolCallId: '1',
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: 'found it' } }],
      },
    },
    {
      call: {
        toolCallId: '2',
        title: 'Edit a',
        kind: 'edit',
        status: 'completed',
        content: [{ type: 'diff', path: join(bench.workspace, 'a.txt'), oldText: 'one\n', newText: 'two\n' }],
      },
    },
    { call: { toolCallId: '3', title: 'Try', kind: 'other', status: 'failed', rawOutput: { output: 'it broke' } } },
    { image: 'iVBORw0KGgo=' },
    { say: 'Done.' },
    { update: { sessionUpdate: 'usage_update', used: 1200, size: 100_000, cost: { amount: 0.25, currency: 'USD' } } },
  ])
  expect(end).toMatchObject({
    reason: 'done',
    text: 'Done.',
    usage: { cost: 0.25, contextTokens: 1200, contextWindow: 100_000 },
  })
  expect(told(id)).toEqual([
    'thought: Let me see.',
    'assistant: Hello, I look.',
    'Search a.txt: done',
    'Edit a.txt: done',
    'Tool Try: failed',
    '<image>',
    'assistant: Done.',
  ])
  const [, edit] = run.calls(id)
  expect(edit?.state).toMatchObject({ display: { type: 'diff', files: [{ path: 'a.txt', added: 1, removed: 1 }] } })
  expect(edit?.grant).toEqual({ by: 'agent', reason: 'scripted ran this by itself, without asking.' })
  expect(run.engine.store.sessions.todo(id)).toEqual([
    { text: 'Look', status: 'done' },
    { text: 'Change', status: 'active' },
  ])
  expect(run.engine.store.sessions.get(id).usage).toMatchObject({
    cost: 0.25,
    contextTokens: 1200,
    contextWindow: 100_000,
  })
  expect(run.engine.store.usage.ofSession(id)).toMatchObject({ cost: 0.25 })
  expect(run.engine.store.usage.history('2000-01-01', '2100-01-01').models).toContainEqual(
    expect.objectContaining({ model: 'agent:scripted', cost: 0.25 }),
  )
  expect(run.engine.store.search('Hello').length).toBeGreaterThan(0)
  expect(run.engine.exportSession(id, 'markdown')).toContain('Hello, I look.')
  expect(run.engine.hosts.info(id)).toMatchObject({
    name: 'scripted',
    version: '1.2.3',
    state: 'ready',
    options: [
      { id: 'mode:', current: 'careful' },
      { id: 'model', category: 'model', current: 'small' },
    ],
    commands: [{ name: 'review', hint: 'what to look for' }],
  })
})

test('images, its own slash commands, and hooks of the user reach a hosted agent as they do our own', async () => {
  const id = run.session('all')
  const image = { name: 'a.png', mimeType: 'image/png', data: 'iVBORw0KGgo=' }
  run.engine.runner.send(id, '/review the image', [image])
  await run.engine.runner.settled(id)
  expect(run.sketch(id).at(-1)).toBe('assistant: I heard: /review the image\n<image>')
  const offered = await run.engine.slash.list({ sessionId: id, agentId: 'main', workspace: bench.workspace })
  expect(offered).toContainEqual(expect.objectContaining({ name: 'review', hint: 'what to look for' }))

  const hook = { type: 'command', command: 'cat > seen.json; echo not on my watch >&2; exit 2' }
  run.engine.settings.setSection('hooks', { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] })
  try {
    await run.turn(id, [{ terminal: { command: 'touch hooked.txt' } }])
  } finally {
    run.engine.settings.setSection('hooks', {})
  }
  expect(existsSync(join(bench.workspace, 'hooked.txt'))).toBe(false)
  expect(run.sketch(id).join('\n')).toContain('not on my watch')
  expect(JSON.parse(readFileSync(join(bench.workspace, 'seen.json'), 'utf8'))).toMatchObject({
    tool_name: 'Bash',
    tool_input: { command: 'touch hooked.txt' },
  })
  const { messages } = JSON.parse(run.engine.exportSession(id, 'json'))
  expect(JSON.stringify(messages)).toContain('/review the image')
})

test('its modes and options are chosen like a model', async () => {
  const id = run.session()
  await run.turn(id, 'hello')
  await run.engine.hosts.choose(id, 'mode:', 'quick')
  await run.engine.hosts.choose(id, 'model', 'large')
  expect(run.engine.hosts.info(id)?.options.map(({ current }) => current)).toEqual(['quick', 'large'])
  await expect(run.engine.hosts.choose(id, 'model', 'huge')).rejects.toThrow('Model has no choice huge.')
})

test('what the mode allows is answered at once, and what it forbids is refused', async () => {
  const id = run.session('safe')
  await run.turn(id, [
    { ask: { toolCallId: '1', title: 'x', kind: 'execute', rawInput: { command: 'ls' } } },
    { progress: { toolCallId: '1', status: 'completed' } },
  ])
  expect(told(id)).toEqual(['Bash ls: done', 'assistant: [selected yes]'])
  const strict = run.session('read-only')
  await run.turn(strict, [{ ask: { toolCallId: '1', title: 'x', kind: 'execute', rawInput: { command: 'touch b' } } }])
  expect(told(strict)).toEqual(['Bash touch b: denied', 'assistant: [selected no]'])
})

test('anything else is our card, by what will really run; the answer reaches the agent in its own options', async () => {
  const id = run.session('ask')
  const { question, ended } = await run.asking(id, [
    {
      call: {
        toolCallId: '1',
        title: 'List files',
        kind: 'read',
        status: 'pending',
        rawInput: { command: 'rm -rf ~/things' },
      },
    },
    { ask: { toolCallId: '1', title: 'List files', kind: 'read' } },
  ])
  expect(question).toMatchObject({ kind: 'command', title: 'Run a command', command: 'rm -rf ~/things' })
  expect(question.subCommands?.[0]).toMatchObject({ text: 'rm -rf ~/things', danger: true })
  run.engine.runner.answer(question.id, { decision: 'deny', note: 'use the bin' })
  expect((await ended).reason).toBe('done')
  // What was written beside the denial reaches the agent as a message.
  await run.engine.runner.settled(id)
  expect(told(id)).toEqual([
    'Bash rm -rf ~/things: denied',
    'user: use the bin',
    'assistant: [selected no]',
    'assistant: I heard: use the bin',
  ])
})

test('a rule that was kept answers the next request', async () => {
  const id = run.session('ask')
  const ask = { ask: { toolCallId: 'x', title: 'x', kind: 'execute', rawInput: { command: 'touch kept' } } }
  const { question, ended } = await run.asking(id, [ask, { progress: { toolCallId: 'x', status: 'completed' } }])
  run.engine.runner.answer(question.id, { decision: 'allow', scope: 'session' })
  await ended
  await run.turn(id, [{ ask: { ...ask.ask, toolCallId: 'y' } }, { progress: { toolCallId: 'y', status: 'completed' } }])
  expect(told(id)).toEqual([
    'Bash touch kept: done',
    'assistant: [selected yes]',
    'Bash touch kept: done',
    'assistant: [selected yes]',
  ])
  expect(run.calls(id)[1]?.grant?.by).toBe('rule')
})

test('a terminal for a command that was just allowed is not asked about; another one is', async () => {
  const id = run.session('ask')
  const from = run.events.length
  const ended = run.turn(id, [
    {
      call: {
        toolCallId: '1',
        title: 'Make a',
        kind: 'execute',
        status: 'pending',
        rawInput: { command: 'echo made > a.txt && cat a.txt' },
      },
    },
    { ask: { toolCallId: '1', title: 'Make a' } },
    {
      terminal: {
        command: 'echo made > a.txt && cat a.txt',
        as: '1',
        env: [{ name: 'AGENT_SESSION_ID', value: 'x1' }],
      },
    },
    { progress: { toolCallId: '1', status: 'completed' } },
    { terminal: { command: 'touch', args: ['b c.txt'] } },
  ])
  const first = await run.question(from)
  run.engine.runner.answer(first.id, { decision: 'allow', scope: 'once' })
  const { call } = await run.event(
    'call',
    ({ call }) => call.state.status === 'awaiting' && call.state.question.id !== first.id,
    from,
  )
  const second = call.state.status === 'awaiting' ? call.state.question : first
  expect(second.command).toBe("touch 'b c.txt'")
  run.engine.runner.answer(second.id, { decision: 'deny' })
  await ended
  expect(told(id)).toEqual([
    'Bash echo made > a.txt && cat a.txt: done',
    'assistant: [selected yes][exit 0: made]',
    "Bash touch 'b c.txt': denied",
    'assistant: [refused: Internal error: The user denied this call. Do not try it again in another way; ask what to do instead, or go on without it.]',
  ])
  const [made] = run.calls(id)
  expect(made?.state).toMatchObject({ display: { type: 'process', exitCode: 0 } })
  await run.engine.receipts.settled()
  expect(run.engine.receipts.get(made?.id ?? '')?.files).toMatchObject([{ path: 'a.txt', before: null }])
  await run.engine.receipts.undo(made?.id ?? '', 'undo', false)
  expect(existsSync(join(bench.workspace, 'a.txt'))).toBe(false)
})

test('files that the agent asks for pass the gate, and what it writes can be undone', async () => {
  const id = run.session('safe')
  const path = join(bench.workspace, 'notes.txt')
  writeFileSync(path, 'one\ntwo\nthree')
  const from = run.events.length
  const ended = run.turn(id, [
    { read: { path, line: 2, limit: 1 } },
    { write: { path, content: 'four' } },
    { read: { path: '/etc/shadow' } },
  ])
  const question = await run.question(from)
  expect(question).toMatchObject({ kind: 'file', diff: [{ path: 'notes.txt' }] })
  run.engine.runner.answer(question.id, { decision: 'allow', scope: 'once' })
  const { call } = await run.event(
    'call',
    ({ call }) => call.state.status === 'awaiting' && call.state.question.id !== question.id,
    from,
  )
  if (call.state.status === 'awaiting') run.engine.runner.answer(call.state.question.id, { decision: 'deny' })
  await ended
  expect(readFileSync(path, 'utf8')).toBe('four')
  expect(told(id).slice(0, 3)).toEqual(['assistant: [read: two]', `Write ${path}: done`, 'assistant: [written]'])
  await run.engine.receipts.settled()
  await run.engine.receipts.undo(run.calls(id)[0]?.id ?? '', 'undo', false)
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree')
})

test('a file that goose asks about as some tool of its own and then has us write is asked about once, as a file', async () => {
  const id = run.session('ask')
  const path = join(bench.workspace, 'by-goose.txt')
  const rawInput = { path, content: 'words\n' }
  const _meta = { goose: { toolCall: { toolName: 'write', extensionName: 'developer' } } }
  const { question, ended } = await run.asking(id, [
    { call: { toolCallId: '1', title: `write · ${path}`, rawInput, _meta } },
    { ask: { toolCallId: '1', kind: 'other', title: `write · ${path}`, rawInput } },
    { write: rawInput },
    { progress: { toolCallId: '1', status: 'completed' } },
  ])
  expect(question.title).toContain('by-goose.txt')
  run.engine.runner.answer(question.id, { decision: 'allow', scope: 'once' })
  expect((await ended).reason).toBe('done')
  expect(readFileSync(path, 'utf8')).toBe('words\n')
  expect(run.calls(id).map(({ state }) => state.status)).toEqual(['done'])
})

test('what an agent changes by itself is recorded all the same', async () => {
  const id = run.session()
  const path = join(bench.workspace, 'own.txt')
  writeFileSync(path, 'before')
  await run.turn(id, [
    { call: { toolCallId: '1', title: 'Change', kind: 'edit', status: 'in_progress', locations: [{ path }] } },
    { sleep: 300 },
    { change: { path, content: 'after' } },
    { progress: { toolCallId: '1', status: 'completed' } },
  ])
  await run.engine.receipts.settled()
  const [call] = run.calls(id)
  expect(run.engine.receipts.get(call?.id ?? '')?.files.map((file) => file.path)).toEqual(['own.txt'])
  await run.engine.receipts.undo(call?.id ?? '', 'undo', false)
  expect(readFileSync(path, 'utf8')).toBe('before')
})

test('what an agent changes without telling of any call has a receipt as well, and is undone', async () => {
  const id = run.session()
  const path = (name: string) => join(bench.workspace, name)
  writeFileSync(path('kept.txt'), 'before\n')
  const end = await run.turn(id, [
    { change: { path: path('kept.txt'), content: 'after\n' } },
    { call: { toolCallId: '1', title: 'x', kind: 'edit', status: 'in_progress', rawInput: {} } },
    { sleep: 300 },
    { change: { path: path('told.txt'), content: 'told\n' } },
    { progress: { toolCallId: '1', status: 'completed' } },
    { sleep: 300 },
    { change: { path: path('silent.txt'), content: 'silent\n' } },
    { say: 'Done.' },
  ])
  expect(end).toMatchObject({ reason: 'done', text: 'Done.' })
  await run.engine.receipts.settled()
  const [told, rest] = run.calls(id)
  const filesOf = (callId = '') => run.engine.receipts.get(callId)?.files.map((file) => file.path)
  expect(rest).toMatchObject({
    name: 'Changes',
    gist: '2 files, outside any reported call',
    grant: { by: 'agent', reason: 'scripted did not tell of this.' },
  })
  expect(filesOf(told?.id)).toEqual(['told.txt'])
  expect(filesOf(rest?.id)).toEqual(['kept.txt', 'silent.txt'])
  expect((await run.engine.receipts.undo(rest?.id ?? '', 'undo', true)).left).toEqual([])
  expect(readFileSync(path('kept.txt'), 'utf8')).toBe('before\n')
  expect(existsSync(path('silent.txt'))).toBe(false)
  expect(existsSync(path('told.txt'))).toBe(true)
  // A turn that changes nothing leaves no row.
  await run.turn(id, 'hello')
  expect(run.calls(id)).toHaveLength(2)
})

test('a call that is told of before it is known what it will do is named by what it does', async () => {
  const id = run.session()
  const _meta = { toolName: 'tool_call' }
  await run.turn(id, [
    {
      call: {
        toolCallId: '1',
        title: 'tool_call',
        kind: 'other',
        rawInput: {},
        _meta: { ..._meta, phase: 'preparing' },
      },
    },
    {
      progress: {
        toolCallId: '1',
        title: 'tool_call',
        status: 'in_progress',
        rawInput: { name: 'mcp__tracker__search', arguments: { query: 'crash' } },
        _meta,
      },
    },
    { progress: { toolCallId: '1', status: 'completed' } },
  ])
  expect(run.sketch(id).at(-1)).toBe('mcp__tracker__search {"query":"crash"}: done')
})

test('a command that the agent runs by itself shows the output that it reports, and how it ended', async () => {
  const id = run.session()
  const part = (data: string) => ({ progress: { toolCallId: '1', _meta: { terminal_output_delta: { data } } } })
  await run.turn(id, [
    {
      call: {
        toolCallId: '1',
        title: 'make',
        kind: 'execute',
        status: 'in_progress',
        rawInput: { command: 'make all' },
        content: [{ type: 'terminal', terminalId: '1' }],
      },
    },
    part('one\n'),
    part('two\n'),
    { progress: { toolCallId: '1', status: 'completed', _meta: { terminal_exit: { exit_code: 2 } } } },
  ])
  expect(run.calls(id)[0]?.state).toMatchObject({
    status: 'done',
    content: [{ type: 'text', text: 'one\ntwo\n' }],
    display: { type: 'process', command: 'make all', tail: 'one\ntwo\n', exitCode: 2 },
  })
})

const toolsOf = async (id: string): Promise<string | null> => {
  await run.engine.runner.openAgent(id)
  return run.engine.hosts.toolsName(id)
}

test('an agent has our tools: what runs by them is seen once, asked about once, and undone', async () => {
  const id = run.session('ask')
  const from = run.events.length
  const ended = run.turn(id, [
    { tool: { name: 'Bash', command: 'echo by-tool > tooled.txt && cat tooled.txt' } },
    { tool: { name: 'List', path: '.', quiet: true } },
    { call: { toolCallId: 'late', name: `${await toolsOf(id)}_List`, status: 'completed' } },
    { say: ' done' },
  ])
  const question = await run.question(from)
  expect(question).toMatchObject({ command: 'echo by-tool > tooled.txt && cat tooled.txt' })
  run.engine.runner.answer(question.id, { decision: 'allow', scope: 'once' })
  const list = await run.event(
    'call',
    ({ call }) => call.state.status === 'awaiting' && call.state.question.id !== question.id,
    from,
  )
  if (list.call.state.status !== 'awaiting') throw new Error('not a question')
  run.engine.runner.answer(list.call.state.question.id, { decision: 'allow', scope: 'once' })
  expect((await ended).reason).toBe('done')
  expect(run.sketch(id).join('\n')).toMatch(/\[Bash: .*by-tool.*\[List: .*tooled\.txt.* done/s)
  expect(run.calls(id).map(({ name, state }) => `${name}: ${state.status}`)).toEqual(['Bash: done', 'List: done'])
  const [call] = run.calls(id)
  expect(call?.state).toMatchObject({ display: { type: 'process', exitCode: 0 } })
  await run.engine.receipts.settled()
  await run.engine.receipts.undo(call?.id ?? '', 'undo', true)
  expect(existsSync(join(bench.workspace, 'tooled.txt'))).toBe(false)
})

test('one agent hands a session to another, with what was changed and what still runs; two get the same message', async () => {
  const id = run.session('all')
  await run.turn(id, [
    { terminal: { command: 'echo x > handed.txt' } },
    { terminal: { command: 'sleep 300', keep: true } },
    { say: 'Handing over.' },
  ])
  await run.engine.receipts.settled()
  run.engine.runner.updateSession(id, { model: 'agent:second' })
  const { text } = await run.turn(id, 'what is there?')
  expect(text).toMatch(
    /I heard: You take over[\s\S]*Handing over\.[\s\S]*Files were changed by:\n- echo x > handed\.txt/,
  )
  expect(text).toMatch(/Still running:\n- \S+: sleep 300[\s\S]*what is there\?$/)

  const asked = run.engine.store.messages.page(id, undefined, 500).messages.findLast(({ role }) => role === 'user')
  const beside = run.engine.runner.branch(id, asked?.id ?? '', 'what is there?', [], 'agent:scripted')
  await run.engine.runner.settled(beside.id)
  expect(beside.model).toBe('agent:scripted')
  expect(run.sketch(beside.id).at(-1)).toMatch(/I heard: You take over[\s\S]*what is there\?$/)
})

test('an edited message goes on in a fork of the session, where the agent can fork; where it cannot, that is said', async () => {
  const edited = async (agent: string) => {
    const id = run.session('safe', agent)
    await run.turn(id, 'first')
    await run.turn(id, 'second')
    const asked = run.engine.store.messages.page(id, undefined, 500).messages.findLast(({ role }) => role === 'user')
    const branch = run.engine.runner.branch(id, asked?.id ?? '', 'another way', [])
    await run.engine.runner.settled(branch.id)
    return { id, branch: branch.id }
  }
  const notices = (id: string) =>
    run.engine.store.messages
      .page(id, undefined, 500)
      .messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'notice' ? part.notice.text : [])))

  const { id, branch } = await edited('forks')
  expect(run.sketch(branch).slice(0, 3)).toEqual(['user: first', 'assistant: I heard: first', 'user: another way'])
  expect(run.sketch(branch).at(-1)).toMatch(
    /^assistant: I heard in a fork: \[Deckhand\] The user went back[\s\S]*<disregard>second<\/disregard>[\s\S]*another way$/,
  )
  expect(notices(branch)).toEqual([])
  expect(run.engine.hosts.info(branch)?.options.at(-1)?.current).toBe('large')
  expect(await run.turn(branch, 'and on')).toMatchObject({ text: 'I heard in a fork: and on' })
  expect(await run.turn(id, 'here')).toMatchObject({ text: 'I heard: here' })

  const without = await edited('scripted')
  expect(run.sketch(without.branch).at(-1)).toMatch(/I heard: You take over[\s\S]*another way$/)
  expect(notices(without.branch)).toEqual([
    'scripted cannot branch off its own sessions. A new one was started, and it was told what was said before.',
  ])
  const failing = await edited('failing')
  expect(run.sketch(failing.branch).at(-1)).toMatch(/I heard: You take over[\s\S]*another way$/)
  expect(notices(failing.branch)[0]).toContain('failing could not branch off its session.')
  expect(await run.turn(failing.branch, 'next')).toMatchObject({ text: 'I heard: next' })
})

test('a sign-in in a terminal is a program for a pane', async () => {
  const id = run.session('safe', 'terminal')
  expect((await run.turn(id, 'hello')).error?.kind).toBe('auth')
  expect(run.engine.hosts.info(id)).toMatchObject({
    state: 'signed-out',
    signIns: [{ id: 'login', name: 'Log in', terminal: true }],
  })
  const processId = (await hostedHandlers(run.engine)['hosted.signIn']({ sessionId: id, methodId: 'login' })) ?? ''
  expect(run.engine.table.get(processId)).toMatchObject({ title: 'Sign in', byUser: true, sessionId: id })
  expect(await run.engine.table.wait(processId, 30_000)).toBe('exited')
  expect((await run.engine.table.output(processId, { maxChars: 1000 })).text).toBe('Signed in: login --here, yes\n')
})

test('a message is queued while the agent works, and a stop keeps the queue and the process', async () => {
  const id = run.session()
  const ended = run.turn(id, [{ say: 'working' }, { wait: true }])
  await run.event('delta', ({ sessionId }) => sessionId === id)
  run.engine.runner.send(id, 'later', [])
  run.engine.runner.stop(id)
  expect((await ended).reason).toBe('stopped')
  expect(run.engine.store.queue.list(id)).toMatchObject([{ text: 'later' }])
  expect(run.engine.hosts.info(id)?.state).toBe('ready')
})

test('a stop takes back a question, and the agent is told', async () => {
  const id = run.session('ask')
  const { ended } = await run.asking(id, [
    { ask: { toolCallId: '1', title: 'x', kind: 'execute', rawInput: { command: 'touch z' } } },
  ])
  run.engine.runner.stop(id)
  expect((await ended).reason).toBe('stopped')
  expect(run.calls(id).map(({ state }) => state.status)).toEqual(['aborted'])
})

test('an agent that wants a sign-in says so, and goes on after it', async () => {
  const id = run.session('safe', 'signed')
  const end = await run.turn(id, 'hello')
  expect(end).toMatchObject({ reason: 'failed', error: { kind: 'auth' } })
  expect(run.engine.hosts.info(id)).toMatchObject({
    state: 'signed-out',
    signIns: [{ id: 'key', name: 'With a key', terminal: false }],
  })
  run.engine.hosts.signInBy('signed', 'key')
  expect(await run.turn(id, 'hello again')).toMatchObject({ reason: 'done' })
})
