import { expect, it } from 'vitest'
import { bundleAgent } from './test-agent'
import { openBench } from './test-bench'
import { playManyNodes } from './test-many-nodes'

it('loses nothing and runs nothing twice while nodes are killed and come back', async () => {
  const agent = await bundleAgent()
  const bench = openBench()
  try {
    const result = await playManyNodes(bench, {
      script: agent.script,
      nodes: 4,
      killEveryMs: 1000,
      isEnough: ({ answered, killed }) => answered >= 60 && killed >= 5,
    })
    expect(result.wrong).toEqual([])
    expect(result.answered).toBeGreaterThanOrEqual(60)
    // Every node answers again at the end.
    expect(result.killed).toBeGreaterThanOrEqual(5)
  } finally {
    await bench.close()
    agent.remove()
  }
}, 120_000)
