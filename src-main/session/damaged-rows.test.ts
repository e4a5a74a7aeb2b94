import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, type ScriptedModel, says } from '../../e2e/scripted-model'
import { type Bench, type Run, sketches, startBench } from './test-bench'

let bench: Bench<ScriptedModel>
let run: Run
beforeEach(async () => {
  ;({ bench, run } = await startBench())
})
afterEach(() => bench.close())

const damaged = { type: 'notice', notice: { kind: 'damaged', text: 'This message is damaged and cannot be shown.' } }

/** What a flipped byte makes of the JSON in a column. */
const flip = (table: string, column: string, where: string, from: string, to: string): void => {
  const changed = run.database
    .prepare(`UPDATE ${table} SET "${column}" = replace("${column}", ?, ?) WHERE ${where}`)
    .run(from, to)
  expect(changed).toBe(1)
}

test('damage inside a message is shown where it is, and the session goes on', async () => {
  bench.model.push(calls('Bash', { command: 'echo one' }))
  bench.model.push(says('First.'))
  bench.model.push(says('Second.'))
  bench.model.push(says('Third.'))
  const id = run.newSession('all')
  for (const [count, text] of ['a', 'b'].entries()) {
    run.runner.send(id, text, [])
    await run.turnEnd(id, count + 1)
  }
  flip('messages', 'parts', 'seq = 0', '[', '{')
  flip('messages', 'parts', 'seq = 2', '"type":"text"', '"type":"tezt"')
  flip('calls', 'state', "name = 'Bash'", '"status"', '"stat\x01s')
  run.database.prepare("UPDATE messages SET usage = 'x' WHERE seq = 4").run()

  const { messages, calls: rows } = run.transcript(id)
  expect(messages.map(({ parts }) => parts[0])).toEqual([
    damaged,
    { type: 'call', callId: rows[0]?.id },
    damaged,
    { type: 'text', text: 'b' },
    { type: 'text', text: 'Second.' },
  ])
  expect(rows[0]?.state).toEqual({
    status: 'aborted',
    message: 'The result of this call is damaged and cannot be shown.',
  })
  run.runner.send(id, 'c', [])
  expect(await run.turnEnd(id, 3)).toMatchObject({ reason: 'done', text: 'Third.' })
  expect(run.errors).toEqual([])
})

test('a damaged question holds nothing up after a restart', async () => {
  bench.model.push(calls('Bash', { command: 'touch x' }))
  bench.model.push(says('Well.'))
  const id = run.newSession()
  run.runner.send(id, 'Go', [])
  await run.question()
  run.database.prepare("UPDATE calls SET state = 'garbage'").run()
  run.crash()
  run = bench.start()
  expect(run.store.sessions.get(id)).toMatchObject({ status: 'interrupted', waiting: 0 })
  run.runner.send(id, 'Again', [])
  await run.turnEnd(id)
  expect(sketches(run.transcript(id)).at(-1)).toBe('assistant: Well.')
})

test('rows that cannot be read are passed over', () => {
  const id = run.newSession()
  run.store.rules.add({
    scope: 'everywhere',
    subject: '',
    verdict: 'allow',
    action: 'exec',
    match: { kind: 'prefix', argv: ['ls'] },
    sentence: 'Run ls',
  })
  run.database.prepare("UPDATE rules SET match = 'x'").run()
  run.database.prepare("UPDATE sessions SET todo = 'x'").run()
  run.database.prepare("INSERT INTO processes VALUES ('p', ?, 'exited', 1, '{', NULL)").run(id)
  run.crash()
  run = bench.start()
  expect([run.store.rules.list(), run.store.sessions.todo(id), run.store.processes.load()]).toEqual([[], [], []])
})
