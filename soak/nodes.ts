import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Row } from '../bench/row'
import { bundleAgent } from '../src-main/gateway/test-agent'
import { openBench } from '../src-main/gateway/test-bench'
import { playManyNodes } from '../src-main/gateway/test-many-nodes'
import { atMost, type SoakOptions } from './part'

const nodes = 50
const usualCalls = 6000
/** Calls before memory is first looked at: until then caches fill. */
const warmCalls = 1500
const allowedPerThousand = 2

/** Fifty nodes on one gateway, each running commands, with one killed every second. */
export async function measure(tell: (line: string) => void, { count, minutes }: SoakOptions): Promise<Row[]> {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  const heap = (): number => {
    if (typeof collect === 'function') collect()
    return process.memoryUsage().heapUsed / 1024 / 1024
  }
  const wanted = count ?? usualCalls
  const agent = await bundleAgent()
  const bench = openBench()
  const seen: { answered: number; megabytes: number }[] = []
  let told = 0
  try {
    const result = await playManyNodes(bench, {
      script: agent.script,
      nodes,
      killEveryMs: 1000,
      isEnough: ({ answered, sinceMs }) => (minutes === null ? answered >= wanted : sinceMs > minutes * 60_000),
      look(answered) {
        // The bench keeps every event for tests to look at.
        bench.events.length = 0
        if (answered - told < 250) return
        told = answered
        const megabytes = heap()
        if (answered >= Math.min(warmCalls, wanted / 3)) seen.push({ answered, megabytes })
        tell(`nodes: ${answered} answered, heap ${megabytes.toFixed(1)} MB`)
      },
    })
    for (const line of result.wrong.slice(0, 20)) tell(`wrong: ${line}`)
    tell(`nodes: ${result.answered} answered, ${result.lost} lost with their node and said so, ${result.killed} killed`)
    const growth = slope(seen)
    return [
      atMost(
        `${nodes} nodes, ${result.answered} commands, ${result.killed} kills: lost, doubled or mixed up`,
        result.wrong.length,
        0,
      ),
      {
        what: 'growth of the gateway’s heap per 1,000 commands',
        ours: `${growth.toFixed(2)} MB`,
        beside: '',
        ratio: '',
        goal: `≤ ${allowedPerThousand} MB`,
        met: growth <= allowedPerThousand,
      },
    ]
  } finally {
    await bench.close()
    agent.remove()
  }
}

/** Megabytes per thousand calls, by the line through all that was seen. */
function slope(seen: readonly { answered: number; megabytes: number }[]): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const x = mean(seen.map(({ answered }) => answered))
  const y = mean(seen.map(({ megabytes }) => megabytes))
  const spread = seen.reduce((sum, { answered }) => sum + (answered - x) ** 2, 0)
  if (spread === 0) return 0
  return (1000 * seen.reduce((sum, { answered, megabytes }) => sum + (answered - x) * (megabytes - y), 0)) / spread
}
