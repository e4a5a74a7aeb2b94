import { spawn } from 'node:child_process'
import { NodeError } from '../node-error'

/** What a command left behind. */
export interface Outcome {
  exitCode: number
  stdout: Buffer
  stderr: Buffer
}

/** The way to a machine: how a program of this machine makes a shell there read a line. */
export interface RemoteShell {
  readonly label: string
  argv(command: string, options?: { stdin?: boolean; tty?: boolean }): [string, ...string[]]
  /** Of the programs that lead there. */
  readonly env: Readonly<Record<string, string>>
  /** Ends whatever is under way. */
  readonly signal?: AbortSignal
  /** Called before every use: opens what has to be open. Throws `NodeError`. */
  ready(): Promise<void>
  /** Whether the way stands now. */
  check(): Promise<boolean>
}

export const localShell = (env: Readonly<Record<string, string>>): RemoteShell => ({
  label: 'local',
  argv: (command) => ['sh', '-c', command],
  env,
  ready: () => Promise.resolve(),
  check: () => Promise.resolve(true),
})

/** What each kind of machine supplies; everything else follows from it. */
export interface OpenedShell {
  shell: RemoteShell
  /** What runs on this machine so that `command` runs there in `sh`. */
  argv(command: string, options?: { stdin?: boolean }): [string, ...string[]]
  close(): Promise<void>
}

/** For where the user's own shell may be none that a command for `sh` can be given to. */
export const forSh =
  (shell: RemoteShell): OpenedShell['argv'] =>
  (command, options) =>
    shell.argv(`exec sh -c ${quote(command)}`, options)

export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** For whoever names no limit: time enough to send a large file. */
const longestMs = 10 * 60_000

export interface RunOptions {
  stdin?: Uint8Array | string
  /** Ten minutes when left out. */
  timeoutMs?: number
  signal?: AbortSignal
  /** Of its output; then it is ended. */
  mostBytes?: number
  /** Also while everything else is being ended. */
  atClose?: true
  /** It may ask the user on the terminal that this process runs in, and belongs to its group for that. */
  onTerminal?: true
}

/** With this ssh says that the connection failed; a command may also end with it. */
const cutExit = 255
const cutLooks = 10
const cutLookMs = 100

/** Whether a program that ended with this code ended because the connection was cut, rather than by itself. */
export async function wasCut(shell: RemoteShell, exitCode: number | null): Promise<boolean> {
  if (exitCode !== cutExit) return false
  // The connection goes down by and by: its clients may end before it does.
  for (let look = 0; look < cutLooks; look++) {
    if (!(await shell.check())) return true
    await new Promise((resolve) => setTimeout(resolve, cutLookMs))
  }
  return false
}

/** Runs a script there, whatever its length: it travels by stdin, and what it starts finds its stdin at the end. */
export async function runScript(
  shell: RemoteShell,
  script: string,
  options: Omit<RunOptions, 'stdin'> = {},
): Promise<Outcome> {
  await shell.ready()
  const signals = [options.atClose ? undefined : shell.signal, options.signal].filter((each) => each !== undefined)
  return runArgv(shell.argv(`exec sh -c 'eval "$(cat)"'`, { stdin: true }), shell.env, {
    ...options,
    stdin: script,
    ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
  })
}

/** Runs a program of this machine to its end. An abort or the end of its time kills it with its group. */
export function runArgv(
  [file, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  { stdin, timeoutMs = longestMs, signal, mostBytes = Number.POSITIVE_INFINITY, onTerminal }: RunOptions = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const child = spawn(file, args, { env, stdio: 'pipe', detached: !onTerminal })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    const kill = () => {
      try {
        if (onTerminal) child.kill('SIGKILL')
        else if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
    const stop = (reason: unknown) => {
      settled()
      kill()
      reject(reason)
    }
    const abort = () => stop(signal?.reason)
    const late = () => stop(new NodeError('timeout', `timeout after ${timeoutMs / 1000}s`))
    const timer = setTimeout(late, timeoutMs)
    const settled = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    signal?.addEventListener('abort', abort, { once: true })
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      stdout.push(chunk)
      bytes += chunk.length
      if (bytes < mostBytes) return
      settled()
      kill()
      resolve({ exitCode: 0, stdout: Buffer.concat(stdout).subarray(0, mostBytes), stderr: Buffer.concat(stderr) })
    })
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    // A program may end before it has read everything.
    child.stdin.on('error', () => child.stdin.destroy())
    child.stdin.end(stdin)
    child.on('error', (error: NodeJS.ErrnoException) => {
      settled()
      const missing = error.code === 'ENOENT'
      reject(new NodeError(missing ? 'missing' : 'failed', missing ? `There is no program ${file}` : error.message))
    })
    child.on('close', (code) => {
      settled()
      resolve({ exitCode: code ?? -1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) })
    })
  })
}

/** The words of a failure, for a message. */
export const wordsOf = ({ stderr, stdout }: Outcome): string =>
  (stderr.toString().trim() || stdout.toString().trim()).slice(-500)
