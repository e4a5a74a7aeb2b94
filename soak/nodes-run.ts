import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openBench } from '../src-main/gateway/test-bench'
import { playManyNodes } from '../src-main/gateway/test-many-nodes'
import type { NodesReport } from './nodes'

/** Calls between two looks at the memory, and how many are made before the first: until then caches fill. */
const everyCalls = 250
const warmCalls = 1500

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')
const heap = (): number => {
  if (typeof collect === 'function') collect()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

const [, , script = '', nodes = '', calls = '', minutes = ''] = process.argv
const bench = openBench()
const seen: NodesReport['seen'] = []
let told = 0
const result = await playManyNodes(bench, {
  script,
  nodes: Number(nodes),
  killEveryMs: 1000,
  // Else the commands would leave nothing of a small machine for the nodes that come back.
  pauseMs: 500,
  isEnough: ({ answered, sinceMs }) =>
    minutes === '' ? answered >= Number(calls) : sinceMs > Number(minutes) * 60_000,
  look(answered) {
    // The bench keeps every event for tests to look at, and a session the row of every command until it is deleted.
    bench.events.length = 0
    // One that is just ending is for the next look.
    for (const { id, status } of bench.table.list()) if (status === 'exited') bench.table.remove(id).catch(() => {})
    if (answered - told < everyCalls) return
    told = answered
    const megabytes = heap()
    if (answered >= Math.min(warmCalls, Number(calls) / 3)) seen.push({ answered, megabytes })
    console.error(`nodes: ${answered} answered, heap ${megabytes.toFixed(1)} MB`)
  },
})
await bench.close()
const report: NodesReport = { ...result, seen }
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0))
