import { closeSync, openSync, writeSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Launcher } from './launcher'
import { openTerminal, type Terminal } from './native-pty'
import type { ProcessExit, ProcessSpec } from './process'
import { spawnPty } from './pty-child'

const size = { cols: 80, rows: 24 }
const spec: ProcessSpec = { id: 'p', argv: ['none'], cwd: '/', env: {}, tty: size, logPath: '' }

function openOne() {
  const terminal = openTerminal(size)
  if (!terminal) throw new Error('There are no terminals here')
  return terminal
}

/** Blocks the event loop. */
const block = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

it.runIf(process.platform === 'linux')('never reads from a terminal that got the number of a closed one', async () => {
  const { promise: exited, resolve: exit } = Promise.withResolvers<ProcessExit>()
  const { promise: ended, resolve: end } = Promise.withResolvers<ProcessExit>()
  const first = openOne()
  const launcher: Launcher = {
    open: async () => ({ ...first, pid: process.pid, exited }) satisfies Terminal,
    close() {},
  }
  let said = ''
  const output = (chunk: Uint8Array) => {
    said += Buffer.from(chunk).toString()
  }
  await spawnPty(spec, size, { output, end }, launcher)

  // In one turn of the event loop: the silence after the exit is over (a timer), the terminal reports its end and is
  // closed (the poll), and another one is opened (the first immediate), which the last look at the first one (the
  // second immediate) must not see.
  const opened = Promise.withResolvers<ReturnType<typeof openOne>>()
  const openSecond = () => {
    const second = openOne()
    const program = openSync(second.path, 'w')
    writeSync(program, 'of somebody else')
    closeSync(program)
    opened.resolve(second)
  }
  exit({ exitCode: 0, signal: null })
  await exited
  setTimeout(() => setImmediate(openSecond), 50)
  block(300)
  const second = await opened.promise
  expect(second.fd).toBe(first.fd)
  expect(await ended).toEqual({ exitCode: 0, signal: null })
  expect(said).toBe('')
  second.release()
  closeSync(second.fd)
})
