import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type GatewayBench, openBench, sessionId, startNode, until } from '../src-main/gateway/test-bench'
import { createFileMemory } from '../src-main/tools/files/file-memory'
import { createReadTool } from '../src-main/tools/files/read'
import { localToolNode } from '../src-main/tools/nodes/tool-node'
import { createBashTool } from '../src-main/tools/shell/bash'
import type { Tool, ToolContext } from '../src-main/tools/tool'
import { atMost, median, milliseconds, type Row } from './row'

/**
 * Files between two nodes against a plain socket copy, and calls on another machine against the same calls here; the
 * nodes are real processes of plain Node.
 */

const fileBytes = 1024 ** 3
const rounds = 3
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`

async function measureAll(script: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-bench-'))
  const bench = openBench()
  const url = await bench.url()
  const nodes = ['alpha', 'beta'].map((id) =>
    startNode({ script, url, token: bench.gateway.add({ id }).token, id, folder }),
  )
  try {
    await until(() => bench.gateway.isConnected('alpha') && bench.gateway.isConnected('beta'))
    const [source = '', target = ''] = nodes.map(({ workspace }) => join(workspace, 'file'))
    fill(source)
    const pids = [process.pid, ...nodes.map(({ child }) => child.pid ?? 0)]
    const before = pids.map(residentBytes)
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, ...pids.map((pid, index) => residentBytes(pid) - (before[index] ?? 0)))
    }, 20)
    const ours: number[] = []
    const plain: number[] = []
    for (let round = 0; round < rounds; round++) {
      // In turns, so that whatever else the machine does meets both.
      plain.push(await plainCopy(source, `${target}.plain`))
      ours.push(await timed(() => transfer(bench, `alpha:${source}`, `beta:${target}`)))
      rmSync(target)
      rmSync(`${target}.plain`)
    }
    clearInterval(watch)
    const trips = await roundTrips(bench, nodes[0]?.workspace ?? '')
    const rate = (ms: number): string => `${(fileBytes / 1e6 / (ms / 1000)).toFixed(0)} MB/s`
    const ratio = median(plain) / median(ours)
    return [
      {
        what: 'node to node, of a plain socket copy',
        ours: rate(median(ours)),
        beside: rate(median(plain)),
        ratio: `${ratio.toFixed(2)} ×`,
        goal: '≥ 0.5 ×',
        met: ratio >= 0.5,
      },
      {
        what: 'memory growth for 1 GB, any of the three processes',
        ours: megabytes(peak),
        beside: '100 MB',
        ratio: `${(peak / 1e8).toFixed(2)} ×`,
        goal: '< 1 ×',
        met: peak < 1e8,
      },
      ...trips,
    ]
  } finally {
    await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
    await bench.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const transfer = (bench: GatewayBench, source: string, destination: string): Promise<unknown> =>
  bench.transfers.run({ source, destination, agentId: 'main', sessionId: null, callId: null })

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Not zeros, and in the page cache afterwards, so that the disk is asked only to write. */
function fill(path: string): void {
  const block = Buffer.alloc(16 * 1024 * 1024, 'The quick brown fox jumps over the lazy dog. ')
  for (let at = 0; at < fileBytes; at += block.length) writeFileSync(path, block, { flag: 'a' })
  if (statSync(path).size !== fileBytes) throw new Error('The file has the wrong size')
}

const receiver = `
const { createServer } = require('node:net')
const { createWriteStream } = require('node:fs')
const server = createServer((socket) => {
  socket.pipe(createWriteStream(process.argv[1], { highWaterMark: 1 << 20 })).on('finish', () => { console.log('done'); process.exit() })
}).listen(0, '127.0.0.1', () => console.log(server.address().port))`
const sender = `
const { connect } = require('node:net')
require('node:fs').createReadStream(process.argv[1], { highWaterMark: 1 << 18 }).pipe(connect(+process.argv[2], '127.0.0.1'))`

/** Two processes and nothing between them: no gateway, no checks, no window. */
async function plainCopy(source: string, target: string): Promise<number> {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const receiving = spawn('node', ['-e', receiver, target], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const lines = createInterface(receiving.stdout)[Symbol.asyncIterator]()
  const port = String((await lines.next()).value)
  return timed(async () => {
    spawn('node', ['-e', sender, source, port], { stdio: 'inherit', env })
    await lines.next()
  })
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

async function roundTrips(bench: GatewayBench, workspace: string): Promise<Row[]> {
  writeFileSync(join(workspace, 'note.txt'), 'a line\n'.repeat(100))
  const memory = createFileMemory()
  const calls: [string, Tool, Record<string, unknown>, number][] = [
    ['Bash', createBashTool(bench.table, 'local') as Tool, { command: 'true' }, 60],
    ['Read', createReadTool(localToolNode('local', memory)) as Tool, { path: join(workspace, 'note.txt') }, 400],
  ]
  const rows: Row[] = []
  for (const [name, tool, args, count] of calls) {
    const here: number[] = []
    const there: number[] = []
    for (let turn = 0; turn < count; turn++) {
      here.push(await timed(() => tool.run(tool.parse(args), contextIn(workspace))))
      there.push(await timed(() => bench.gateway.invoke({ nodeId: 'alpha', tool: name, args, sessionId })))
    }
    rows.push(atMost(`${name} on another machine, of the same here`, median(there), median(here), 3, milliseconds))
  }
  return rows
}

const contextIn = (workspace: string): ToolContext => ({
  sessionId,
  callId: 'bench',
  workspace,
  signal: new AbortController().signal,
  resultBytes: 64 * 1024,
  show: () => {},
})

const [, , agentScript = ''] = process.argv
process.stdout.write(`${JSON.stringify(await measureAll(agentScript))}\n`, () => process.exit(0))
