import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { ProcessExit } from '../process'
import { spawnConpty } from './conpty-child'
import { createJobKeeper } from './job-keeper'
import { jobKeeperScript } from './job-keeper-script'

/** node-pty's JavaScript half is the same on every system, so it can be tested here. */
async function run(argv: [string, ...string[]]) {
  const seen = { output: '', exit: null as ProcessExit | null }
  const spec = {
    id: 'p',
    argv,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '' },
    logPath: '',
    tty: { cols: 80, rows: 24 },
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  const child = await spawnConpty(spec, spec.tty, {
    output: (chunk) => {
      seen.output += Buffer.from(chunk).toString()
    },
    end(exit) {
      seen.exit = exit
      resolve()
    },
  })
  return { child, seen, ended: promise }
}

it('reads a terminal to its end and tells how the program ended', async () => {
  const { child, seen, ended } = await run(['sh', '-c', 'stty size; read line; exit 7'])
  await expect.poll(() => seen.output).toContain('24 80')
  child.write('\r')
  await ended
  expect(seen.exit).toEqual({ exitCode: 7, signal: null })
})

it('types into it, resizes it, pauses it, and refuses input after the end', async () => {
  const { child, seen, ended } = await run(['sh', '-c', 'read line; stty size; echo "got $line"'])
  child.resize(100, 30)
  child.pause()
  child.resume()
  child.write('hello\r')
  await ended
  expect(seen.output).toContain('30 100')
  expect(seen.output).toContain('got hello')
  expect(await child.lineMode()).toBeNull()
  expect(() => child.write('x')).toThrow('The terminal is closed')
})

/** Windows programs that only record what they are given. */
function fakeSystem() {
  const started: { argv: readonly string[]; input: string; ended: boolean }[] = []
  const start = (argv: readonly [string, ...string[]], input: boolean) => {
    const seen = { argv, input: '', ended: false }
    started.push(seen)
    const stdin = new PassThrough()
    stdin.on('data', (chunk) => {
      seen.input += chunk
    })
    stdin.on('end', () => {
      seen.ended = true
    })
    return Object.assign(new EventEmitter(), { stdin: input ? stdin : null, exitCode: null as number | null }) as never
  }
  return { started, start }
}

it('keeps one program for all jobs, and ends a tree besides', async () => {
  const { started, start } = fakeSystem()
  const keeper = createJobKeeper(start)
  keeper.hold(11)
  keeper.hold(12)
  keeper.end(11)
  keeper.close()
  await new Promise((resolve) => setImmediate(resolve))
  expect(started.map(({ argv }) => argv[0])).toEqual(['powershell.exe', 'taskkill.exe'])
  expect(started[0]).toMatchObject({ input: 'hold 11\nhold 12\nend 11\n', ended: true })
  expect(started[1]?.argv.slice(1)).toEqual(['/PID', '11', '/T', '/F'])
  const script = Buffer.from(String(started[0]?.argv.at(-1)), 'base64').toString('utf16le')
  expect(script).toBe(jobKeeperScript)
})

it('has a script whose brackets match and whose here-string is closed', () => {
  for (const [open, close] of ['{}', '()', '[]']) {
    const count = (bracket: string | undefined): number => jobKeeperScript.split(bracket ?? '').length
    expect([open, count(open)]).toEqual([open, count(close)])
  }
  expect(jobKeeperScript).toMatch(/@'\n[\s\S]+\n'@\n/)
})
