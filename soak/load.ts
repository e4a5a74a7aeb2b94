import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Keeps every core busy until it is stopped. */
export function startLoad(): { workers: number; stop(): void } {
  const workers = Array.from({ length: availableParallelism() }, (): ChildProcess => {
    return spawn('/bin/sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' })
  })
  const stop = (): void => {
    for (const each of workers) each.kill('SIGKILL')
  }
  process.once('exit', stop)
  return { workers: workers.length, stop }
}
