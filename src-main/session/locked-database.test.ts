import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, gate, type ScriptedModel, says } from '../../e2e/scripted-model'
import { type Holder, lockDatabase } from '../storage/test-lock'
import { type Bench, type Run, sketches, startBench } from './test-bench'

let bench: Bench<ScriptedModel>
let run: Run
let holder: Holder | null = null
beforeEach(async () => {
  ;({ bench, run } = await startBench())
})
afterEach(async () => {
  await holder?.release()
  holder = null
  await bench.close()
})

const lock = async (): Promise<void> => {
  holder = await lockDatabase(join(bench.folder, 'deckhand.db'))
}
const unlock = async (): Promise<void> => {
  await holder?.release()
  holder = null
}

const waits = () => run.event('waiting', ({ phase }) => phase === 'storage', run.events.length)

/** A session whose answer has begun, and goes on when the database is locked. */
const lockedInAnswer = async (message: string, held: ReturnType<typeof gate>): Promise<string> => {
  const id = run.newSession('all')
  run.runner.send(id, message, [])
  await run.event('delta')
  await lock()
  held.open()
  await waits()
  return id
}

/** The longest time that the event loop was held up. */
const watchLoop = () => {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 10)
  return () => {
    clearInterval(timer)
    return longest
  }
}

test('a database that another program locks while a command runs is waited for, with a word, and nothing is lost', async () => {
  const go = join(bench.folder, 'go')
  bench.model.push(calls('Bash', { command: `until [ -e ${go} ]; do sleep 0.02; done; echo the-result` }))
  bench.model.push(says('It worked.'))
  const id = run.newSession('all')
  run.runner.send(id, 'Run it', [])
  await run.event('call', ({ call }) => call.state.status === 'running' && call.state.display !== undefined)
  await lock()
  writeFileSync(go, '')
  const told = await waits()
  expect(told.reason).toBe('Waiting for the database, which another program has locked…')
  // The command has ended for everybody who looks, and the loop is free while the turn waits.
  const call = run.events.filter((event) => event.type === 'call').at(-1)?.call
  expect(call?.state.status).toBe('done')
  const loopHeldUp = watchLoop()
  await waits()
  await waits()
  expect(loopHeldUp()).toBeLessThan(1000)
  await unlock()
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'done', text: 'It worked.' })
  expect(JSON.stringify(bench.model.requests[1]?.body.messages)).toContain('the-result')
  expect(sketches(run.transcript(id))).toEqual(['user: Run it', 'assistant: [done]', 'assistant: It worked.'])
})

test('locked while the model speaks: its answer is kept, and its call runs once', async () => {
  const file = join(bench.folder, 'count')
  const held = gate()
  bench.model.push([{ text: 'Now. ' }, { gate: held }, ...calls('Bash', { command: `echo x >> ${file}` })])
  bench.model.push(says('Done.'))
  const id = await lockedInAnswer('Run it', held)
  expect(existsSync(file)).toBe(false)
  await unlock()
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'done' })
  expect(sketches(run.transcript(id))).toEqual(['user: Run it', 'assistant: Now.  [done]', 'assistant: Done.'])
  expect(existsSync(file)).toBe(true)
})

test('a turn that waits for the database can be stopped', async () => {
  const held = gate()
  bench.model.push([{ text: 'Now. ' }, { gate: held }, { text: 'Then.' }])
  const id = await lockedInAnswer('Go', held)
  run.runner.stop(id)
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'stopped' })
  await unlock()
  run.store.unsaved.flush()
  expect(sketches(run.transcript(id))).toEqual(['user: Go', 'assistant: Now. Then.'])
})

test('a call by hand waits for the database, too', async () => {
  const id = run.newSession('all')
  await lock()
  const waiting = waits()
  const outcome = run.runner.call(id, 'Bash', '{"command":"echo unlocked"}', { signal: AbortSignal.timeout(60_000) })
  await Promise.race([waiting, outcome])
  await unlock()
  expect(await outcome).toMatchObject({ isError: false, content: [{ text: expect.stringContaining('unlocked') }] })
})
