import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { promptArguments, promptHint } from './prompts'
import { everything, type McpBench, nodeServer, openMcpBench, tinyServer, until } from './test-bench'

const require = createRequire(import.meta.url)
/** The reference server of spring 2025. */
const older = require.resolve('server-everything-2025/dist/index.js')
const modern = join(import.meta.dirname, 'test-modern-server.mjs')

const benches: McpBench[] = []
const open = async (servers: Record<string, unknown>): Promise<McpBench> => {
  const bench = openMcpBench({ mcpServers: servers })
  benches.push(bench)
  await bench.mcp.start()
  return bench
}
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close()
})
const soon = () => AbortSignal.timeout(20_000)
const promptOf = (bench: McpBench, command: string) => {
  const found = bench.mcp.prompts('').find(({ prompt }) => prompt.command === command)
  if (!found) throw new Error(`There is no /${command}`)
  return found
}

it('speaks the latest revision that a server knows', async () => {
  const bench = await open({
    modern: nodeServer(modern),
    current: nodeServer(everything, 'stdio'),
    older: nodeServer(older),
  })
  expect(bench.mcp.view().map(({ id, state, protocol }) => ({ id, state, protocol }))).toEqual([
    { id: 'modern', state: 'ready', protocol: '2026-07-28' },
    { id: 'current', state: 'ready', protocol: '2025-11-25' },
    { id: 'older', state: 'ready', protocol: '2024-11-05' },
  ])

  const weather = promptOf(bench, 'modern:weather')
  expect(promptHint(weather.prompt)).toBe('<place> [year]')
  expect(await weather.get({ place: 'Lund' }, soon())).toEqual({
    text: 'What is the weather in Lund, now?',
    attachments: [],
  })
  const city = promptOf(bench, 'current:args-prompt')
  expect((await city.get(promptArguments(city.prompt, 'Lund'), soon())).text).toContain('Lund')
  expect((await promptOf(bench, 'older:simple_prompt').get({}, soon())).text).toContain('simple prompt')
  // A prompt with an image carries it as an attachment.
  const complex = await promptOf(bench, 'older:complex_prompt').get({ temperature: '0.5' }, soon())
  expect(complex.attachments.map(({ mimeType }) => mimeType)).toEqual(['image/png'])

  const resources = await bench.mcp.resources('', soon())
  expect(resources.find(({ server }) => server === 'modern')).toEqual({
    server: 'modern',
    uri: 'notes://today',
    name: 'notes',
    description: 'Notes of today',
    mimeType: 'text/plain',
  })
  expect(await bench.mcp.readResource('modern', 'notes://today', soon())).toEqual([
    { name: 'notes://today', mimeType: 'text/plain', data: 'Buy bread.' },
  ])
  for (const id of ['current', 'older']) {
    const first = resources.find(({ server }) => server === id)
    expect((await bench.mcp.readResource(id, first?.uri ?? '', soon()))[0]?.data).toBeTruthy()
  }
}, 60_000)

it('shows progress, and sends a cancellation when a call is stopped', async () => {
  const bench = await open({ modern: nodeServer(modern), stuck: nodeServer(modern, 'hangs') })
  const progress: string[] = []
  const options = { folder: bench.folder, onProgress: (text: string) => void progress.push(text) }
  const quick = await bench.mcp
    .tools()
    .get('modern__slow')
    ?.call({}, { ...options, signal: soon() })
  expect(quick).toMatchObject({ content: [{ text: 'slow but done' }] })
  progress.length = 0
  const stopped = new AbortController()
  const running = bench.mcp
    .tools()
    .get('stuck__slow')
    ?.call({}, { ...options, signal: stopped.signal })
  const said = () => bench.lines('stuck').map(({ text }) => text)
  await until(() => progress.length === 3)
  expect(progress).toEqual(['1 of 3: part 1', '2 of 3: part 2', '3 of 3: part 3'])
  stopped.abort()
  await expect(running).rejects.toThrow()
  await until(() => said().includes('cancelled'))
})

it('talks to a server that ends when it is asked for its revision', async () => {
  const bench = openMcpBench()
  benches.push(bench)
  const path = tinyServer(bench.folder, [{ name: 'note', inputSchema: { type: 'object', properties: {} } }], 'refuses')
  bench.mcp.save({ id: 'old', config: nodeServer(path) })
  await until(() => bench.mcp.view()[0]?.state === 'ready')
  expect(bench.mcp.view()).toMatchObject([{ state: 'ready', restarts: 0, protocol: '2025-11-25' }])
})

it('reads the arguments of a prompt as they are typed', () => {
  const prompt = {
    name: 'trip',
    command: 'go:trip',
    description: '',
    arguments: [
      { name: 'from', required: true },
      { name: 'to', required: false },
    ],
  }
  expect(promptArguments(prompt, 'Lund')).toEqual({ from: 'Lund' })
  expect(promptArguments(prompt, 'Lund New York City')).toEqual({ from: 'Lund', to: 'New York City' })
  expect(promptArguments(prompt, '"New York" \'San José\'')).toEqual({ from: 'New York', to: 'San José' })
  expect(promptArguments(prompt, 'to="New York" Lund')).toEqual({ to: 'New York', from: 'Lund' })
  expect(() => promptArguments(prompt, '')).toThrow('/go:trip needs from. Type: /go:trip <from> [to]')
  expect(() => promptArguments({ ...prompt, arguments: [] }, 'x')).toThrow('takes no more than: nothing')
})
