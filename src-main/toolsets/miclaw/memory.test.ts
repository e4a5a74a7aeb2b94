import { expect, test } from 'vitest'
import { createMemoryBench, unfinishedEmbedder } from '../../memory/test-bench'
import type { ToolContext } from '../../tools/tool'
import { miclawMemoryTools } from './memory'

test('while the index is being made memory_search does not say that there is nothing', async () => {
  const bench = createMemoryBench({ embedder: unfinishedEmbedder() })
  const context = { sessionId: 's1', workspace: '/', signal: new AbortController().signal } as ToolContext
  await bench.files.write('main', 'MEMORY.md', 'The heron stands in the cellar.\n')
  const search = new Map(miclawMemoryTools({ memory: bench.memory, agentOf: () => 'main' })).get('memory_search')
  const found = await search?.run(search.parse({ query: 'a bird' }), context)
  expect(found?.content).toMatchObject([{ text: expect.stringMatching(/^Nothing found so far\. 1 of 1 passages are/) }])
  await bench.close()
}, 120_000)
