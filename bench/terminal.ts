import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type InlineConfig } from 'vite'
import type { Row } from './row'

/** Live terminals, measured in a real window and judged in ratios within one run. */

const root = resolve(import.meta.dirname, '..')
const out = join(root, 'node_modules/.cache/bench-terminal')

interface Result {
  megabytes: number
  raw: number
  flood: number
  paused: number
  missing: number
  framesPerSecond: number
  worstFrame: number
  loop: { idle: number; flood: number }
  echo: Record<'idle' | 'beside' | 'hidden', { p50: number; p95: number; p99: number }>
  shell: { ms: number; file: number; growth: number }
  firstByte: { ours: number; bare: number }
  sessions: number
}

async function bundle(): Promise<void> {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const common: InlineConfig = { root, configFile: false, logLevel: 'error' }
  await build({
    ...common,
    ssr: { noExternal: true, external: ['electron', 'node-pty'] },
    build: {
      ssr: true,
      outDir: out,
      emptyOutDir: false,
      rolldownOptions: {
        input: {
          main: join(root, 'bench/terminal-app.ts'),
          peer: join(root, 'bench/terminal-peer.ts'),
          'pty-host': join(root, 'src-main/pty-host/main.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
  })
  await build({
    ...common,
    ssr: { external: ['electron'] },
    build: {
      ssr: join(root, 'src-preload/index.ts'),
      outDir: out,
      emptyOutDir: false,
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'preload.cjs' } },
    },
  })
  await build({
    ...common,
    build: {
      outDir: out,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: join(root, 'bench/terminal-page.ts'),
        output: { format: 'es', entryFileNames: 'page.js', assetFileNames: 'page.[ext]' },
      },
    },
  })
  writeFileSync(
    join(out, 'page.html'),
    `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="page.css">
     <style>body { margin: 0 } .pane { height: 380px }</style><script type="module" src="page.js"></script>`,
  )
  writeFileSync(join(out, 'package.json'), JSON.stringify({ type: 'module', main: 'main.js' }))
}

function run(): Promise<Result> {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(process.execPath, [...flags, out], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return new Promise((done, fail) => {
    child.on('exit', (code) => {
      const result = /^RESULT (.*)$/m.exec(text)?.[1]
      if (result) done(JSON.parse(result) as Result)
      else fail(new Error(`The measuring window ended with code ${code}\n${text}`))
    })
  })
}

function judge(result: Result): Row[] {
  const { raw, flood, paused, echo, loop, shell, firstByte } = result
  const frames = 1000 / 60
  const times = (value: number) => `${value.toFixed(2)} ×`
  const ms = (value: number) => `${value.toFixed(1)} ms`
  const row = (what: string, ratio: string, goal: string, met: boolean): Row => ({
    what,
    ours: '',
    beside: '',
    ratio,
    goal,
    met,
  })
  const rate = (took: number) => `${(result.megabytes / (took / 1000)).toFixed(0)} MB/s`
  return [
    row(
      `flood into a visible pane (${rate(flood)}) of raw node-pty (${rate(raw)})`,
      times(raw / flood),
      '≥ 0.6 ×',
      raw / flood >= 0.6,
    ),
    row(
      `the same, of a pane that pauses the program (${rate(paused)})`,
      times(paused / flood),
      '≥ 4 ×',
      paused / flood >= 4,
    ),
    row('bytes missing from the log', `${result.missing}`, '0', result.missing === 0),
    row('frames a second meanwhile', result.framesPerSecond.toFixed(0), '≥ 30', result.framesPerSecond >= 30),
    row('main event loop p99, of idle', times(loop.flood / loop.idle), '≤ 2 ×', loop.flood <= 2 * loop.idle),
    row(
      `key to echo p99 beside a flood (${ms(echo.beside.p99)}) of idle p50 (${ms(echo.idle.p50)})`,
      times(echo.beside.p99 / echo.idle.p50),
      '≤ 20 × and 3 frames',
      echo.beside.p99 <= Math.min(20 * echo.idle.p50, 3 * frames),
    ),
    row(
      `key to echo p99 with 19 hidden floods (${ms(echo.hidden.p99)})`,
      times(echo.hidden.p99 / echo.idle.p50),
      '≤ 10 ×',
      echo.hidden.p99 <= 10 * echo.idle.p50,
    ),
    row(
      'result of a command with 50 MB of output, of cat into a file',
      times(shell.ms / shell.file),
      '≤ 1.5 ×',
      shell.ms <= 1.5 * shell.file,
    ),
    row('memory growth meanwhile', `${shell.growth.toFixed(0)} MB`, '< 50 MB', shell.growth < 50),
    row(
      `spawn to first byte in the pane (${ms(firstByte.ours)}) of a bare spawn (${ms(firstByte.bare)})`,
      times(firstByte.ours / firstByte.bare),
      '≤ 3 ×',
      firstByte.ours <= 3 * firstByte.bare,
    ),
    row('20 idle sessions of 10,000 lines', `${result.sessions.toFixed(0)} MB`, '< 100 MB', result.sessions < 100),
  ]
}

export async function measure(tell: (line: string) => void): Promise<Row[]> {
  await bundle()
  tell('terminal: floods, keys and idle sessions in a window …')
  const result = await run()
  for (const [name, { p50, p95, p99 }] of Object.entries(result.echo)) {
    const [typical, most, worst] = [p50, p95, p99].map((value) => `${value.toFixed(1)} ms`)
    tell(`key to echo, ${name.padEnd(6)}  p50 ${typical}  p95 ${most}  p99 ${worst} (medians of five rounds)`)
  }
  return judge(result)
}
