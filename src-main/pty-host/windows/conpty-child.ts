import { createRequire } from 'node:module'
import { type Child, type ChildListener, createEnding } from '../child'
import { exitOf, type Size } from '../native-pty'
import type { ProcessSpec } from '../process'
import { lineOf } from './command-line'

/** The part of node-pty's JavaScript half that is used here; on Windows it creates a pseudo console (ConPTY). */
interface PtyModule {
  spawn(
    file: string,
    args: string[] | string,
    options: {
      name: string
      cols: number
      rows: number
      cwd: string
      env: Readonly<Record<string, string>>
      encoding: null
      useConpty?: boolean
    },
  ): PtyProcess
}

interface PtyProcess {
  readonly pid: number
  onData(listener: (data: string | Buffer) => void): void
  onExit(listener: (end: { exitCode: number; signal?: number }) => void): void
  write(data: string): void
  resize(cols: number, rows: number): void
  pause(): void
  resume(): void
}

/**
 * A program in a terminal of Windows. Untested there; on Linux the same code runs with the other half of node-pty. A
 * pseudo console does not report echo, so password prompts are not noticed.
 */
export async function spawnConpty(spec: ProcessSpec, size: Size, listener: ChildListener): Promise<Child> {
  const { spawn }: PtyModule = createRequire(import.meta.url)('node-pty')
  const [file, ...words] = spec.argv
  const isWindows = process.platform === 'win32'
  const terminal = spawn(file, isWindows ? lineOf(spec.argv) : words, {
    name: 'xterm-256color',
    ...size,
    cwd: spec.cwd,
    env: spec.env,
    encoding: null,
    ...(isWindows && { useConpty: true }),
  })
  let over = false
  let paused = false
  const ending = createEnding({ end: listener.end, giveUp() {}, isPaused: () => paused })
  terminal.onData((data) => {
    ending.active()
    listener.output(typeof data === 'string' ? Buffer.from(data, 'utf8') : data, 'out')
  })
  terminal.onExit(({ exitCode, signal = 0 }) => {
    over = true
    ending.exited(exitOf(exitCode, signal))
  })
  return {
    pid: terminal.pid,
    write(data) {
      if (over) throw new Error('The terminal is closed')
      terminal.write(data)
    },
    resize(cols, rows) {
      if (!over) terminal.resize(cols, rows)
    },
    pause() {
      paused = true
      terminal.pause()
    },
    resume() {
      paused = false
      terminal.resume()
    },
    lineMode: () => Promise.resolve(null),
  }
}
