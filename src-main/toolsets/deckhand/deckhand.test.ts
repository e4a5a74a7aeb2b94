import { afterEach, expect, test } from 'vitest'
import { calls, says, scriptedModel } from '../../../e2e/scripted-model'
import { systemPrompt } from '../../agent/prompt'
import { createBench } from '../../session/test-bench'
import { dispatch } from '../../tools/dispatch'
import { definitionsOf } from '../../tools/tool'
import { createToolset } from '..'

const deps = { table: {} as never, setTodo: () => {} }
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

test('the first request is small, with everything that it says', () => {
  const tools = JSON.stringify(definitionsOf(createToolset('deckhand', deps)))
  const facts = { workspace: '/home/somebody/projects/deckhand', date: 'Mon Nov 16 2026', timeZone: 'Europe/Berlin' }
  const prompt = systemPrompt({ ...facts, shell: '/bin/bash' })
  expect(Buffer.byteLength(tools) + Buffer.byteLength(prompt)).toBeLessThanOrEqual(9_000)
})

test('a rare tool is there from the next request on, once it was asked for or called', async () => {
  const bench = createBench(await scriptedModel())
  closers.push(bench.close)
  const run = bench.start()
  bench.model.push(calls('MoreTools', { names: ['Cron', 'Nodes'] }), calls('SessionsList', {}), says('done'))
  const id = run.newSession()
  run.runner.send(id, 'go', [])
  await run.turnEnd(id)
  const rare = ['Cron', 'Nodes', 'SessionsList', 'Transfer']
  const offered = bench.model.requests.map(({ body }) =>
    body.tools
      .map(({ function: { name } }: { function: { name: string } }) => name)
      .filter((name: string) => rare.includes(name)),
  )
  expect(offered).toEqual([[], ['Cron', 'Nodes'], ['Cron', 'Nodes', 'SessionsList']])

  // Another session begins with the small set again.
  bench.model.push(says('hello'))
  const other = run.newSession()
  run.runner.send(other, 'hi', [])
  await run.turnEnd(other)
  expect(bench.model.requests.at(-1)?.body.tools).toHaveLength(definitionsOf(createToolset('deckhand', deps)).length)
})

test('MoreTools answers with whole definitions, and knows no others', async () => {
  const scope = { sessionId: 's', callId: 'c', workspace: '/', signal: new AbortController().signal }
  const nothing = { subCommands: [], ruleIds: [], offers: [], resources: [], targets: [] }
  const gate = {
    mode: 'safe' as const,
    decide: () => ({ verdict: 'allow' as const, reason: '', ...nothing }),
    ask: () => Promise.reject(),
  }
  const sink = { gist: () => {}, grant: () => {}, state: () => {} }
  const toolset = createToolset('deckhand', deps)
  const ask = (names: unknown) =>
    dispatch({ toolset, name: 'MoreTools', arguments: { names } }, scope, gate, sink, {
      maxResultBytes: 1e6,
      spillDir: '/nowhere',
    })
  const [answer] = (await ask(['Message'])).content
  expect(JSON.parse(answer?.type === 'text' ? answer.text : '')).toMatchObject({
    tools: [{ name: 'Message', parameters: { type: 'object', required: ['text'] } }],
  })
  expect((await ask(['Mesage'])).error).toMatchObject({
    kind: 'NotFound',
    message: expect.stringContaining('Did you mean Message?'),
  })
  expect((await ask(['constructor'])).error).toMatchObject({ kind: 'NotFound' })
})
