import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { calls, type ScriptedModel, says } from '../../e2e/scripted-model'
import type { Question } from '../../src-preload/contract/approval'
import type { QuestionForm } from '../../src-preload/contract/form'
import { decide } from '../approval/decide'
import { localFileView } from '../approval/paths/file-view'
import { backtestOffer } from '../approval/rules/past'
import type { Tool } from '../tools/tool'
import { type Bench, type Run, sketches, startBench } from './test-bench'

let bench: Bench<ScriptedModel>
let run: Run
beforeEach(async () => {
  ;({ bench, run } = await startBench())
})
afterEach(() => bench.close())

const append = (name: string) => `echo x >> ${bench.file(name)}`
const lines = (name: string) =>
  existsSync(bench.file(name)) ? readFileSync(bench.file(name), 'utf8').split('\n').length - 1 : 0
const lastToolResult = () =>
  JSON.stringify(bench.model.requests.at(-1)?.body.messages.findLast((each: { role: string }) => each.role === 'tool'))

test('a call waits for an answer, runs once when allowed, and takes one answer only', async () => {
  bench.model.push(calls('Bash', { command: append('out') }), says('done'))
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  const question = await run.question()
  expect(question).toMatchObject({ kind: 'command', command: append('out'), sessionId: id, ancestry: [id] })
  expect(run.store.sessions.get(id)).toMatchObject({ status: 'waiting', waiting: 1 })
  expect(run.runner.questions()).toMatchObject([{ question, session: { id } }])
  expect(lines('out')).toBe(0)

  expect(() => run.runner.answer('q_unknown', { decision: 'deny' })).toThrow('There is no such question.')
  expect(() => run.runner.answer(question.id, { decision: 'reply', text: 'x' })).toThrow('Allow or deny')
  expect(() => run.runner.answer(question.id, { decision: 'allow', scope: 'rule', offer: 9 })).toThrow('not offered')
  run.runner.answer(question.id, { decision: 'allow', scope: 'once' })
  expect(() => run.runner.answer(question.id, { decision: 'allow', scope: 'once' })).toThrow('answered already')
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'done', text: 'done' })
  expect(lines('out')).toBe(1)
  expect(run.transcript(id).calls).toMatchObject([{ grant: { by: 'user', scope: 'once', edited: false } }])
  expect(run.store.sessions.get(id)).toMatchObject({ status: 'idle', waiting: 0 })
})

test('a denial with a note goes to the model in the same words for ever', async () => {
  bench.model.push(calls('Bash', { command: append('out') }), says('sorry'), says('again'))
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  run.runner.answer((await run.question()).id, { decision: 'deny', note: 'use the other disk' })
  await run.turnEnd(id)
  expect(sketches(run.transcript(id))).toEqual(['user: go', 'assistant: [denied]', 'assistant: sorry'])
  const told = lastToolResult()
  expect(told).toContain('use the other disk')
  run.runner.send(id, 'and now?', [])
  await run.turnEnd(id, 2)
  expect(lastToolResult()).toBe(told)
  expect(lines('out')).toBe(0)
})

test('an edited command is what runs, and the model is told', async () => {
  bench.model.push(calls('Bash', { command: append('out') }), says('ok'))
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  run.runner.answer((await run.question()).id, { decision: 'allow-edited', command: append('other') })
  await run.turnEnd(id)
  expect([lines('out'), lines('other')]).toEqual([0, 1])
  expect(lastToolResult()).toContain('edited')
  expect(run.transcript(id).calls).toMatchObject([{ gist: append('other'), grant: { edited: true } }])
})

test('allow for the session holds at once, also for a question that waits in the same session, and is counted', async () => {
  bench.model.push(
    calls('Bash', { command: 'echo first' }),
    calls('Bash', { command: 'echo second' }),
    says('done'),
    calls('Bash', { command: 'echo elsewhere' }),
    says('other'),
  )
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  run.runner.answer((await run.question('echo first')).id, { decision: 'allow', scope: 'session' })
  await run.turnEnd(id)
  const [rule] = run.store.rules.list()
  expect(rule).toMatchObject({ scope: 'session', subject: id, verdict: 'allow', action: 'exec', useCount: 1 })
  expect(run.transcript(id).calls[1]).toMatchObject({ grant: { by: 'rule', ruleId: rule?.id } })
  const other = run.newSession()
  run.runner.send(other, 'go', [])
  run.runner.answer((await run.question('echo elsewhere')).id, { decision: 'deny' })
  await run.turnEnd(other)
  expect(run.runner.revokeRule(rule?.id ?? '')).toEqual([])
})

test('a new rule and a new mode settle what waits elsewhere', async () => {
  bench.model.push(calls('Bash', { command: 'echo a' }))
  const [a, b, c] = [run.newSession(), run.newSession(), run.newSession()]
  run.runner.send(a, 'go', [])
  const first = await run.question('echo a')
  bench.model.push(calls('Bash', { command: 'echo b' }))
  run.runner.send(b, 'go', [])
  await run.question('echo b')
  bench.model.push(calls('Bash', { command: 'true c' }))
  run.runner.send(c, 'go', [])
  await run.question('true c')
  bench.model.push(says('1'), says('2'), says('3'))

  run.runner.answer(first.id, { decision: 'allow', scope: 'rule', offer: 1 })
  await Promise.all([run.turnEnd(a), run.turnEnd(b)])
  expect(run.transcript(b).calls).toMatchObject([{ state: { status: 'done' }, grant: { by: 'rule' } }])
  expect(run.runner.questions().map(({ session }) => session.id)).toEqual([c])
  run.runner.updateSession(c, { mode: 'all' })
  await run.turnEnd(c)
  expect(run.transcript(c).calls).toMatchObject([{ state: { status: 'done' }, grant: { by: 'mode', mode: 'all' } }])
})

test('stop settles a question as aborted', async () => {
  bench.model.push(calls('Bash', { command: append('out') }))
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  const question = await run.question()
  run.runner.stop(id)
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'stopped' })
  expect(sketches(run.transcript(id))).toEqual(['user: go', 'assistant: [aborted]'])
  expect(() => run.runner.answer(question.id, { decision: 'allow', scope: 'once' })).toThrow('answered already')
  expect(run.runner.questions()).toEqual([])
})

const askTool: Tool<{ question: string }> = {
  description: 'Ask',
  schema: { type: 'object' },
  parse: (raw) => z.object({ question: z.string() }).parse(raw),
  access: (_, { workspace }) => ({ action: 'read', node: 'local', cwd: workspace, workspace }),
  gist: ({ question }) => question,
  readOnly: true,
  run: async ({ question }, context) => ({
    content: [{ type: 'text', text: `They said ${await context.askUser?.(question, ['red', 'blue'])}` }],
  }),
}

test('a question of the model is answered in words, also after a restart', async () => {
  const tools = new Map([['AskUser', askTool as Tool]])
  const first = bench.start({ tools })
  bench.model.push(calls('AskUser', { question: 'Which colour?' }))
  const id = first.newSession()
  first.runner.send(id, 'paint', [])
  const question = await first.question()
  expect(question).toMatchObject({ kind: 'ask-user', title: 'Which colour?', choices: ['red', 'blue'] })
  first.crash()

  const second = bench.start({ tools })
  bench.model.push(says('red it is'))
  expect(() => second.runner.answer(question.id, { decision: 'allow', scope: 'once' })).toThrow('in words')
  second.runner.answer(question.id, { decision: 'reply', text: 'red' })
  expect(await second.turnEnd(id)).toMatchObject({ reason: 'done', text: 'red it is' })
  expect(lastToolResult()).toContain('They said red')
})

const formTool: Tool = {
  description: 'Asks by a form',
  schema: { type: 'object' },
  parse: (raw) => raw,
  access: (_, { workspace }) => ({ action: 'read', node: 'local', cwd: workspace, workspace }),
  gist: () => '',
  readOnly: true,
  run: async (_, { askForm, signal }) => {
    const form: QuestionForm = {
      asker: 'notes',
      fields: [{ name: 'n', label: 'Count', required: true, kind: 'number', whole: true }],
    }
    return {
      content: [{ type: 'text', text: `They said ${JSON.stringify(await askForm?.('How many?', form, signal))}` }],
    }
  },
}

test.each([
  ['sent', { decision: 'reply', text: '{"n":3}' }, '{"n":3}'],
  ['refused', { decision: 'deny' }, 'false'],
  ['put aside', { decision: 'deny', unanswered: true }, 'null'],
] as const)('a form is %s, and only with answers that fit', async (_, answer, told) => {
  const forms = bench.start({ tools: new Map([['Form', formTool]]) })
  bench.model.push(calls('Form', {}), says('well'))
  const id = forms.newSession()
  forms.runner.send(id, 'ask', [])
  const question = await forms.question()
  expect(question).toMatchObject({ kind: 'ask-user', title: 'How many?', form: { asker: 'notes' } })
  expect(question.reason).toContain('The MCP server notes asks')
  const reply = (text: string) => () => forms.runner.answer(question.id, { decision: 'reply', text })
  expect(reply('three')).toThrow('cannot be read')
  expect(reply('{}')).toThrow('Count: An answer is needed.')
  expect(reply('{"n":1.5}')).toThrow('Count: A whole number is wanted.')
  expect(reply('{"n":1,"more":2}')).toThrow('more: Nobody asked for this.')
  forms.runner.answer(question.id, answer)
  expect(await forms.turnEnd(id)).toMatchObject({ reason: 'done', text: 'well' })
  expect(lastToolResult()).toContain(JSON.stringify(`They said ${told}`).slice(1, -1))
})

test('a loop that repeats itself is pointed out, then paused with a question', async () => {
  writeFileSync(bench.file('same'), 'same\n')
  const read = () => calls('Read', { path: bench.file('same') })
  bench.model.push(...Array.from({ length: 5 }, read), says('enough'))
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  const question = await run.question()
  expect(question.kind).toBe('loop')
  expect(JSON.stringify(run.transcript(id).calls[2]?.state)).toContain('third time')
  run.runner.answer(question.id, { decision: 'allow', scope: 'once' })
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'done', text: 'enough' })
  expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).not.toContain('Pause')

  bench.model.push(...Array.from({ length: 5 }, read))
  const asked = run.events.length
  run.runner.send(id, 'once more', [])
  const { call } = await run.event('call', ({ call: each }) => each.state.status === 'awaiting', asked)
  if (call.state.status === 'awaiting') run.runner.answer(call.state.question.id, { decision: 'deny' })
  expect(await run.turnEnd(id, 2)).toMatchObject({ reason: 'stopped' })
})

test('with the real gate: what is safe runs, what is not asks, and the rule that was shown holds', async () => {
  const files = localFileView(bench.folder, process.env.PATH ?? '')
  const real = bench.start({ decide: (access, policy) => decide(access, policy, files) })
  bench.model.push(
    calls('Bash', { command: 'ls' }),
    calls('Bash', { command: 'touch made' }),
    calls('Bash', { command: 'touch made' }),
    says('done'),
  )
  const id = real.newSession()
  real.runner.send(id, 'go', [])
  const question = await real.question('touch made')
  expect(question.subCommands).toMatchObject([{ text: 'touch made', verdict: 'ask' }])
  real.runner.answer(question.id, { decision: 'allow', scope: 'session' })
  expect(await real.turnEnd(id)).toMatchObject({ reason: 'done' })
  expect(real.transcript(id).calls.map(({ grant }) => grant?.by)).toEqual(['mode', 'user', 'rule'])
})

test('with the real gate: the word is checked here, an edited command that is dangerous asks for it again', async () => {
  const files = localFileView(bench.folder, process.env.PATH ?? '')
  const real = bench.start({ decide: (access, policy) => decide(access, policy, files) })
  bench.model.push(calls('Bash', { command: 'rm -rf .git' }), calls('Bash', { command: 'touch a' }), says('done'))
  const id = real.newSession()
  real.runner.send(id, 'go', [])
  const danger = await real.question('rm -rf .git')
  const word = danger.typedWord ?? ''
  const once = { decision: 'allow', scope: 'once' } as const
  expect(word).not.toBe('')
  expect(() => real.runner.answer(danger.id, once)).toThrow(`Type “${word}” to allow`)
  expect(() => real.runner.answer(danger.id, { ...once, typed: 'yes' })).toThrow('to allow this')
  // Editing is no way around the word: what is still dangerous asks for it again.
  real.runner.answer(danger.id, { decision: 'allow-edited', command: 'rm -rf .git ' })
  const same = await nextQuestion(real, danger.id)
  expect(() => real.runner.answer(same.id, once)).toThrow('to allow this')
  real.runner.answer(same.id, { ...once, typed: ` ${word.toUpperCase()} ` })

  const harmless = await real.question('touch a')
  real.runner.answer(harmless.id, { decision: 'allow-edited', command: 'rm -rf .git' })
  const again = await nextQuestion(real, harmless.id)
  expect(again.command).toBe('rm -rf .git')
  expect(() => real.runner.answer(again.id, once)).toThrow('to allow this')
  real.runner.answer(again.id, { decision: 'deny' })
  expect(await real.turnEnd(id)).toMatchObject({ reason: 'done' })
  expect(real.transcript(id).calls.map(({ state }) => state.status)).toEqual(['done', 'denied'])
})

test('a rule on offer is held against past answers, and may be kept for a while', async () => {
  const files = localFileView(bench.folder, process.env.PATH ?? '')
  const real = bench.start({
    decide: (access, policy) => decide(access, policy, files),
    backtest: (offer, access, policy, past) => backtestOffer(offer, access, policy, files, past),
  })
  const touch = calls('Bash', { command: 'touch a' })
  bench.model.push(touch, touch, calls('Bash', { command: 'touch b' }), touch, says('done'))
  const id = real.newSession()
  real.runner.send(id, 'go', [])
  const first = await real.question('touch a')
  expect(first.offers[1]).not.toHaveProperty('past')
  real.runner.answer(first.id, { decision: 'allow', scope: 'once' })
  const second = await nextQuestion(real, first.id)
  expect(second.offers[1]?.past).toEqual({ total: 1, matched: 1, refused: 0 })
  real.runner.answer(second.id, { decision: 'deny' })
  const third = await nextQuestion(real, second.id)
  real.runner.answer(third.id, { decision: 'allow', scope: 'once' })
  const fourth = await nextQuestion(real, third.id)
  expect(fourth.offers[1]?.past).toEqual({ total: 3, matched: 2, refused: 1 })
  real.runner.answer(fourth.id, { decision: 'allow', scope: 'rule', offer: 1, days: 7 })
  expect(await real.turnEnd(id)).toMatchObject({ reason: 'done' })
  const [rule] = real.store.rules.list()
  expect((rule?.expiresAt ?? 0) - (rule?.createdAt ?? 0)).toBeGreaterThan(6 * 86_400_000)
})

const nextQuestion = async (run: Run, after: string): Promise<Question> => {
  const found = () => run.runner.questions().find(({ question }) => question.id !== after)?.question
  await expect.poll(found, { timeout: 20_000 }).toBeDefined()
  return found() as Question
}

test('after a stranger has spoken the gate is told', async () => {
  const tainted: (boolean | undefined)[] = []
  const real = bench.start({
    decide: (access, policy) => {
      tainted.push(access.tainted)
      return decide(access, policy, localFileView(bench.folder, process.env.PATH ?? ''))
    },
  })
  bench.model.push(calls('Bash', { command: 'ls' }), says('one'), calls('Bash', { command: 'ls' }), says('two'))
  const id = real.newSession()
  real.runner.send(id, 'go', [])
  await real.turnEnd(id)
  real.store.taint.add(id)
  real.runner.send(id, 'again', [])
  await real.turnEnd(id, 2)
  expect(tainted).toEqual([undefined, true])
})

test('what a command fetched counts as the words of strangers, once it has run', async () => {
  const real = bench.start({
    decide: (access, policy) => decide(access, policy, localFileView(bench.folder, process.env.PATH ?? '')),
  })
  const refused = 'curl --silent http://127.0.0.1:1/refused'
  const fetched = 'curl --silent http://127.0.0.1:1/fetched'
  bench.model.push(
    calls('Bash', { command: refused }),
    says('denied'),
    calls('Bash', { command: fetched }),
    says('fetched'),
  )
  const id = real.newSession()
  real.runner.send(id, 'go', [])
  const first = await real.question(refused)
  real.runner.answer(first.id, { decision: 'deny' })
  await real.turnEnd(id)
  expect(real.store.taint.has(id)).toBe(false)
  real.runner.send(id, 'again', [])
  const second = await real.question(fetched)
  real.runner.answer(second.id, { decision: 'allow', scope: 'once' })
  await real.turnEnd(id, 2)
  expect(real.store.taint.has(id)).toBe(true)
})
