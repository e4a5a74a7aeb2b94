import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { Row } from '../bench/row'
import { bundle, bundleAgent } from '../src-main/gateway/test-agent'
import type { ManyNodesResult } from '../src-main/gateway/test-many-nodes'
import { atMost, type SoakOptions } from './part'

const nodes = 50
const usualCalls = 6000
const allowedPerThousand = 0.5

export interface NodesReport extends ManyNodesResult {
  /** The gateway's heap, after a number of calls. */
  seen: { answered: number; megabytes: number }[]
}

/** Fifty nodes on one gateway, each running commands, with one killed every second. The gateway is a process of its own. */
export async function measure(tell: (line: string) => void, { count, minutes }: SoakOptions): Promise<Row[]> {
  const [agent, gateway] = [await bundleAgent(), await bundle('soak/nodes-run.ts')]
  try {
    const args = [gateway.script, agent.script, nodes, count ?? usualCalls, minutes ?? ''].map(String)
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const result = JSON.parse(await text(child.stdout)) as NodesReport
    for (const line of result.wrong.slice(0, 20)) tell(`wrong: ${line}`)
    const { answered, lost, killed, passed, killingMs, wrong, seen } = result
    const seconds = killingMs / 1000
    tell(
      `nodes: ${answered} answered, ${lost} lost with their node and said so, ${killed} killed in ${seconds.toFixed(0)} s, ${passed} times there was none to kill`,
    )
    const growth = slope(seen)
    return [
      atMost(`${nodes} nodes, ${answered} commands, ${killed} kills: lost, doubled or mixed up`, wrong.length, 0),
      {
        what: 'nodes killed per second',
        ours: (killed / seconds).toFixed(2),
        beside: '',
        ratio: '',
        goal: '≥ 0.98',
        met: killed / seconds >= 0.98,
      },
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
    agent.remove()
    gateway.remove()
  }
}

/** Megabytes per thousand calls, by the line through all that was seen. */
function slope(seen: NodesReport['seen']): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const x = mean(seen.map(({ answered }) => answered))
  const y = mean(seen.map(({ megabytes }) => megabytes))
  const spread = seen.reduce((sum, { answered }) => sum + (answered - x) ** 2, 0)
  if (spread === 0) return 0
  return (1000 * seen.reduce((sum, { answered, megabytes }) => sum + (answered - x) * (megabytes - y), 0)) / spread
}
