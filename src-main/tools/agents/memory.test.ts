import { afterEach, expect, test } from 'vitest'
import type { Embedder } from '../../memory/embedder'
import { createMemoryBench, unfinishedEmbedder } from '../../memory/test-bench'
import { testContext } from '../test-context'
import { createMemoryTool } from './memory'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const context = testContext('/')

function open(embedder?: Embedder) {
  const bench = createMemoryBench({ ...(embedder && { embedder }) })
  closers.push(() => bench.close())
  const tool = createMemoryTool({ memory: bench.memory, agentOf: () => 'main' })
  const run = async (raw: object) => {
    const { content, display } = await tool.run(tool.parse(raw), context)
    return { value: JSON.parse(content[0]?.type === 'text' ? content[0].text : ''), display }
  }
  return { ...bench, tool, run }
}

test('what was written is found again, shown with its place, and read by its lines', async () => {
  const { run, settled } = open()
  const note = { action: 'write', content: 'The spare key lies under the blue flower pot.' }
  expect((await run(note)).value).toEqual({ path: 'memory/2026-11-16.md', startLine: 1, endLine: 1, written: true })
  await settled()
  const { value, display } = await run({ action: 'search', query: 'How do I get into the house?', minScore: 0.2 })
  expect(value.results).toMatchObject([
    { path: 'memory/2026-11-16.md', startLine: 1, endLine: 1, score: expect.any(Number) },
  ])
  expect(display).toMatchObject({ type: 'matches', total: 1, rows: [{ path: 'memory/2026-11-16.md', line: 1 }] })
  expect(await run({ action: 'get', path: 'memory/2026-11-16.md', from: 1, lines: 1 })).toMatchObject({
    value: { text: 'The spare key lies under the blue flower pot.', totalLines: 1 },
    display: { type: 'file', startLine: 1, lines: 1 },
  })
})

test('looking is a read, and writing is a change that can be seen before it is made', async () => {
  const { tool, files } = open()
  await files.write('main', 'MEMORY.md', 'old\n')
  const write = tool.parse({ action: 'write', path: 'MEMORY.md', content: 'new' })
  const look = tool.parse({ action: 'search', query: 'x' })
  expect(await tool.access(look, context)).toMatchObject({ action: 'read', toolKey: 'agent.read' })
  expect(await tool.access(write, context)).toMatchObject({ action: 'write', toolKey: 'agent.write' })
  expect(await tool.preview?.(write, context)).toMatchObject([
    { path: 'MEMORY.md', kind: 'update', added: 2, removed: 0 },
  ])
  expect((await files.read('main', 'MEMORY.md')).content).toBe('old\n')
})

test('each action says what it needs, and other files are not memory', async () => {
  const { tool, run } = open()
  expect(() => tool.parse({ action: 'search' })).toThrow('`query` is required')
  expect(() => tool.parse({ action: 'get' })).toThrow('`path` is required')
  expect(() => tool.parse({ action: 'write', content: ' ' })).toThrow('`content` is required')
  await expect(run({ action: 'write', path: 'SOUL.md', content: 'x' })).rejects.toMatchObject({ kind: 'InvalidPath' })
  await expect(run({ action: 'get', path: 'memory/none.md' })).rejects.toMatchObject({ kind: 'FileNotFound' })
})

test('while the index is being made a search says so', async () => {
  const { run, files } = open(unfinishedEmbedder())
  await files.write('main', 'MEMORY.md', 'The heron stands in the cellar.\n')
  const note = '1 of 1 passages are still being indexed and are found only by their words. Search again in a minute.'
  expect((await run({ action: 'search', query: 'a bird' })).value).toEqual({ results: [], note })
  expect((await run({ action: 'search', query: 'heron cellar' })).value).toMatchObject({
    results: [{ startLine: 1 }],
    note,
  })
}, 120_000)
