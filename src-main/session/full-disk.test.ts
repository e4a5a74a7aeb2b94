import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, gate, type ScriptedModel, says } from '../../e2e/scripted-model'
import { StorageError } from '../storage/storage-error'
import { type Bench, type Run, sketches, startBench } from './test-bench'

let bench: Bench<ScriptedModel>
let run: Run
beforeEach(async () => {
  ;({ bench, run } = await startBench())
})
afterEach(async () => {
  makeSpace()
  await bench.close()
})

/** SQLite itself refuses to grow the file any more: the error of a full disk, on a real database, without a mount. */
const fillDisk = (): void => {
  const pages = run.database.prepare<{ page_count: number }>('PRAGMA page_count').get()?.page_count
  run.database.prepare(`PRAGMA max_page_count = ${pages}`).get()
}

/** Pages that are there may have room for something small, but not for this. */
const long = `: ${'x'.repeat(20_000)}; `

const makeSpace = (): void => {
  run.database.prepare('PRAGMA max_page_count = 1073741823').get()
}

const full = () => ({
  kind: 'storage',
  message: `The disk that holds ${bench.folder} is full: nothing more could be saved.`,
  hint: 'Free some space, then try again.',
  retryable: true,
})

const lastCall = () => run.events.filter((event) => event.type === 'call').at(-1)?.call

test('a disk that fills up while a command runs: it ends, the turn says why, and Retry goes on with its result', async () => {
  const go = join(bench.folder, 'go')
  const wait = `${long}until [ -e ${go} ]; do sleep 0.02; done; echo the-result; head -c 3000 /dev/zero | tr '\\0' x`
  bench.model.push(calls('Bash', { command: wait }))
  bench.model.push(says('It worked.'))
  const id = run.newSession('all')
  run.runner.send(id, 'Run it', [])
  await run.event('call', ({ call }) => call.state.status === 'running' && call.state.display !== undefined)
  fillDisk()
  writeFileSync(go, '')

  const end = await run.turnEnd(id)
  expect(end).toMatchObject({ reason: 'failed', error: full() })
  expect(lastCall()?.state).toMatchObject({ status: 'done' })
  const shown = run.events.filter((event) => event.type === 'message').at(-1)?.message
  expect(shown?.parts).toEqual([{ type: 'error', error: full() }])
  expect(run.store.unsaved.keys().length).toBeGreaterThan(0)
  expect(run.events.filter((event) => event.type === 'session').at(-1)?.session.status).toBe('idle')

  // Still full: nothing is lost, and the words are the same.
  expect(() => run.runner.retry(id)).toThrow(StorageError)
  expect(() => run.runner.send(id, 'And?', [])).toThrow(full().message)

  makeSpace()
  run.runner.retry(id)
  expect(await run.turnEnd(id, 2)).toMatchObject({ reason: 'done', text: 'It worked.' })
  expect(JSON.stringify(bench.model.requests[1]?.body.messages)).toContain('the-result')
  expect(sketches(run.transcript(id))).toEqual(['user: Run it', 'assistant: [done]', 'assistant: It worked.'])
  expect(run.store.unsaved.keys()).toEqual([])
  const [process] = run.store.processes.load()
  expect(process).toMatchObject({ status: 'exited', exitCode: 0 })
})

test('a disk that is full before a command begins: it is not run', async () => {
  const file = join(bench.folder, 'made')
  const held = gate()
  bench.model.push([{ text: 'Now. ' }, { gate: held }, ...calls('Bash', { command: `${long}touch ${file}` })])
  bench.model.push(says('Done.'))
  const id = run.newSession('all')
  run.runner.send(id, 'Run it', [])
  await run.event('delta')
  fillDisk()
  held.open()
  expect(await run.turnEnd(id)).toMatchObject({ reason: 'failed', error: full() })
  const shown = run.events.filter((event) => event.type === 'message').at(-1)?.message
  expect(shown?.parts).toEqual([
    { type: 'text', text: 'Now. ' },
    { type: 'error', error: full() },
  ])
  expect(existsSync(file)).toBe(false)
})

test('what waits to be saved is saved by itself once there is space', async () => {
  const go = join(bench.folder, 'go')
  bench.model.push(
    calls('Bash', {
      command: `until [ -e ${go} ]; do sleep 0.02; done; printf %s ${'y'.repeat(20_000)}`,
      background: true,
    }),
  )
  bench.model.push(says('Started.'))
  bench.model.push(says('It is over.'))
  const id = run.newSession('all')
  run.runner.send(id, 'Run it', [])
  await run.turnEnd(id)
  fillDisk()
  writeFileSync(go, '')
  await run.event('process', ({ process }) => process.status === 'exited')
  await expect.poll(() => run.store.unsaved.keys()).toContainEqual(expect.stringMatching(/^exit:/))
  makeSpace()
  // Nobody clicks: the end of the process is told, and wakes the agent.
  expect(await run.turnEnd(id, 2)).toMatchObject({ reason: 'done', text: 'It is over.' })
  expect(run.store.processes.load()).toMatchObject([{ status: 'exited' }])
})

test('a disk that is full at the end leaves everything else to be closed', async () => {
  const id = run.newSession('all')
  bench.model.push(calls('Bash', { command: 'sleep 100', background: true }))
  bench.model.push(says('Started.'))
  run.runner.send(id, 'Run it', [])
  await run.turnEnd(id)
  fillDisk()
  await run.runner.close()
  await run.table.close()
  // It ended because the app did.
  expect(run.table.list()).toMatchObject([{ status: 'lost' }])
})
