import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { calls, gate, type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import type { Question } from '../../src-preload/contract/approval'
import type { Session } from '../../src-preload/contract/sessions'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import type { Engine } from '../engine'
import { createSandbox } from '../sandbox/sandbox'
import { makeSeenFolder, sandboxHere } from '../sandbox/test-ground'
import { memorySecrets } from '../settings/secrets'
import { openEngine, saveScripted } from './test-engine'

const { available } = await sandboxHere()

/** The whole engine with a scripted model: sessions in a sandbox, and trials of commands that wait. */
describe.skipIf(!available)('with a sandbox', () => {
  let root: string
  let workspace: string
  let model: ScriptedModel
  let engine: Engine
  const secrets = memorySecrets()

  const start = async (): Promise<void> => {
    engine = await openEngine(join(root, 'data'), { secrets, interactive: true })
  }
  beforeEach(async () => {
    root = makeSeenFolder('engine-')
    workspace = join(root, 'workspace')
    for (const folder of [workspace, join(root, 'data')]) mkdirSync(folder)
    model = await scriptedModel([], { models: ['one'] })
    await start()
    engine.updateSettings({ defaultModel: await saveScripted(engine, model), defaultWorkspace: workspace })
  })
  afterEach(async () => {
    await engine.close()
    await model.close()
    rmSync(root, { recursive: true, force: true })
  })

  const bash = (command: string, more = {}) => calls('Bash', { command, ...more })
  const play = async (session: Session, text = 'Go'): Promise<ToolCall[]> => {
    await engine.runner.sendAndWait(session.id, text)
    return callsOf(session)
  }
  const callsOf = (session: Session): ToolCall[] => engine.store.messages.page(session.id, undefined, 100).calls
  const until = async <Value>(find: () => Value | undefined | null | false): Promise<Value> => {
    for (;;) {
      const found = find()
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const asked = (which: (question: Question) => boolean = () => true): Promise<Question> =>
    until(() =>
      engine.runner
        .questions()
        .map(({ question }) => question)
        .find(which),
    )
  const tried = () => asked(({ trial }) => trial?.status === 'done')
  const display = (call: ToolCall | undefined) =>
    call && 'display' in call.state && call.state.display?.type === 'process' ? call.state.display : undefined
  const lastRequest = (): string => JSON.stringify(model.requests.at(-1)?.body)

  test.each([
    ['in a terminal', 'deckhand', bash('echo made > made.txt; tty; grep NoNewPrivs /proc/self/status')],
    [
      'between pipes',
      'clawft',
      calls('exec_shell', { command: 'echo made > made.txt; grep NoNewPrivs /proc/self/status' }),
    ],
    [
      'without a shell',
      'clawft',
      calls('spawn', { command: 'sh', args: ['-c', 'echo made > made.txt; grep NoNewPrivs /proc/self/status'] }),
    ],
    [
      'in another vocabulary',
      'miclaw',
      calls('exec', { command: 'echo made > made.txt; grep NoNewPrivs /proc/self/status' }),
    ],
    ['in a third', 'buddy', calls('run_shell', { command: 'echo made > made.txt; grep NoNewPrivs /proc/self/status' })],
  ])('a command %s runs inside, unasked', async (_, toolset, turn) => {
    model.push(turn, says('Done.'))
    const session = engine.createSession({ sandbox: true, toolset })
    const [call] = await play(session)
    expect(call).toMatchObject({ state: { status: 'done' }, grant: { by: 'sandbox' } })
    expect(display(call)?.tail).toMatch(/NoNewPrivs:\s*1/)
    expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('made\n')
  })

  test('the same command asks where the switch is off', async () => {
    model.push(bash('echo made > made.txt'), says('Done.'))
    const session = engine.createSession({})
    engine.runner.send(session.id, 'Go', [])
    engine.runner.answer((await asked()).id, { decision: 'deny' })
    await engine.runner.settled(session.id)
    expect(existsSync(join(workspace, 'made.txt'))).toBe(false)
  })

  test('a background command runs inside as well, and ends by a kill', async () => {
    model.push(bash('grep NoNewPrivs /proc/self/status; sleep 300', { background: true }), says('Started.'))
    const [call] = await play(engine.createSession({ sandbox: true }))
    const id = display(call)?.processId ?? ''
    await until(() => (engine.table.get(id)?.bytes ?? 0) > 0)
    expect(await engine.table.tail(id)).toMatch(/NoNewPrivs:\s*1/)
    engine.table.kill(id)
    expect(await engine.table.wait(id, 20_000)).toBe('exited')
  })

  test('terminals of others are out of reach, and what is pushed into its own keyboard goes nowhere', async () => {
    const theirs = await engine.table.start({
      sessionId: 'user',
      callId: null,
      command: 'cat',
      argv: ['/bin/sh', '-c', 'cat'],
      cwd: workspace,
      background: false,
      byUser: true,
    })
    const push = `perl -e 'ioctl(STDIN, 0x5412, $_) for split //, "touch pushed\\n"'`
    model.push(bash(`for n in $(seq 0 200); do echo intruder > /dev/pts/$n; done; ls /dev/pts; ${push}`), says('Done.'))
    const [call] = await play(engine.createSession({ sandbox: true }))
    expect(display(call)?.tail).toContain('ptmx')
    expect(await engine.table.tail(theirs.id)).not.toContain('intruder')
    expect(existsSync(join(workspace, 'pushed'))).toBe(false)
    engine.table.kill(theirs.id)
  })

  test('the model is told that it works in a sandbox, and what it may reach', async () => {
    model.push(says('Hello.'), says('Hello.'))
    await play(engine.createSession({ sandbox: true }))
    expect(lastRequest()).toContain('Commands run in a sandbox')
    expect(lastRequest()).toContain('no network')
    await play(engine.createSession({}))
    expect(lastRequest()).not.toContain('sandbox')
  })

  test('what was blocked is explained, and made once more outside as any other command', async () => {
    const outside = join(root, 'outside.txt')
    writeFileSync(join(workspace, 'make.sh'), `echo made > ${outside}\n`)
    model.push(bash('sh make.sh'), says('It was blocked.'))
    const session = engine.createSession({ sandbox: true })
    const [blocked] = await play(session)
    expect(display(blocked)).toMatchObject({ blocked: { kind: 'write', text: `It tried to write to ${outside}` } })
    expect(lastRequest()).toContain(`[sandbox] It tried to write to ${outside}`)

    model.push(says('Now it is there.'))
    engine.runner.runOutside(blocked?.id ?? '')
    const question = await asked()
    expect(question).toMatchObject({ title: 'Run a command outside the sandbox', command: 'sh make.sh' })
    engine.runner.answer(question.id, { decision: 'allow', scope: 'once' })
    await engine.runner.settled(session.id)
    expect(readFileSync(outside, 'utf8')).toBe('made\n')
    expect(callsOf(session).map(({ state }) => state.status)).toEqual(['done', 'done'])
    expect(model.requests.at(-1)?.body.messages.at(-1)).toMatchObject({ role: 'tool' })
    expect(() => engine.runner.runOutside(callsOf(session)[1]?.id ?? '')).toThrow('did not block')
  })

  test('what a command in the background ran into is told when it ends, and its card offers the same', async () => {
    const outside = join(root, 'outside.txt')
    writeFileSync(join(workspace, 'make.sh'), `sleep 0.3; echo made > ${outside}\n`)
    model.push(bash('sh make.sh', { background: true }), says('Started.'), says('It was blocked.'))
    const session = engine.createSession({ sandbox: true })
    await play(session)
    const blocked = await until(() => callsOf(session).find((call) => display(call)?.blocked))
    expect(display(blocked)).toMatchObject({
      blocked: { kind: 'write', text: `It tried to write to ${outside}` },
      exitCode: expect.any(Number),
    })
    await until(() => model.left === 0)
    await engine.runner.settled(session.id)
    expect(lastRequest()).toContain(`[sandbox] It tried to write to ${outside}`)

    model.push(says('Again.'), says('Now it is there.'))
    engine.runner.runOutside(blocked.id)
    engine.runner.answer((await asked()).id, { decision: 'allow', scope: 'once' })
    await until(() => existsSync(outside))
    await until(() => model.left === 0)
    await engine.runner.settled(session.id)
  })

  test('asked for while the turn runs, it is made before the model speaks again', async () => {
    writeFileSync(join(workspace, 'make.sh'), `echo made > ${join(root, 'outside.txt')}\n`)
    const hold = gate()
    model.push(bash('sh make.sh'), [{ gate: hold }, { text: 'It was blocked.' }], says('Now it is there.'))
    const session = engine.createSession({ sandbox: true })
    engine.runner.send(session.id, 'Go', [])
    await hold.reached
    engine.runner.runOutside(callsOf(session)[0]?.id ?? '')
    hold.open()
    engine.runner.answer((await asked()).id, { decision: 'allow', scope: 'once' })
    await until(() => model.left === 0)
    await engine.runner.settled(session.id)
    expect(readFileSync(join(root, 'outside.txt'), 'utf8')).toBe('made\n')
  })

  test('what it makes that runs later by itself is told', async () => {
    mkdirSync(join(workspace, '.git'))
    const made =
      'mkdir -p .vscode sub; echo {} > .vscode/tasks.json; echo x > sub/AGENTS.md; echo ../evil > .git/commondir'
    writeFileSync(join(workspace, 'make.sh'), made)
    model.push(bash('sh make.sh'), bash('echo again >> made.txt'), says('Done.'))
    const [first, second] = await play(engine.createSession({ sandbox: true }))
    expect(display(first)?.planted).toEqual(['.git/commondir', '.vscode', 'sub/AGENTS.md'])
    expect(display(second)?.planted).toBeUndefined()
    expect(lastRequest()).toContain('[sandbox] It made .git/commondir, .vscode, sub/AGENTS.md')
  })

  test('a branch keeps the switch', async () => {
    model.push(says('One.'), says('Two.'))
    const session = engine.createSession({ sandbox: true })
    await play(session)
    const [first] = engine.store.messages.page(session.id, undefined, 10).messages
    const branch = engine.runner.branch(session.id, first?.id ?? '', 'Other')
    await engine.runner.settled(branch.id)
    expect(branch.sandbox).toBe(true)
  })

  describe('a trial', () => {
    const begin = async (command: string): Promise<Question> => {
      model.push(bash(command), says('Done.'))
      const session = engine.createSession({})
      engine.runner.send(session.id, 'Go', [])
      const question = await asked()
      // Nobody is quicker, and what was written a moment ago must not look like something that came with the trial.
      await sleep(40)
      return question
    }

    test('brings the differences, and the call ends with what it brought', async () => {
      writeFileSync(join(workspace, 'a.txt'), 'one\n')
      const question = await begin('echo two >> a.txt; echo said')
      expect(question.trial).toEqual({ status: 'offered', limits: ['The trial has no network.'] })
      expect(() => engine.runner.answer(question.id, { decision: 'apply' })).toThrow('There is no trial')
      await engine.runner.tryCommand(question.id)
      const { trial } = await tried()
      expect(trial).toMatchObject({ exitCode: 0, files: [{ path: 'a.txt', kind: 'update', added: 1 }] })
      expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\n')
      engine.runner.answer(question.id, { decision: 'apply' })
      await engine.runner.settled(question.sessionId)
      expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
      const call = engine.store.calls.get(question.callId)
      expect(call).toMatchObject({ state: { status: 'done' }, grant: { by: 'user', rehearsed: true } })
      expect(display(call)?.tail?.trim()).toBe('said')
      expect(lastRequest()).toContain('tried in a copy of the workspace')
    })

    test('that was thrown away leaves nothing, and one can be begun anew', async () => {
      const question = await begin('echo x > new.txt')
      await engine.runner.tryCommand(question.id)
      await tried()
      await engine.runner.discardTrial(question.id)
      expect((await asked()).trial?.status).toBe('offered')
      expect(() => engine.runner.answer(question.id, { decision: 'apply' })).toThrow('There is no trial')
      engine.runner.answer(question.id, { decision: 'deny' })
      await engine.runner.settled(question.sessionId)
      expect(existsSync(join(workspace, 'new.txt'))).toBe(false)
    })

    test('of something dangerous wants the same word', async () => {
      mkdirSync(join(workspace, '.git'))
      writeFileSync(join(workspace, '.git/HEAD'), 'ref\n')
      const question = await begin('rm -rf .git')
      expect(question.typedWord).toBe('delete')
      await engine.runner.tryCommand(question.id)
      await tried()
      expect(() => engine.runner.answer(question.id, { decision: 'apply' })).toThrow('Type “delete”')
      engine.runner.answer(question.id, { decision: 'apply', typed: 'delete' })
      await engine.runner.settled(question.sessionId)
      expect(existsSync(join(workspace, '.git'))).toBe(false)
    })

    test('is not offered for what it could not show', async () => {
      for (const command of ['curl https://example.org', 'sudo ls', 'git push origin main']) {
        const question = await begin(command)
        expect([command, question.trial]).toEqual([command, undefined])
        engine.runner.answer(question.id, { decision: 'deny' })
        await engine.runner.settled(question.sessionId)
      }
    })

    test('is gone after a restart, and the question is as it was', async () => {
      const question = await begin('echo x > new.txt')
      await engine.runner.tryCommand(question.id)
      await tried()
      await engine.close()
      await start()
      expect((await asked()).trial?.status).toBe('offered')
      await engine.runner.tryCommand(question.id)
      await tried()
      engine.runner.answer(question.id, { decision: 'apply' })
      await until(() => existsSync(join(workspace, 'new.txt')))
      await engine.runner.settled(question.sessionId)
      expect(engine.store.calls.get(question.callId).state.status).toBe('done')
    })
  })
})

test('a session whose machine has lost its sandbox asks as if it had none', async () => {
  const sandbox = createSandbox({ home: tmpdir(), own: [], hosts: () => [], path: '/nowhere', platform: 'linux' })
  expect(await sandbox.enter({ id: 's', workspace: tmpdir() })).toBeNull()
})
