import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { calls, type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import type { Answer, Question } from '../../src-preload/contract/approval'
import type { ApprovalMode, Session } from '../../src-preload/contract/sessions'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import type { Engine } from '../engine'
import { makeSeenFolder, sandboxHere } from '../sandbox/test-ground'
import { openEngine, saveScripted } from './test-engine'

const { available } = await sandboxHere()

/** The whole engine with a scripted model: what runs without a question runs in the cage. */
describe.skipIf(!available)('a command that nobody is asked about', () => {
  let root: string
  let workspace: string
  let model: ScriptedModel
  let engine: Engine

  const start = async (interactive = true): Promise<void> => {
    engine = await openEngine(join(root, 'data'), { interactive })
    engine.updateSettings({ defaultModel: await saveScripted(engine, model), defaultWorkspace: workspace })
  }
  beforeEach(async () => {
    root = makeSeenFolder('cage-')
    workspace = join(root, 'workspace')
    for (const folder of [workspace, join(root, 'data')]) mkdirSync(folder)
    writeFileSync(join(workspace, 'a.txt'), 'text\n')
    writeFileSync(join(workspace, '.env'), 'SECRET=1\n')
    model = await scriptedModel([], { models: ['one'] })
  })
  afterEach(async () => {
    await engine.close()
    await model.close()
    rmSync(root, { recursive: true, force: true })
  })

  const bash = (command: string, more = {}) => calls('Bash', { command, ...more })
  const session = (mode: ApprovalMode): Session => engine.createSession({ mode })
  const callsOf = (of: Session): ToolCall[] => engine.store.messages.page(of.id, undefined, 100).calls
  const asked = async (): Promise<Question> => {
    await expect.poll(() => engine.runner.questions().length, { timeout: 20_000, interval: 10 }).toBeGreaterThan(0)
    return engine.runner.questions()[0]?.question as Question
  }
  const answer = (question: Question, what: Answer) => engine.runner.answer(question.id, what)
  const display = (call: ToolCall | undefined) =>
    call && 'display' in call.state && call.state.display?.type === 'process' ? call.state.display : undefined
  const lastRequest = (): string => JSON.stringify(model.requests.at(-1)?.body)
  /** Plays a turn with one command, and answers the questions in it. */
  const play = async (mode: ApprovalMode, command: string, ...answers: Answer[]) => {
    model.push(bash(command), says('Done.'))
    const of = session(mode)
    const ended = engine.runner.sendAndWait(of.id, 'Go')
    const questions: Question[] = []
    for (const each of answers) {
      const question = await asked()
      questions.push(question)
      answer(question, each)
    }
    await ended
    const call = callsOf(of)[0]
    return { call, shown: display(call), questions }
  }

  /** The gate cannot tell that it writes. */
  const write = `python3 -c "open('made.txt', 'w').write('made\\n')"`

  const inside = 'grep NoNewPrivs /proc/self/status; cat a.txt'

  test.each<[ApprovalMode, string]>([
    ['safe', 'cat a.txt'],
    ['read-only', 'cat a.txt'],
    ['safe', 'python3 -c "print(1)" || true'],
    ['safe', 'for f in *.txt; do wc -l "$f"; done'],
  ])('runs in the cage that can only read, in mode %s: %s', async (mode, command) => {
    await start()
    const { shown } = await play(mode, command)
    expect(shown).toMatchObject({ exitCode: 0, caged: 'read' })
  })

  test('runs outside where a person allowed it, or everything is allowed', async () => {
    await start()
    expect((await play('ask', inside, { decision: 'allow', scope: 'once' })).shown).toMatchObject({ exitCode: 0 })
    expect(JSON.stringify(model.requests.at(-1)?.body)).toMatch(/NoNewPrivs:\\+t0/)
    const all = await play('all', inside)
    expect(all.shown?.caged).toBeUndefined()
    expect(lastRequest()).toMatch(/NoNewPrivs:\\+t0/)
  })

  test('may change the workspace, and nothing else, where that is allowed', async () => {
    await start()
    const { shown } = await play('workspace', 'sh -c "echo made > made.txt; echo x > ../outside.txt; true"')
    expect(shown).toMatchObject({ exitCode: 0, caged: 'write' })
    expect(existsSync(join(workspace, 'made.txt'))).toBe(true)
    expect(existsSync(join(root, 'outside.txt'))).toBe(false)
  })

  test('that the cage made fail is offered to run outside, once, and then runs there', async () => {
    await start()
    const { shown, questions } = await play('safe', write, { decision: 'allow', scope: 'once' })
    expect(questions).toMatchObject([{ title: 'Run it outside', reason: expect.stringContaining('It tried to write') }])
    expect(shown).toMatchObject({ exitCode: 0 })
    expect(shown?.caged).toBeUndefined()
    expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('made\n')
    expect(lastRequest()).toContain('[cage] Nobody was asked about this command')
    expect(lastRequest()).toContain('The user let it run outside')
  })

  test('that may not run outside fails, and the model is told why', async () => {
    await start()
    const { call, shown } = await play('safe', write, { decision: 'deny', note: 'not now' })
    expect(call?.state.status).toBe('done')
    expect(shown).toMatchObject({ caged: 'read', blocked: { kind: 'write' } })
    expect(existsSync(join(workspace, 'made.txt'))).toBe(false)
    expect(lastRequest()).toContain('not now')
  })

  test('is told of where nobody can be asked', async () => {
    await start(false)
    const { shown } = await play('safe', write)
    expect(shown).toMatchObject({ caged: 'read', blocked: { kind: 'write' } })
    expect(lastRequest()).toContain('nobody is there to ask')
  })

  test('shows no secret, whatever program it is', async () => {
    await start()
    await play('safe', `python3 -c "import glob; print([open(f).read() for f in glob.glob('.*')])"`, {
      decision: 'deny',
    })
    expect(lastRequest()).not.toContain('SECRET=1')
  })

  test("shows differences as git itself does, whatever the user's own settings name", async () => {
    const settings = join(root, 'gitconfig')
    writeFileSync(settings, '[diff]\n external = echo FOREIGN\n[user]\n name = n\n email = e@example.com\n')
    const before = process.env.GIT_CONFIG_GLOBAL
    process.env.GIT_CONFIG_GLOBAL = settings
    try {
      const git = (...args: string[]): string => execFileSync('git', args, { cwd: workspace, encoding: 'utf8' })
      git('init', '-q')
      writeFileSync(join(workspace, '.git/info/exclude'), '.env\n')
      git('add', 'a.txt')
      git('commit', '-qm', 'first')
      writeFileSync(join(workspace, 'a.txt'), 'other words\n')
      expect(git('diff')).toContain('FOREIGN')
      await start()
      const { shown } = await play('safe', 'git config user.name && cd . && git diff; git log -p --ext-diff | cat')
      expect(shown).toMatchObject({ exitCode: 0, caged: 'read' })
      expect(lastRequest()).toContain('+other words')
      expect(lastRequest()).not.toContain('FOREIGN')
      const changed = await play('workspace', 'git commit -qam second && git show')
      expect(changed.shown).toMatchObject({ exitCode: 0, caged: 'write' })
      expect(git('log', '-1', '--format=%an %s')).toBe('n second\n')
    } finally {
      if (before === undefined) delete process.env.GIT_CONFIG_GLOBAL
      else process.env.GIT_CONFIG_GLOBAL = before
    }
  })

  test('goes on in the background, takes input, and ends when it is stopped', async () => {
    await start()
    model.push(bash("sh -c 'read line; echo got $line; sleep 300'", { background: true }), says('Started.'))
    const of = session('safe')
    await engine.runner.sendAndWait(of.id, 'Go')
    const [row] = engine.table.list(of.id)
    await engine.table.write(row?.id ?? '', 'hello\n')
    await expect.poll(() => engine.table.tail(row?.id ?? ''), { timeout: 10_000 }).toContain('got hello')
    expect(await engine.table.terminate(row?.id ?? '')).toBe('exited')
    expect(display(callsOf(of)[0])).toMatchObject({ caged: 'read' })
  })

  test('is ended by its time limit', async () => {
    await start()
    model.push(bash('sh -c "sleep 300"', { timeout: 300 }), says('Done.'))
    const of = session('safe')
    await engine.runner.sendAndWait(of.id, 'Go')
    expect(lastRequest()).toMatch(/timedOut\\+":true/)
  })
})
