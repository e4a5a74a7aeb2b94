import { spawn } from 'node:child_process'
import type { HookInfo } from '../../src-preload/contract/hooks'
import { commandEnv } from '../nodes/command-env'

export interface HookRun {
  /** `null` when it was ended by the time limit or a signal. */
  exitCode: number | null
  timedOut: boolean
  stdout: string
  stderr: string
}

const mostBytes = 64 * 1024

/** Runs one hook to its end, or to the end of its time: then it ends with all that it has started. */
export function runHook(
  { command, timeout }: HookInfo,
  input: object,
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<HookRun> {
  return new Promise((resolve) => {
    const env = commandEnv(process.env, { CLAUDE_PROJECT_DIR: cwd, DECKHAND_PROJECT_DIR: cwd })
    const child = spawn('/bin/sh', ['-c', command], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    const out = collect(child.stdout)
    const err = collect(child.stderr)
    let timedOut = false
    const end = (): void => {
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended by itself in this very moment.
      }
    }
    const timer = setTimeout(() => {
      timedOut = true
      end()
    }, timeout * 1000)
    signal.addEventListener('abort', end, { once: true })
    const finish = (exitCode: number | null, trouble = ''): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve({ exitCode, timedOut, stdout: out(), stderr: err() || trouble })
    }
    child.once('error', (error) => finish(null, error.message))
    child.once('close', (code) => finish(code))
    // A hook that reads nothing may have closed its input.
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(input))
    if (signal.aborted) end()
  })
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    if (bytes < mostBytes) chunks.push(chunk.subarray(0, mostBytes - bytes))
    bytes += chunk.length
  })
  return () => Buffer.concat(chunks).toString('utf8').trim()
}
