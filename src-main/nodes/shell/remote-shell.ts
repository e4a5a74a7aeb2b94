import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { errorCode } from '../../error-code'
import { NodeError } from '../node-error'

/** The result of a command. */
export interface Outcome {
  exitCode: number
  stdout: Buffer
  stderr: Buffer
}

/** The connection to a machine: how a local program makes a shell there run a line. */
export interface RemoteShell {
  readonly label: string
  argv(command: string, options?: { stdin?: boolean; tty?: boolean }): [string, ...string[]]
  /** The environment of the local programs that connect. */
  readonly env: Readonly<Record<string, string>>
  /** Aborts whatever is running. */
  readonly signal?: AbortSignal
  /** Called before every use: opens the connection if necessary. Throws `NodeError`. */
  ready(): Promise<void>
  /** Whether the connection is up now. */
  check(): Promise<boolean>
}

export const localShell = (env: Readonly<Record<string, string>>): RemoteShell => ({
  label: 'local',
  argv: (command) => ['sh', '-c', command],
  env,
  ready: () => Promise.resolve(),
  check: () => Promise.resolve(true),
})

/** What each kind of machine implements; everything else is derived from it. */
export interface OpenedShell {
  shell: RemoteShell
  /** The local argv that runs `command` there in `sh`. */
  argv(command: string, options?: { stdin?: boolean }): [string, ...string[]]
  close(): Promise<void>
}

/** For machines where the user's own shell may not understand commands for `sh`. */
export const forSh =
  (shell: RemoteShell): OpenedShell['argv'] =>
  (command, options) =>
    shell.argv(`exec sh -c ${quote(command)}`, options)

export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The default limit: enough to send a large file. */
const longestMs = 10 * 60_000

export interface RunOptions {
  stdin?: Uint8Array | string
  /** Ten minutes by default. */
  timeoutMs?: number
  signal?: AbortSignal
  /** Limit on the output; beyond it the program is ended. */
  mostBytes?: number
  /** Runs even while everything else is being ended. */
  atClose?: true
  /** May ask the user on the terminal of this process, and stays in its process group for that. */
  onTerminal?: true
}

/** ssh's exit code for a failed connection; a command may also end with it. */
export const cutExit = 255
const cutLooks = 10
const cutLookMs = 100

/** Whether a program with this exit code ended because the connection was lost, rather than by itself. */
export async function wasCut(shell: RemoteShell, exitCode: number | null): Promise<boolean> {
  if (exitCode !== cutExit) return false
  // The connection goes down gradually: its clients may end before it does.
  for (let look = 0; look < cutLooks; look++) {
    if (!(await shell.check())) return true
    await new Promise((resolve) => setTimeout(resolve, cutLookMs))
  }
  return false
}

/** Written before anything else, so that what the user's own shell says at its start can be left out. */
export const outputMark = (token: string): string => `printf '\\n%s\\n' ${token}`

/** The same for both outputs. */
export const startMark = (token: string): string => `${outputMark(token)}; ${outputMark(token)} >&2`

/** What comes after the mark; everything if it is not there, since then the shell did not get as far. */
export const afterMark = (bytes: Buffer, token: string): Buffer => {
  const mark = `\n${token}\n`
  const at = bytes.indexOf(mark)
  return at < 0 ? bytes : bytes.subarray(at + mark.length)
}

/** The same for an output that is followed: gives what comes after the mark, and nothing before. */
export function skipToMark(token: string): (chunk: Buffer) => Buffer {
  let before: Buffer | null = Buffer.alloc(0)
  return (chunk) => {
    if (!before) return chunk
    const seen: Buffer = Buffer.concat([before, chunk])
    const rest = afterMark(seen, token)
    // All that may still be needed is a part of the mark, however much a shell says.
    before = rest === seen ? seen.subarray(-(token.length + 2)) : null
    return before ? Buffer.alloc(0) : rest
  }
}

const greeters = new WeakSet<RemoteShell>()

/** Whether a script has found that the user's own shell says something at its start. */
export const greets = (shell: RemoteShell): boolean => greeters.has(shell)

/** Runs a script of any length there: it is sent by stdin, and what it starts has an empty stdin. */
export async function runScript(
  shell: RemoteShell,
  script: string,
  options: Omit<RunOptions, 'stdin'> = {},
): Promise<Outcome> {
  await shell.ready()
  const signals = [options.atClose ? undefined : shell.signal, options.signal].filter((each) => each !== undefined)
  const token = randomBytes(12).toString('hex')
  const done = await runArgv(shell.argv(`exec sh -c 'eval "$(cat)"'`, { stdin: true }), shell.env, {
    ...options,
    stdin: `${startMark(token)}\n${script}`,
    ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
  })
  if (done.stdout.indexOf(`\n${token}\n`) > 0) greeters.add(shell)
  return { ...done, stdout: afterMark(done.stdout, token), stderr: afterMark(done.stderr, token) }
}

/** Runs a local program to its end. An abort or timeout kills its process group. */
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
        if (errorCode(error) !== 'ESRCH') throw error
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

/** The message of a failure. */
export const wordsOf = ({ stderr, stdout }: Outcome): string =>
  (stderr.toString().trim() || stdout.toString().trim()).slice(-500)
