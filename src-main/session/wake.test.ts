import { afterEach, beforeEach, expect, test } from 'vitest'
import { calls, gate, type ScriptedModel, says } from '../../e2e/scripted-model'
import { type Bench, type Run, sketches, startBench } from './test-bench'

let bench: Bench<ScriptedModel>
let run: Run
beforeEach(async () => {
  ;({ bench, run } = await startBench())
})
afterEach(() => bench.close())

const background = (command: string) => calls('Bash', { command, background: true })
const asked = (request: number) => JSON.stringify(bench.model.requests[request]?.body.messages)

test('a background process that ends wakes an idle agent, once', async () => {
  bench.model.push(background('sleep 1; echo the very end; exit 3'), says('started'), says('it ended'))
  const id = run.newSession('all')
  run.runner.send(id, 'start it', [])
  await run.turnEnd(id, 2)
  expect(sketches(run.transcript(id))).toEqual([
    'user: start it',
    'assistant: [done]',
    'assistant: started',
    'system: (process-exit)',
    'assistant: it ended',
  ])
  const [process] = run.table.list(id)
  expect(asked(2)).toContain(`Background process ${process?.id}`)
  expect(asked(2)).toContain('ended with exit code 3')
  expect(asked(2)).toContain('the very end')
  expect(bench.model.left).toBe(0)
})

test('what the agent watches for wakes it, once', async () => {
  bench.model.push(background('read line; echo compiled; sleep 60'), says('started'))
  const id = run.newSession('all')
  run.runner.send(id, 'start it', [])
  await run.turnEnd(id)
  const [process] = run.table.list(id)
  const sessionId = process?.id ?? ''
  bench.model.push(
    calls('Watch', { sessionId }),
    calls('Watch', { sessionId, port: 80 }),
    calls('Watch', { sessionId, text: 'compiled' }),
    says('watching'),
    says('it compiled'),
  )
  run.runner.send(id, 'tell me when it is compiled', [])
  await run.turnEnd(id, 2)
  expect(asked(3)).toContain('Say what to watch for')
  expect(asked(4)).toContain('only on this machine')
  expect(asked(5)).toContain('watching')
  await run.table.write(sessionId, '\r')
  await run.turnEnd(id, 3)
  expect(sketches(run.transcript(id)).slice(-2)).toEqual(['system: (process-watch)', 'assistant: it compiled'])
  expect(asked(6)).toContain('printed what was watched for: compiled')
  expect(bench.model.left).toBe(0)
})

test('during a turn it is told with the next request, ahead of the queue', async () => {
  const held = gate()
  bench.model.push(background('read line'), [{ text: 'busy' }, { gate: held }], says('noticed'), says('queued'))
  const id = run.newSession('all')
  run.runner.send(id, 'go', [])
  await held.reached
  run.runner.send(id, 'waits', [])
  const [process] = run.table.list(id)
  await run.table.write(process?.id ?? '', 'x\r')
  await run.event('message', ({ message }) => message.role === 'system')
  held.open()
  await run.turnEnd(id, 2)
  expect(sketches(run.transcript(id))).toEqual([
    'user: go',
    'assistant: [done]',
    'assistant: busy',
    'system: (process-exit)',
    'assistant: noticed',
    'user: waits',
    'assistant: queued',
  ])
})

test('a command that the agent waited for does not wake it', async () => {
  bench.model.push(calls('Bash', { command: 'true' }), says('done'))
  const id = run.newSession('all')
  run.runner.send(id, 'go', [])
  await run.turnEnd(id)
  await run.runner.settled(id)
  expect(sketches(run.transcript(id))).toEqual(['user: go', 'assistant: [done]', 'assistant: done'])
})

test('a terminal of the user does not wake it', async () => {
  const id = run.newSession()
  const process = await run.table.start({
    sessionId: id,
    callId: null,
    command: 'true',
    argv: ['true'],
    cwd: bench.folder,
    background: true,
    byUser: true,
  })
  await run.table.wait(process.id)
  expect(run.transcript(id).messages).toEqual([])
  expect(run.store.sessions.get(id).status).toBe('idle')
})

test('what the user typed is noted once, wakes nobody, and is read at the next turn', async () => {
  bench.model.push(background('read first; read second; sleep 983'), says('started'), says('I saw'))
  const id = run.newSession('all')
  run.runner.send(id, 'go', [])
  await run.turnEnd(id)
  const process = run.table.list(id)[0]
  const { port1, port2 } = new MessageChannel()
  run.node.attachPane({ id: process?.id ?? '', logPath: run.table.logPath(process?.id ?? ''), exit: null }, port2)
  port1.postMessage({ type: 'input', data: 'hello\r' })
  await run.event('message', ({ message }) => JSON.stringify(message.parts).includes('hello'))
  port1.postMessage({ type: 'input', data: 'again\r' })
  await run.event('message', ({ message }) => JSON.stringify(message.parts).includes('again'))
  port1.close()
  expect(run.store.sessions.get(id).status).toBe('idle')
  expect(bench.model.left).toBe(1)
  run.runner.send(id, 'well?', [])
  await run.turnEnd(id, 2)
  expect(sketches(run.transcript(id))).toEqual([
    'user: go',
    'assistant: [done]',
    'assistant: started',
    'system: (user-typed)',
    'user: well?',
    'assistant: I saw',
  ])
  expect(asked(2)).toMatch(/The user typed into process .*hello.*again/)
})

test("an exit in the moment of closing is nobody's trouble", async () => {
  bench.model.push(background('read line'), says('started'))
  const id = run.newSession('all')
  run.runner.send(id, 'start it', [])
  await run.turnEnd(id)
  const closed = new Promise<void>((resolve) => run.table.onExit(() => resolve(run.close())))
  const [process] = run.table.list(id)
  await run.table.write(process?.id ?? '', '\n')
  await closed
  // The end of its output was asked for before, and is known by the time that this is.
  await run.table.tail(process?.id ?? '', 1500)
  expect(run.errors).toEqual([])
})
