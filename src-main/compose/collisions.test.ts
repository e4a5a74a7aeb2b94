import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, type ModelRequest, type ScriptedModel, says, scriptedModel, type Turn } from '../../e2e/scripted-model'
import type { Question } from '../../src-preload/contract/approval'
import { createEngine } from '../compose'
import type { Engine } from '../engine'
import { openInProcessHost } from '../nodes/host-link'
import { memorySecrets } from '../settings/secrets'

let root = ''
let workspace = ''
let model: ScriptedModel
let engine: Engine
let answers: (request: ModelRequest) => Turn

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-collisions-')))
  workspace = join(root, 'workspace')
  mkdirSync(workspace)
  model = await scriptedModel([], { models: ['scripted'], otherwise: (request) => answers(request) })
  engine = await createEngine({
    dataDir: join(root, 'data'),
    openHost: openInProcessHost,
    secrets: memorySecrets(),
    interactive: true,
  })
  await engine.providers.save({ name: 'Scripted', kind: 'openai', baseUrl: model.baseUrl })
  const [chosen] = engine.providers.list().flatMap(({ models }) => models)
  engine.updateSettings({ defaultModel: chosen?.id ?? '' })
})
afterEach(async () => {
  await engine.close()
  await model.close()
  rmSync(root, { recursive: true, force: true })
})

const newSession = (title: string): string => engine.createSession({ mode: 'all', workspace, title }).id
const at = (name: string): string => join(workspace, name)
const text = (name: string): string => readFileSync(at(name), 'utf8')
const make = async (sessionId: string, name: string, input: object): Promise<boolean> => {
  const { signal } = new AbortController()
  return !(await engine.runner.call(sessionId, name, JSON.stringify(input), { signal })).isError
}

/** Answers every question, and tells of it. */
const answering = (answer: (question: Question) => boolean): Question[] => {
  const asked: Question[] = []
  const open = new Set<string>()
  engine.subscribe((event) => {
    if (event.type !== 'call' || event.call.state.status !== 'awaiting') return
    const { question } = event.call.state
    if (open.has(question.id)) return
    open.add(question.id)
    asked.push(question)
    setImmediate(() => {
      const allowed = answer(question)
      engine.runner.answer(question.id, allowed ? { decision: 'allow', scope: 'once' } : { decision: 'deny' })
    })
  })
  return asked
}

test('an edit of what another session changed since it was read asks, with both differences', async () => {
  writeFileSync(at('plan.md'), 'one\ntwo\n')
  const [first, second] = [newSession('First'), newSession('Second')]
  const asked = answering(() => true)
  const step = ({ body }: ModelRequest): number =>
    body.messages.filter(({ role }: { role: string }) => role === 'tool').length
  const isFirst = ({ body }: ModelRequest): boolean => JSON.stringify(body.messages).includes('Work as the first')
  answers = (request) => {
    if (!isFirst(request))
      return step(request) === 0 ? calls('Write', { path: 'plan.md', content: 'one\nTWO\n' }) : says('Second is done.')
    const steps = [calls('Read', { path: 'plan.md' }), says('Read it.')]
    const later = [calls('Write', { path: 'plan.md', content: 'ONE\ntwo\n' }), says('Wrote it.')]
    return (
      [...steps, ...later][
        JSON.stringify(request.body.messages).includes('Now write') ? step(request) + 1 : step(request)
      ] ?? says('?')
    )
  }
  await engine.runner.sendAndWait(first, 'Work as the first: read it')
  await engine.runner.sendAndWait(second, 'Change it')
  expect(asked).toEqual([])
  await engine.runner.sendAndWait(first, 'Now write it')
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({
    sessionId: first,
    reason: 'the session “Second” changed plan.md after this session last read it',
    diff: [
      { path: 'plan.md', patch: expect.stringContaining('+ONE') },
      { path: 'plan.md (changed by the session “Second”)', patch: expect.stringContaining('-two\n+TWO') },
    ],
  })
  expect(text('plan.md')).toBe('ONE\ntwo\n')
  // What it wrote itself it knows.
  expect(await make(first, 'Write', { path: 'plan.md', content: 'three\n' })).toBe(true)
  expect(asked).toHaveLength(1)
  // A command counts as well, as far as it can be read.
  expect(await make(second, 'Bash', { command: 'echo four > plan.md' })).toBe(true)
  expect(asked).toHaveLength(2)
})

test('a command whose files are known only afterwards is told of, and counts as a change', async () => {
  writeFileSync(at('gen.sh'), 'echo generated >> out.txt\n')
  const [first, second] = [newSession('First'), newSession('Second')]
  const asked = answering(() => true)
  answers = ({ body }) =>
    body.messages.some(({ role }: { role: string }) => role === 'tool')
      ? says('Done.')
      : calls('Bash', { command: 'sleep 0.5; sh gen.sh' })
  // Both work at the same time, and so are told of each other.
  await Promise.all([engine.runner.sendAndWait(first, 'Generate'), engine.runner.sendAndWait(second, 'Generate')])
  await engine.receipts.settled()
  const told = (id: string): string => JSON.stringify(engine.store.messages.page(id, undefined, 50).messages)
  expect(told(first)).toContain('Another session, “Second”, works in this folder at the same time.')
  expect(told(second)).toContain('Another session, “First”, works in this folder at the same time.')
  expect(asked).toEqual([])
})

/** The same numbers in the same order each time. */
const randomFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('1,000 random interleavings of two sessions: no update is lost without a question', {
  timeout: 600_000,
}, async () => {
  const sessions = [newSession('First'), newSession('Second')] as const
  answers = () => says('?')
  let allow = (): boolean => true
  let order = 0
  /** When somebody allowed a change of a file that another session had changed. */
  let allowed: number[] = []
  const asked = answering(() => {
    const yes = allow()
    if (yes) allowed.push(++order)
    return yes
  })
  let written = 0
  let refused = 0
  for (let round = 0; round < Number(process.env.ROUNDS ?? 1_000); round++) {
    const random = randomFrom(round + 1)
    const file = `file-${round}.txt`
    writeFileSync(at(file), 'END\n')
    allowed = []
    allow = () => random(2) === 0
    const tokens: { token: string; session: number; order: number; gone?: true }[] = []
    const known: (string | null)[] = [null, null]
    const touched = [false, false]
    const steps = async (session: number, step: number): Promise<void> => {
      const sessionId = sessions[session] ?? ''
      const token = `token-${session}-${step}-`
      // Blindly only at first: whoever has seen the file throws nothing away on purpose, and so reads it again.
      const wish = random(3)
      const kind = wish === 2 && known[session] === null && touched[session] ? 0 : wish
      touched[session] = true
      if (kind === 0) {
        const before = text(file)
        await make(sessionId, 'Read', { path: file })
        // What it has read is certain only if nothing changed meanwhile.
        known[session] = before === text(file) ? before : null
      } else if (kind === 1) {
        const done = await make(sessionId, 'Edit', { path: file, oldString: 'END', newString: `${token}\nEND` })
        if (done) tokens.push({ token, session, order: ++order })
        else refused++
        known[session] = null
      } else {
        const content = `${(known[session] ?? 'END\n').replace('END', token)}END\n`
        if (!(await make(sessionId, 'Write', { path: file, content }))) return void refused++
        // What a session throws away of its own is its own affair.
        for (const each of tokens) if (each.session === session && !content.includes(each.token)) each.gone = true
        tokens.push({ token, session, order: ++order })
        known[session] = content
      }
    }
    // Steps of one session follow each other; those of two overlap, or do not.
    const busy = [Promise.resolve(), Promise.resolve()]
    for (let step = 0; step < 6; step++) {
      const session = random(2)
      await busy[session]
      busy[session] = steps(session, step)
      if (random(3) > 0) await busy[session]
      else for (let wait = random(30); wait > 0; wait--) await nextTick()
    }
    await Promise.all(busy)
    const end = text(file)
    written += tokens.length
    const lost = tokens.filter((each) => !each.gone && !end.includes(each.token))
    const unasked = lost.filter((each) => !allowed.some((moment) => moment > each.order))
    expect(unasked, `round ${round}: ${end}`).toEqual([])
  }
  // It was about something: updates were made, some met each other, and some were refused.
  expect(written).toBeGreaterThan(1_000)
  expect(asked.length).toBeGreaterThan(100)
  expect(refused).toBeGreaterThan(50)
})
