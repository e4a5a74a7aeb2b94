import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, type ScriptedModel, says, scriptedModel } from '../../e2e/scripted-model'
import { decide } from '../approval/decide'
import { localFileView } from '../approval/paths/file-view'
import { type Bench, createBench } from './test-bench'

let bench: Bench<ScriptedModel>
beforeEach(async () => {
  bench = createBench(await scriptedModel())
})
afterEach(() => bench.close())

/** A run whose calls are judged as those of the app are. */
const start = () => {
  const files = localFileView(bench.folder, process.env.PATH ?? '')
  return bench.start({ decide: (access, policy) => decide(access, policy, files) })
}
const signal = new AbortController().signal
const text = ({ content }: { content: readonly { type: string }[] }): string => JSON.stringify(content)

test('a call of the command line meets the same gate as one of a model: a commit of a secret asks in every mode', async () => {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@t', ...words], { cwd: bench.folder })
  git('init', '-q', '.')
  writeFileSync(join(bench.folder, '.env'), 'KEY=1\n')
  const run = start()
  const id = run.newSession('all')
  const called = run.runner.call(id, 'Bash', JSON.stringify({ command: 'git add .env && git commit -m x' }), { signal })
  const question = await run.question('git add .env && git commit -m x')
  expect(question.reason).toContain('.env')
  run.runner.answer(question.id, { decision: 'deny' })
  expect(await called).toMatchObject({ isError: true, error: { kind: 'PermissionDenied' } })
})

test('a call of the command line is a row of its session, and marks it when it prints untrusted text', async () => {
  const run = start()
  const id = run.newSession('all')
  const outcome = await run.runner.call(id, 'Bash', JSON.stringify({ command: 'echo hi' }), { signal })
  expect(text(outcome)).toContain('hi')
  expect(run.transcript(id).calls).toMatchObject([{ name: 'Bash', gist: 'echo hi', state: { status: 'done' } }])
  expect(run.store.taint.has(id)).toBe(false)
  await run.runner.call(id, 'Bash', JSON.stringify({ command: 'curl -s http://127.0.0.1:9/' }), { signal })
  expect(run.store.taint.has(id)).toBe(true)
})

test('a turn that a schedule began may not do everything, also when its question is answered after a restart', async () => {
  const first = start()
  const id = first.newSession('all')
  const command = `sh -c 'touch ${join(bench.folder, 'made')}'`
  bench.model.push(calls('Bash', { command }), calls('Bash', { command: `${command} #2` }), says('Done.'))
  const origin = { label: 'Scheduled: backup', mayDoAll: false }
  first.runner.sendAndWait(id, 'Go', { origin }).catch(() => {})
  await first.question(command)
  first.crash()

  const second = start()
  const [left] = second.runner.questions()
  second.runner.answer(left?.question.id ?? '', { decision: 'allow', scope: 'once' })
  // The next call of the same turn is still not one that the user began, so it asks as well.
  const next = await second.question(`${command} #2`)
  expect(next.ancestry).toEqual([id, 'Scheduled: backup'])
  second.runner.answer(next.id, { decision: 'deny' })
  await second.turnEnd(id)
  expect(existsSync(join(bench.folder, 'made'))).toBe(true)
})

test('a message of a schedule that waited in the queue over a restart is still not the user’s', async () => {
  const run = start()
  const id = run.newSession('all')
  run.store.queue.add(id, 'Go', [], { label: 'Scheduled: backup', mayDoAll: false })
  bench.model.push(calls('Bash', { command: 'sh -c true' }), says('Done.'), says('Hello.'))
  // What waits goes first, and does not become the user's by what the user says after it.
  run.runner.send(id, 'Hi', [])
  const question = await run.question('sh -c true')
  expect(question.ancestry).toEqual([id, 'Scheduled: backup'])
  run.runner.answer(question.id, { decision: 'deny' })
  await run.turnEnd(id, 2)
})

test('where everything is allowed, it is said once that text from outside makes the network ask again', async () => {
  const run = start()
  const id = run.newSession('all')
  const [first, second] = ['curl -s http://127.0.0.1:9/one', 'curl -s http://127.0.0.1:9/two']
  const bash = (command: string) => calls('Bash', { command })
  bench.model.push(bash(first), bash(second), bash('echo harmless'), says('Done.'))
  run.runner.send(id, 'go', [])
  const question = await run.question(second)
  expect(question.reason).toContain('after text from outside entered the session')
  run.runner.answer(question.id, { decision: 'deny' })
  await run.turnEnd(id)
  const notices = run
    .transcript(id)
    .messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'notice' ? [part.notice.text] : [])))
  expect(notices.filter((text) => text.startsWith('Text from outside has entered this session.'))).toHaveLength(1)
})
