import { spawn } from 'node:child_process'
import { type Child, type ChildListener, createEnding } from './child'
import { removeGroup } from './control-group'
import { endWatch } from './end-watch'
import type { ProcessExit, ProcessSpec } from './process'
import { lineOf } from './windows/command-line'

/** Without a terminal: separate stdout and stderr, in its own process group so that signals reach all of it. */
export function spawnPipes(spec: ProcessSpec, listener: ChildListener): Promise<Child> {
  const [file, ...args] = spec.argv
  const isWindows = process.platform === 'win32'
  const child = spawn(file, isWindows ? [lineOf(spec.argv)] : args, {
    cwd: spec.cwd,
    env: spec.env,
    // On Windows it would open a console window; there a job object holds what the program starts.
    detached: !isWindows,
    stdio: 'pipe',
    windowsHide: true,
    windowsVerbatimArguments: isWindows,
  })
  const ending = createEnding({
    end: listener.end,
    giveUp() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
    isPaused: () => child.stdout.isPaused() || child.stderr.isPaused(),
  })

  let streams = 2
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const) {
    stream.on('data', (chunk: Buffer) => {
      ending.active()
      listener.output(chunk, name)
    })
    stream.on('error', () => stream.destroy())
    stream.on('close', () => {
      streams--
      if (streams === 0) ending.drained()
    })
  }
  // A program may close its stdin or end during a write: this write is lost and the next one is refused.
  child.stdin.on('error', () => child.stdin.destroy())
  let over = false
  const exited = (exit: ProcessExit) => {
    if (over) return
    over = true
    unwatch?.()
    removeGroup(spec.id)
    child.stdin.destroy()
    ending.exited(exit)
  }
  child.on('exit', (exitCode, signal) => exited({ exitCode, signal }))
  const unwatch = child.pid === undefined ? null : endWatch.watch(child.pid, exited)

  const running: Child = {
    get pid() {
      return child.pid ?? 0
    },
    write(data) {
      if (!child.stdin.writable) throw new Error('The program takes no more input')
      child.stdin.write(data)
    },
    resize() {},
    pause() {
      child.stdout.pause()
      child.stderr.pause()
    },
    resume() {
      child.stdout.resume()
      child.stderr.resume()
    },
    lineMode: () => Promise.resolve(null),
  }
  if (child.pid !== undefined) {
    child.on('error', (error) => console.error(`Process ${spec.id}:`, error))
    return Promise.resolve(running)
  }
  return new Promise((_, reject) => child.on('error', reject))
}
