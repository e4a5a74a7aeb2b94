import { type ChildProcess, spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { errorCode } from '../error-code'
import type { AgentLaunch } from './find-agents'
import { hostLimits } from './limits'

const stderrLines = 40
const drainMs = 300

/** The program of an agent, in a process group of its own, so that whatever it starts ends with it. */
export interface AgentProcess {
  readonly pid: number
  readonly input: WritableStream<Uint8Array>
  readonly output: ReadableStream<Uint8Array>
  /** Settles with how it ended, once its output is read. */
  readonly ended: Promise<string>
  /** The last lines it wrote to stderr. */
  lastWords(): string
  end(): Promise<void>
  kill(): void
}

export async function startAgent(
  { argv, name }: Pick<AgentLaunch, 'argv' | 'name'>,
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<AgentProcess> {
  const [program, ...args] = argv
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  const pid = await new Promise<number>((started, failed) => {
    child.once('spawn', () => started(child.pid as number))
    child.once('error', (error: NodeJS.ErrnoException) =>
      failed(
        new Error(
          error.code === 'ENOENT' ? `${name} cannot be started: there is no program ${program}` : error.message,
          { cause: error },
        ),
      ),
    )
  })
  const lines: string[] = []
  keepLines(child, lines)
  // A write to a program that has ended is reported by its end.
  child.stdin.on('error', () => {})
  child.on('error', () => {})
  const ended = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => {
      const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`
      // What it has started may hold its output open; what it wrote itself has come by then.
      setTimeout(() => resolve(how), drainMs).unref()
      child.once('close', () => resolve(how))
    }),
  )
  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-pid, signal)
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error
    }
  }
  return {
    pid,
    input: Writable.toWeb(child.stdin),
    output: Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>,
    ended,
    lastWords: () => lines.join('\n').slice(-4000),
    kill: () => signalGroup('SIGKILL'),
    async end() {
      child.stdin.end()
      signalGroup('SIGTERM')
      const timer = setTimeout(() => signalGroup('SIGKILL'), hostLimits.endMs)
      await ended
      clearTimeout(timer)
      // What it has started and left behind.
      signalGroup('SIGKILL')
    },
  }
}

function keepLines(child: ChildProcess, lines: string[]): void {
  let rest = ''
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', (chunk: string) => {
    const parts = (rest + stripVTControlCharacters(chunk)).split('\n')
    rest = (parts.pop() ?? '').slice(-2000)
    lines.push(...parts.filter((line) => line.trim() !== '').map((line) => line.slice(0, 500)))
    lines.splice(0, lines.length - stderrLines)
  })
}
