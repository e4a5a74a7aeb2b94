import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { app, BrowserWindow, MessageChannelMain, type UtilityProcess, utilityProcess } from 'electron'
import { createLocalNode } from '../src-main/nodes/local'
import { createProcessTable } from '../src-main/nodes/process-table'
import { attachTerminal, openUtilityHost } from '../src-main/terminal-port'
import { median, quantile } from './row'
import type { BenchPage } from './terminal-page'

/** The measurements themselves, in a real window: prints one JSON object and quits. `bench/terminal.ts` starts it. */

const here = import.meta.dirname
const dir = mkdtempSync(join(tmpdir(), 'deckhand-bench-terminal-'))
const now = () => performance.timeOrigin + performance.now()
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const node = createLocalNode({ openHost: () => openUtilityHost(join(here, 'pty-host.js')) })
const table = createProcessTable({ nodes: [node], logDir: dir, save() {}, load: () => [], publish() {} })

/** An odd number, so that one of them is in the middle. */
const ECHO_ROUNDS = 5

let window: BrowserWindow
let requests = 0

const inPage = <Name extends keyof BenchPage>(
  name: Name,
  ...args: Parameters<BenchPage[Name]>
): Promise<Awaited<ReturnType<BenchPage[Name]>>> =>
  window.webContents.executeJavaScript(`bench.${name}(...${JSON.stringify(args)})`)

const start = (argv: readonly [string, ...string[]]) =>
  table.start({
    sessionId: 's',
    callId: null,
    command: argv.join(' '),
    argv,
    cwd: dir,
    background: true,
    byUser: false,
  })

/** Gives the page the process under a new request. */
function attach(processId: string): string {
  requests++
  const requestId = `r${requests}`
  attachTerminal({ localNode: node, table }, window.webContents, processId, requestId)
  return requestId
}

/** One process for all comparisons, so that it is as warm as the host it is compared with. */
let peerProcess: UtilityProcess | null = null

function peer(request: { kind: string; argv: string[]; path?: string }, withPort = false): Promise<number> {
  peerProcess ??= utilityProcess.fork(join(here, 'peer.js'))
  const child = peerProcess
  return new Promise((resolve) => {
    child.once('message', (ms: number) => resolve(ms))
    if (!withPort) return child.postMessage(request)
    const { port1, port2 } = new MessageChannelMain()
    requests++
    void inPage('openPlain', `r${requests}`)
    window.webContents.postMessage('terminal-port', `r${requests}`, [port2])
    child.postMessage(request, [port1])
  })
}

/** How late main's event loop is: 99th percentile in milliseconds, while something goes on. */
async function loopDelay<T>(work: () => Promise<T>): Promise<{ p99: number; value: T }> {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  const value = await work()
  histogram.disable()
  return { p99: histogram.percentile(99) / 1e6, value }
}

/**
 * Key to echo while nothing else goes on, beside a flood and with 19 hidden ones, by turns and several times over: what
 * else the machine does for a while then meets all three, and the medians leave out the rounds that it met worst.
 */
async function echoes(file: string) {
  const rounds = { idle: [] as number[][], beside: [] as number[][], hidden: [] as number[][] }
  for (let round = 0; round < ECHO_ROUNDS; round++) {
    say(`key to echo, round ${round + 1} of ${ECHO_ROUNDS}`)
    rounds.idle.push(await typing(120))
    await inPage('closePanes')
    rounds.beside.push(await whileFlooding(1, true, file, () => typing(120)))
    rounds.hidden.push(await whileFlooding(19, false, file, () => typing(120)))
  }
  const part = (times: number[][], which: number) => median(times.map((each) => quantile(each, which)))
  const summary = (times: number[][]) => ({ p50: part(times, 0.5), p95: part(times, 0.95), p99: part(times, 0.99) })
  return { idle: summary(rounds.idle), beside: summary(rounds.beside), hidden: summary(rounds.hidden) }
}

/** Megabytes in all processes of the app together. */
const memory = () => app.getAppMetrics().reduce((sum, each) => sum + each.memory.workingSetSize, 0) / 1024

async function flood(file: string) {
  const began = performance.now()
  const processInfo = await start(['cat', file])
  const shown = inPage('openPane', attach(processInfo.id))
  const frames = inPage('frames', 1000)
  await table.wait(processInfo.id)
  const ms = performance.now() - began
  await shown
  const logged = statSync(table.logPath(processInfo.id)).size
  const rate = await frames
  await inPage('closePanes')
  return { ms, logged, frames: rate }
}

async function typing(count: number): Promise<number[]> {
  const echo = await start(['cat'])
  await inPage('openProbe', attach(echo.id))
  await inPage('typeKeys', 10)
  const times = await inPage('typeKeys', count)
  table.kill(echo.id)
  await table.wait(echo.id)
  return times
}

async function firstByte(): Promise<{ ours: number; bare: number }> {
  const ours: number[] = []
  const bare: number[] = []
  for (let i = 0; i < 15; i++) {
    bare.push(await peer({ kind: 'first-byte', argv: ['sh', '-c', 'printf x; sleep 0.2'] }))
    const began = now()
    const processInfo = await start(['sh', '-c', 'printf x; sleep 0.2'])
    ours.push((await inPage('firstByte', attach(processInfo.id))) - began)
    await table.wait(processInfo.id)
  }
  return { ours: median(ours.slice(3)), bare: median(bare.slice(3)) }
}

/** Until a tool has its result: exit, then the last 200,000 characters. */
async function bigOutput(file: string) {
  const before = memory()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, memory())
  }, 50)
  const began = performance.now()
  const processInfo = await start(['cat', file])
  await table.wait(processInfo.id)
  const { text } = await table.output(processInfo.id, { maxChars: 200_000 })
  const ms = performance.now() - began
  clearInterval(watch)
  return { ms, growth: peak - before, chars: text.length }
}

async function idleSessions(): Promise<number> {
  const before = memory()
  const ids: string[] = []
  for (let i = 0; i < 20; i++) {
    const each = await start([
      'sh',
      '-c',
      'i=0; while [ $i -lt 10000 ]; do echo "line $i of some text"; i=$((i+1)); done; cat',
    ])
    ids.push(each.id)
  }
  await pause(4000)
  const growth = memory() - before
  for (const id of ids) table.kill(id)
  await Promise.all(ids.map((id) => table.wait(id)))
  return growth
}

async function whileFlooding<T>(count: number, visible: boolean, file: string, work: () => Promise<T>): Promise<T> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push((await start(['sh', '-c', `while :; do cat ${file}; done`])).id)
  if (visible) void inPage('openPane', attach(ids[0] as string))
  await pause(1000)
  const value = await work()
  for (const id of ids) table.kill(id)
  await Promise.all(ids.map((id) => table.wait(id)))
  await inPage('closePanes')
  await Promise.all(ids.map((id) => table.remove(id)))
  return value
}

const say = (what: string) => console.error(`terminal: ${what}`)

async function measure() {
  const file = join(dir, 'flood.txt')
  const small = join(dir, 'small.txt')
  const line =
    '\x1b[32mINFO\x1b[0m 12:00:01.123 \x1b[2msome/module\x1b[0m a line of a log with some words in it, number '
  const lines = Array.from({ length: 400_000 }, (_, i) => `${line}${i}\n`)
  writeFileSync(file, lines.join(''))
  writeFileSync(small, lines.slice(0, 40_000).join(''))
  const { size } = statSync(file)
  const logSize = size + lines.length

  // Before the floods, which leave memory behind that is then given back and would hide any growth.
  say('idle sessions')
  const sessions = await idleSessions()
  say('spawn to first byte')
  const first = await firstByte()
  say('main event loop')
  const idle = await loopDelay(() => typing(100))
  await inPage('closePanes')

  const rounds: {
    raw: number
    paused: number
    ours: Awaited<ReturnType<typeof flood>>
    p99: number
    shell: Awaited<ReturnType<typeof bigOutput>>
    file: number
  }[] = []
  for (let round = 0; round < 3; round++) {
    say(`flood, round ${round + 1} of 3`)
    const raw = await peer({ kind: 'raw', argv: ['cat', file] })
    const ours = await loopDelay(() => flood(file))
    const intoFile = await peer({ kind: 'file', argv: ['cat', file], path: join(dir, 'copy') })
    const shell = await bigOutput(file)
    // A tenth of the text is enough: this one is slow.
    const paused = round === 0 ? 10 * (await peer({ kind: 'paused', argv: ['cat', small] }, true)) : Number.NaN
    if (round === 0) await inPage('closePanes')
    rounds.push({ raw, paused, ours: ours.value, p99: ours.p99, shell, file: intoFile })
  }
  const echo = await echoes(small)
  const typical = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  return {
    megabytes: size / 1e6,
    raw: typical((round) => round.raw),
    flood: typical((round) => round.ours.ms),
    paused: rounds[0]?.paused ?? Number.NaN,
    missing: rounds.reduce((sum, round) => sum + (logSize - round.ours.logged), 0),
    framesPerSecond: Math.min(...rounds.map((round) => round.ours.frames.perSecond)),
    worstFrame: Math.max(...rounds.map((round) => round.ours.frames.worst)),
    loop: { idle: idle.p99, flood: typical((round) => round.p99) },
    echo,
    shell: {
      ms: typical((round) => round.shell.ms),
      file: typical((round) => round.file),
      growth: Math.max(...rounds.map((round) => round.shell.growth)),
    },
    firstByte: first,
    sessions,
  }
}

app.on('window-all-closed', () => app.quit())
void app.whenReady().then(async () => {
  window = new BrowserWindow({
    width: 1280,
    height: 800,
    webPreferences: {
      preload: join(here, 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      backgroundThrottling: false,
    },
  })
  window.webContents.on('console-message', (event) => {
    if (event.level === 'error') console.error(event.message)
  })
  await window.loadFile(join(here, 'page.html'))
  try {
    console.log(`RESULT ${JSON.stringify(await measure())}`)
  } finally {
    peerProcess?.kill()
    await table.close()
    rmSync(dir, { recursive: true, force: true })
    app.quit()
  }
})
