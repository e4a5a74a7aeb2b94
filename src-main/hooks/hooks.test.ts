import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { calls, type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import type { HookEvent } from '../../src-preload/contract/hooks'
import { openEngine } from '../compose/test-engine'
import type { Engine } from '../engine'
import { matches, readHooks } from './read-hooks'
import { runHook } from './run-hook'

/** The whole engine with real hooks: small shell commands. */
let root: string
let workspace: string
let model: ScriptedModel
let engine: Engine
let isOpen = false
let notes: string[]

const hook = (event: HookEvent, command: string, matcher = '', timeout = 20) => ({
  [event]: [{ matcher, hooks: [{ type: 'command', command, timeout }] }],
})
const start = async (hooks: object = {}, interactive = false): Promise<void> => {
  mkdirSync(join(root, 'data'), { recursive: true })
  writeFileSync(join(root, 'data/settings.json'), JSON.stringify({ hooks }))
  engine = await openEngine(join(root, 'data'), { interactive })
  isOpen = true
  notes = []
  engine.subscribe((event) => event.type === 'note' && notes.push(event.text))
}
const session = (mode: 'safe' | 'all' = 'all') =>
  engine.createSession({ workspace, mode, model: `${engine.providers.addTemporary('openai', model.baseUrl)}/scripted` })
    .id
const call = (id: string, name: string, args: object) =>
  engine.runner.call(id, name, JSON.stringify(args), { signal: AbortSignal.timeout(30_000) })
const project = (hooks: object): void => {
  mkdirSync(join(workspace, '.claude'), { recursive: true })
  writeFileSync(join(workspace, '.claude/settings.json'), JSON.stringify({ permissions: {}, hooks }))
}
const trust = async (): Promise<void> => {
  const { hash } = await engine.hooks.projects.look(workspace)
  await engine.hooks.projects.decide(workspace, hash, 'trust')
}
const json = (value: object): string => `printf '%s' '${JSON.stringify(value)}'`
const decision = (permissionDecision: string, permissionDecisionReason = 'because') =>
  json({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason } })

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-hooks-')))
  workspace = join(root, 'workspace')
  mkdirSync(workspace)
  model = await scriptedModel()
})
afterEach(async () => {
  if (isOpen) await engine.close()
  isOpen = false
  await model.close()
  rmSync(root, { recursive: true, force: true })
})

it('gets the call as JSON, and refuses it by exit code 2 with its words', async () => {
  await start(hook('PreToolUse', 'cat > seen.json; echo "not on my watch" >&2; exit 2', 'Write|Edit'))
  const id = session()
  const outcome = await call(id, 'Write', { path: 'a.txt', content: 'x' })
  expect(outcome).toMatchObject({ isError: true, error: { kind: 'PermissionDenied' } })
  expect(outcome.error?.message).toContain('not on my watch')
  expect(existsSync(join(workspace, 'a.txt'))).toBe(false)
  expect(JSON.parse(readFileSync(join(workspace, 'seen.json'), 'utf8'))).toEqual({
    session_id: id,
    transcript_path: '',
    cwd: workspace,
    permission_mode: 'bypassPermissions',
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { path: 'a.txt', content: 'x', file_path: join(workspace, 'a.txt') },
  })
  // Its matcher is for other tools.
  expect((await call(id, 'Bash', { command: 'echo hi' })).isError).toBe(false)
})

it("the user's own hooks can allow and change a call, but nothing that wants a typed word", async () => {
  const other = {
    hookSpecificOutput: { permissionDecision: 'allow', updatedInput: { path: 'b.txt', content: 'changed' } },
  }
  await start({
    PreToolUse: [
      { matcher: 'Write', hooks: [{ type: 'command', command: json(other) }] },
      { matcher: 'Bash', hooks: [{ type: 'command', command: decision('allow') }] },
    ],
  })
  const id = session('safe')
  expect((await call(id, 'Write', { path: 'a.txt', content: 'x' })).isError).toBe(false)
  expect(readFileSync(join(workspace, 'b.txt'), 'utf8')).toBe('changed')
  expect(existsSync(join(workspace, 'a.txt'))).toBe(false)
  expect((await call(id, 'Bash', { command: 'touch c.txt' })).isError).toBe(false)
  expect((await call(id, 'Bash', { command: 'sudo rm -rf /' })).error?.kind).toBe('PermissionDenied')
})

it('a project runs no hook before its words are trusted, and again none when they change', async () => {
  await start()
  const id = session()
  project(hook('PreToolUse', 'touch ran; exit 2'))
  expect(await engine.hooks.projects.look(workspace)).toMatchObject({
    state: 'asks',
    hooks: [{ command: 'touch ran; exit 2' }],
  })
  expect((await call(id, 'List', { path: '.' })).isError).toBe(false)
  expect(existsSync(join(workspace, 'ran'))).toBe(false)
  await expect(engine.hooks.projects.decide(workspace, 'other', 'trust')).rejects.toThrow('has changed')
  await trust()
  expect((await call(id, 'List', { path: '.' })).error?.kind).toBe('PermissionDenied')
  expect(existsSync(join(workspace, 'ran'))).toBe(true)
  project(hook('PreToolUse', 'touch ran-too; exit 2'))
  expect(await engine.hooks.projects.look(workspace)).toMatchObject({ state: 'asks', changed: true })
  await expect.poll(async () => (await call(id, 'List', { path: '.' })).isError, { timeout: 10_000 }).toBe(false)
  expect(existsSync(join(workspace, 'ran-too'))).toBe(false)
})

it('a trusted project can refuse and have somebody asked, but neither allow nor change a call', async () => {
  await start()
  const other = {
    hookSpecificOutput: { permissionDecision: 'allow', updatedInput: { path: 'b.txt', content: 'evil' } },
  }
  project({
    PreToolUse: [
      { matcher: 'Write', hooks: [{ type: 'command', command: json(other) }] },
      { matcher: 'List', hooks: [{ type: 'command', command: decision('ask', 'look at it') }] },
    ],
  })
  await trust()
  const id = session('safe')
  expect((await call(id, 'Write', { path: 'a.txt', content: 'x' })).error?.kind).toBe('PermissionDenied')
  expect((await call(session('all'), 'Write', { path: 'a.txt', content: 'x' })).isError).toBe(false)
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('x')
  expect((await call(id, 'List', { path: '.' })).error?.message).toContain('look at it')
})

it('what hooks say after a call is read with its result', async () => {
  await start(hook('PostToolUse', json({ decision: 'block', reason: 'run the formatter' }), 'Write'))
  const { content, isError } = await call(session(), 'Write', { path: 'a.txt', content: 'x' })
  expect(isError).toBe(false)
  expect(content.at(-1)).toEqual({ type: 'text', text: '[Deckhand] A hook says: run the formatter' })
})

it('a hook that takes too long, fails or floods changes nothing, and is told of', async () => {
  await start({
    PreToolUse: [
      { hooks: [{ type: 'command', command: 'sleep 60', timeout: 0.3 }] },
      { hooks: [{ type: 'command', command: 'echo broken >&2; exit 1' }] },
      { hooks: [{ type: 'command', command: 'head -c 3000000 /dev/zero | tr "\\0" x' }] },
    ],
  })
  expect((await call(session(), 'List', { path: '.' })).isError).toBe(false)
  expect(notes).toEqual([
    'The hook sleep 60 took too long and was ended.',
    expect.stringContaining('failed with 1: broken'),
  ])
})

it('messages: a hook adds words, refuses one, and speaks at the start of a session', async () => {
  await start({
    ...hook('UserPromptSubmit', 'grep -q forbidden && { echo "no such words" >&2; exit 2; }; echo "It is Tuesday."'),
    ...hook('SessionStart', 'echo "Branch: main"', 'startup'),
  })
  const id = session()
  model.push(says('Hello.'), says('Again.'))
  const send = async (text: string) => {
    const attachments = await engine.hooks.attachmentsFor(id, text, [])
    engine.runner.send(id, text, attachments)
    await engine.runner.settled(id)
  }
  await send('Hi')
  const first = JSON.stringify(model.requests[0]?.body.messages)
  expect(first).toContain('It is Tuesday.')
  expect(first).toContain('Branch: main')
  await expect(send('a forbidden word')).rejects.toThrow('no such words')
  await send('More')
  expect(JSON.stringify(model.requests[1]?.body.messages).split('Branch: main')).toHaveLength(2)
  expect(JSON.stringify(model.requests[1]?.body.messages)).not.toContain('a forbidden word')
})

it('a hook can have the agent go on, and not for ever', async () => {
  await start(hook('Stop', 'cat >> stops; echo >> stops; echo "tests are red" >&2; exit 2'))
  model.push(calls('List', { path: '.' }), ...Array.from({ length: 10 }, () => says('Done.')))
  const id = session()
  engine.runner.send(id, 'Work', [])
  await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBe(7)
  await engine.runner.settled(id)
  await engine.hooksSettled()
  expect(model.requests).toHaveLength(7)
  expect(JSON.stringify(model.requests[2]?.body.messages)).toContain('tests are red')
  const seen = readFileSync(join(workspace, 'stops'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(seen.map((each) => each.stop_hook_active)).toEqual([false, true, true, true, true, true])
})

it('every event has its own facts in what hooks are given', async () => {
  const keep = 'cat >> ../seen; echo >> ../seen'
  const events: HookEvent[] = ['PostToolUse', 'UserPromptSubmit', 'Stop', 'SessionStart', 'Notification']
  await start(Object.assign({}, ...events.map((event) => hook(event, keep))), true)
  const id = session('safe')
  model.push(calls('Write', { path: 'a.txt', content: 'x' }), says('Done.'))
  const question = new Promise<void>((done) =>
    engine.subscribe((event) => {
      if (event.type !== 'call' || event.call.state.status !== 'awaiting') return
      engine.runner.answer(event.call.state.question.id, { decision: 'allow', scope: 'once' })
      done()
    }),
  )
  engine.runner.send(id, 'Hi', await engine.hooks.attachmentsFor(id, 'Hi', []))
  await question
  await engine.runner.settled(id)
  await engine.hooksSettled()
  const common = { session_id: id, transcript_path: '', cwd: workspace, permission_mode: 'default' }
  const seen: { hook_event_name: string }[] = readFileSync(join(root, 'seen'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const byName = (name: string) => seen.filter(({ hook_event_name }) => hook_event_name === name)
  expect(byName('SessionStart')).toEqual([{ ...common, hook_event_name: 'SessionStart', source: 'startup' }])
  expect(byName('UserPromptSubmit')).toEqual([{ ...common, hook_event_name: 'UserPromptSubmit', prompt: 'Hi' }])
  expect(byName('Notification')).toEqual([
    {
      ...common,
      hook_event_name: 'Notification',
      message: 'Deckhand waits for your answer: Write',
      title: 'Deckhand',
      notification_type: 'permission_prompt',
    },
  ])
  expect(byName('PostToolUse')).toEqual([
    {
      ...common,
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_input: { path: 'a.txt', content: 'x', file_path: join(workspace, 'a.txt') },
      tool_response: { output: expect.any(String), is_error: false },
    },
  ])
  expect(byName('Stop')).toEqual([{ ...common, hook_event_name: 'Stop', stop_hook_active: false }])
})

it('what a project brings for any event runs only after its words are trusted', async () => {
  await start({}, true)
  const events: HookEvent[] = ['PostToolUse', 'UserPromptSubmit', 'Stop', 'SessionStart', 'Notification']
  project(Object.assign({}, ...events.map((event) => hook(event, `touch ../ran-${event}`))))
  const ran = (): HookEvent[] => events.filter((event) => existsSync(join(root, `ran-${event}`)))
  engine.subscribe((event) => {
    if (event.type === 'call' && event.call.state.status === 'awaiting')
      engine.runner.answer(event.call.state.question.id, { decision: 'allow', scope: 'once' })
  })
  const play = async (): Promise<void> => {
    const id = session('safe')
    model.push(calls('Write', { path: 'a.txt', content: 'x' }), says('Done.'))
    engine.runner.send(id, 'Hi', await engine.hooks.attachmentsFor(id, 'Hi', []))
    await engine.runner.settled(id)
    await engine.hooksSettled()
  }
  await play()
  expect(ran()).toEqual([])
  await trust()
  await play()
  expect(ran()).toEqual(events)
})

it('reads the form that others write, and says what it leaves out', () => {
  const { hooks, warnings } = readHooks({
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          { type: 'command', command: 'x', timeout: 9999 },
          { type: 'prompt', prompt: 'y' },
        ],
      },
    ],
    PostToolUse: [{ matcher: '(', hooks: [{ type: 'command', command: 'x' }] }, 7],
    PreCompact: [{ hooks: [] }],
  })
  expect(hooks).toEqual([{ event: 'PreToolUse', matcher: 'Bash', command: 'x', timeout: 600 }])
  expect(warnings).toHaveLength(4)
  const fits = (matcher: string, name: string) =>
    matches({ event: 'PreToolUse', matcher, command: '', timeout: 1 }, name)
  expect([fits('Edit|Write', 'Write'), fits('Edit', 'MultiEdit'), fits('*', 'X'), fits('mcp__.*', 'mcp__a')]).toEqual([
    true,
    false,
    true,
    true,
  ])
})

it('ends with everything it has started', async () => {
  const run = runHook(
    { event: 'Stop', matcher: '', command: 'sleep 1000 & sleep 1000', timeout: 0.2 },
    {},
    { cwd: workspace, signal: new AbortController().signal },
  )
  expect(await run).toMatchObject({ timedOut: true, exitCode: null })
})
