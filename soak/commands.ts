import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Row } from '../bench/row'
import { openInProcessHost } from '../src-main/nodes/host-link'
import { createLocalNode } from '../src-main/nodes/local'
import { createProcessTable, type ProcessTable } from '../src-main/nodes/process-table'
import { endWatch } from '../src-main/pty-host/end-watch'
import { createBashTool } from '../src-main/tools/shell/bash'
import { createLoginShell, type LoginShell } from '../src-main/tools/shell/login/login-shell'
import { runProgram } from '../src-main/tools/shell/run-program'
import type { ToolContext, ToolResult } from '../src-main/tools/tool'
import { startLoad } from './load'
import { lookAtOwnProcesses } from './own-processes'
import { atMost, type SoakOptions } from './part'

const usualCount = 50_000
/** Between two looks at what is left behind. */
const batch = 2500
/** At the same time. */
const lanes = 4
/** No command here takes more than a moment, on however busy a machine: one that does is stuck. */
const stallMs = 30_000
/** Worth a line, to be held against how long the machine kept this process itself waiting. */
const slowMs = 5000
/** Descriptors that come and go with timers and loaded modules. */
const slack = 8

interface Kind {
  command: string
  exitCode: number | null
  output: string
}

/** What ends at once, later, badly, by a signal, and while others still hold the terminal. */
const kinds: Kind[] = [
  { command: 'true', exitCode: 0, output: '' },
  { command: 'echo said', exitCode: 0, output: 'said\n' },
  { command: 'exit 3', exitCode: 3, output: '' },
  { command: 'kill -KILL $$', exitCode: null, output: '' },
  { command: '/bin/sh -c "/bin/true | cat"; echo done', exitCode: 0, output: 'done\n' },
  { command: 'sleep 0.01; printf end', exitCode: 0, output: 'end' },
]

interface Tally {
  done: number
  stalls: number
  wrong: string[]
  slow: string[]
  times: number[]
}

/** Many short commands on a machine whose cores are all busy: none may get lost, and nothing may be left behind. */
export async function measure(tell: (line: string) => void, { count, minutes }: SoakOptions): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-soak-'))
  // Without login files of whoever runs it, which may take long or say something.
  const env = { ...process.env, HOME: folder, SHELL: '/bin/bash' }
  const node = createLocalNode({ openHost: openInProcessHost, env })
  const loginShell = createLoginShell({ node, folder: join(folder, 'login-shell'), env })
  const table = createProcessTable({
    nodes: [node],
    logDir: join(folder, 'logs'),
    save() {},
    load: () => [],
    publish() {},
  })
  const load = startLoad()
  const delay = monitorEventLoopDelay()
  delay.enable()
  const began = performance.now()
  const until = minutes === null ? Number.POSITIVE_INFINITY : began + minutes * 60_000
  const wanted = minutes === null ? (count ?? usualCount) : Number.POSITIVE_INFINITY
  const tally: Tally = { done: 0, stalls: 0, wrong: [], slow: [], times: [] }
  let first: ReturnType<typeof lookAtOwnProcesses> | null = null
  let last = lookAtOwnProcesses()
  try {
    tell(`commands: ${load.workers} busy loops on as many cores, ${lanes} commands at a time`)
    const run = createRunner(table, loginShell, folder, tally)
    while (tally.done < wanted && performance.now() < until && tally.stalls === 0) {
      await Promise.all(Array.from({ length: lanes }, () => run(Math.min(batch, wanted - tally.done) / lanes)))
      last = await settled()
      // The first batch loads modules, starts the fork server and learns of the login shell.
      first ??= last
      const held = (delay.max / 1e9).toFixed(1)
      if (tally.slow.length > 0)
        tell(`commands: ${tally.slow.splice(0).join(', ')}; the event loop waited up to ${held} s`)
      delay.reset()
      const memory = Math.round(process.memoryUsage().rss / 1e6)
      const seconds = Math.round((performance.now() - began) / 1000)
      tell(
        `commands: ${tally.done} in ${seconds} s, ${tally.stalls} stalls, ${last.zombies} zombies, ${last.descriptors} descriptors, ${memory} MB`,
      )
    }
  } finally {
    load.stop()
    delay.disable()
    loginShell.close()
    await table.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  for (const line of tally.wrong.slice(0, 10)) tell(`commands: ${line}`)
  const sorted = tally.times.sort((a, b) => a - b)
  const at = (part: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0)
  tell(`commands: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`)
  return [
    { ...atMost('commands', tally.done, tally.done), goal: '', met: tally.done > 0 },
    atMost('stalled', tally.stalls, 0),
    atMost('wrong exit code or output', tally.wrong.length, 0),
    atMost('ends that nobody reported', endWatch.concluded, 0),
    atMost('zombies', last.zombies, 0),
    atMost('descriptors more than after the first batch', last.descriptors - (first ?? last).descriptors, slack),
    atMost('fork servers', last.forkServers.length, 1),
  ]
}

/** A zombie is one only when nobody comes for it. */
async function settled(): Promise<ReturnType<typeof lookAtOwnProcesses>> {
  for (let tries = 0; tries < 20 && lookAtOwnProcesses().zombies > 0; tries++) await sleep(100)
  return lookAtOwnProcesses()
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Each fifth command runs between pipes, the others in a terminal, as the tools of the agent do it. */
function createRunner(
  table: ProcessTable,
  { start }: LoginShell,
  cwd: string,
  tally: Tally,
): (count: number) => Promise<void> {
  const bash = createBashTool(table, 'local', undefined, start)
  const { signal } = new AbortController()
  const context = { sessionId: 's', callId: 'c', workspace: cwd, signal, show() {} } as unknown as ToolContext

  const inTerminal = async (command: string) => seenBy(await bash.run(bash.parse({ command }), context))
  const betweenPipes = async (command: string) => {
    const request = { command, argv: ['/bin/sh', '-c', command] as const, cwd, timeoutMs: 10 * stallMs }
    const { row, stdout } = await runProgram(table, request, context)
    return { id: row.id, exitCode: row.exitCode, output: stdout }
  }

  const runOne = async (index: number): Promise<void> => {
    const kind = kinds[index % kinds.length] as Kind
    const began = performance.now()
    const work = index % 5 === 4 ? betweenPipes(kind.command) : inTerminal(kind.command)
    const found = await Promise.race([work, sleepUnref(stallMs)])
    if (!found) {
      tally.stalls++
      return
    }
    const took = performance.now() - began
    tally.times.push(took)
    if (took > slowMs) tally.slow.push(`${kind.command} took ${(took / 1000).toFixed(1)} s`)
    if (found.exitCode !== kind.exitCode || found.output !== kind.output)
      tally.wrong.push(`${kind.command} gave ${JSON.stringify(found)}`)
    await table.remove(found.id)
  }

  return async (count) => {
    for (let left = count; left > 0 && tally.stalls === 0; left--) await runOne(tally.done++)
  }
}

const sleepUnref = (ms: number): Promise<null> => new Promise((resolve) => setTimeout(resolve, ms, null).unref())

/** What the model is given. */
function seenBy({ content }: ToolResult): { id: string; exitCode: number | null; output: string } {
  const [part] = content
  if (part?.type !== 'text') throw new Error('A result without text')
  const { sessionId: id, ...rest } = JSON.parse(part.text) as { sessionId: string; exitCode: number; output: string }
  return { id, exitCode: rest.exitCode, output: rest.output }
}
