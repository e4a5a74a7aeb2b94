import { expect, test } from 'vitest'
import { createMemoryBench } from '../../memory/test-bench'
import type { ToolContext } from '../../tools/tool'
import { miclawMemoryTools } from './memory'

test('while the index is being made memory_search does not say that there is nothing', async () => {
  const closing = new AbortController()
  const bench = createMemoryBench({
    embedder: {
      model: 'slow',
      embed: async (_, when) => {
        if (when === 'later')
          await new Promise((_, failed) => closing.signal.addEventListener('abort', () => failed(new Error('closed'))))
        return new Float32Array([1, 0])
      },
      nearness: (cosine) => cosine,
      close: async () => closing.abort(),
    },
  })
  const context = { sessionId: 's1', workspace: '/', signal: closing.signal } as ToolContext
  await bench.files.write('main', 'MEMORY.md', 'The heron stands in the cellar.\n')
  const search = new Map(miclawMemoryTools({ memory: bench.memory, agentOf: () => 'main' })).get('memory_search')
  const found = await search?.run(search.parse({ query: 'a bird' }), context)
  expect(found?.content).toMatchObject([{ text: expect.stringMatching(/^Nothing found so far\. 1 of 1 passages are/) }])
  await bench.close()
}, 120_000)
