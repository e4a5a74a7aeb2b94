import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { usualBounds } from '../sandbox/hold'
import { probeBubblewrap } from '../sandbox/probe'
import { openHostedBench, scriptedAgent } from './hosted-bench'

/** A whole agent in the sandbox, as it is for the agents that are known. */

const found = await probeBubblewrap(process.env.PATH ?? '', usualBounds())
const works = 'works' in found
if (works) found.works.hold.close()

let bench: Awaited<ReturnType<typeof openHostedBench>>
let run: Awaited<ReturnType<(typeof bench)['start']>>
let home = ''
const servers: Server[] = []

const serve = async (words: string): Promise<number> => {
  const server = createServer((_, response) => response.end(words))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

let [model, other] = [0, 0]

beforeAll(async () => {
  bench = await openHostedBench({})
  home = join(bench.folder, 'home')
  mkdirSync(join(home, '.qwen'), { recursive: true })
  writeFileSync(join(home, '.qwen/settings.json'), '{"seen": "configuration"}')
  writeFileSync(join(home, 'private.txt'), 'private')
  ;[model, other] = [await serve('from the model'), await serve('from elsewhere')]
  // The name of a known agent says what it keeps; the variable, where its model is.
  const { command, args } = scriptedAgent()
  const qwen = {
    command: '/usr/bin/env',
    args: ['ELECTRON_RUN_AS_NODE=1', command, ...args],
    env: { HOME: home, OPENAI_BASE_URL: `http://127.0.0.1:${model}/v1` },
  }
  const settings = { agent_servers: { qwen, unknown: scriptedAgent() } }
  writeFileSync(join(bench.dataDir, 'settings.json'), JSON.stringify(settings))
  run = await bench.start()
})
afterAll(async () => {
  for (const server of servers) server.close()
  await bench.close()
})

const said = (id: string): string => run.sketch(id).slice(1).join('\n')

test.runIf(works)(
  'it writes the workspace and what it keeps, reads its configuration, and reaches its model alone',
  async () => {
    const id = run.session('ask', 'qwen')
    const inside = join(bench.workspace, 'inside.txt')
    const login = join(home, '.qwen/oauth_creds.json')
    await run.turn(id, [
      { attempt: { write: inside } },
      { attempt: { write: login } },
      { attempt: { write: join(home, '.qwen/settings.json') } },
      { attempt: { read: join(home, '.qwen/settings.json') } },
      { attempt: { write: join(home, '.bashrc') } },
      { attempt: { read: join(bench.dataDir, 'settings.json') } },
      { attempt: { get: `http://127.0.0.1:${model}/` } },
      { attempt: { get: `http://127.0.0.1:${other}/` } },
    ])
    const words = said(id)
    expect(words).toContain(`[wrote ${inside}]`)
    expect(words).toContain(`[wrote ${login}]`)
    expect(words).toMatch(/\[failed EROFS .*settings\.json\]/)
    expect(words).toContain('configuration')
    expect(words).toMatch(/\[failed \w+ .*\.bashrc\]/)
    expect(words).toMatch(/\[failed ENOENT .*data\/settings\.json\]/)
    expect(words).toContain('from the model')
    expect(words).not.toContain('from elsewhere')
    expect(existsSync(join(home, '.bashrc'))).toBe(false)
    expect(readFileSync(login, 'utf8')).toBe('written')
    expect(run.engine.hosts.info(id)).toMatchObject({ caged: true, cage: { can: true, note: '' } })
  },
)

test.runIf(works)('a host that was refused is told, and can be allowed while the agent runs', async () => {
  const id = run.session('ask', 'qwen')
  await run.turn(id, [{ attempt: { get: 'http://not-its-model.invalid/' } }])
  expect(run.engine.hosts.info(id)?.cage?.refused).toEqual(['not-its-model.invalid'])
  expect(said(id)).toContain('[failed ')
  run.engine.hosts.allowHost('qwen', 'not-its-model.invalid')
  expect(run.engine.hosts.info(id)?.cage).toMatchObject({
    hosts: expect.arrayContaining(['not-its-model.invalid']),
    refused: [],
  })
})

test.runIf(works)('our tools are reached from inside, and what they run is asked about', async () => {
  const id = run.session('ask', 'qwen')
  const { question, ended } = await run.asking(id, [
    { tool: { name: 'Bash', command: 'echo from-inside > by-tool.txt' } },
  ])
  run.engine.runner.answer(question.id, { decision: 'allow', scope: 'once' })
  await ended
  expect(readFileSync(join(bench.workspace, 'by-tool.txt'), 'utf8')).toBe('from-inside\n')
})

test.runIf(works)('it is turned off for an agent, and what is allowed besides is kept', async () => {
  const id = run.session('ask', 'qwen')
  await run.engine.hosts.setCage('qwen', false)
  await run.turn(id, [{ attempt: { read: join(home, 'private.txt') } }])
  expect(said(id)).toContain('private')
  expect(run.engine.hosts.info(id)).toMatchObject({
    caged: false,
    cage: { can: true, note: 'You turned the sandbox off for this agent.' },
  })
  await run.engine.hosts.setCage('qwen', true)
  run.engine.hosts.allowHost('qwen', 'proxy.example.com')
  const again = run.session('ask', 'qwen')
  await run.turn(again, [{ say: 'here' }])
  expect(run.engine.hosts.info(again)).toMatchObject({
    caged: true,
    cage: { hosts: expect.arrayContaining(['dashscope.aliyuncs.com', 'proxy.example.com']) },
  })
})

test('an agent of which nothing is known runs outside, and that is said', async () => {
  const id = run.session('ask', 'unknown')
  await run.turn(id, [{ say: 'here' }])
  expect(run.engine.hosts.info(id)).toMatchObject({ caged: false, cage: { note: expect.stringMatching(/./) } })
})
