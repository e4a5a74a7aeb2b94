import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Writable } from 'node:stream'
import { NodeError } from '../node-error'
import {
  type Outcome,
  outputMark,
  quote,
  type RemoteShell,
  runScript,
  skipToMark,
  wordsOf,
} from '../shell/remote-shell'
import { mimeOf, sniffBytes } from './local-transfer'
import { type FileSink, type FileSource, FileTrouble, type SinkProgress } from './node-files'
import { type Prefix, worthKeeping } from './partial-file'
import {
  type ComingFile,
  describeScript,
  digestScript,
  dropScript,
  finishScript,
  prepareScript,
  receiveScript,
  sendScript,
  troubles,
} from './transfer-scripts'

/** For ending a program that is done or given up. */
const endMs = 5_000
/** For a script that inspects a file or computes its digest. */
const scriptMs = 10 * 60_000
const mostErrorText = 4096

/** A file there, which a local program transfers as it is read. */
export async function openShellSource(shell: RemoteShell, path: string): Promise<FileSource> {
  const said = await ask(shell, path, describeScript(path, sniffBytes))
  const lineEnd = said.indexOf('\n')
  const size = Number(said.toString('latin1', 0, lineEnd))
  const mime = await mimeOf(said.subarray(lineEnd + 1))
  const stop = new AbortController()
  let sent = 0
  let program: Program | null = null
  let chunks: AsyncIterator<Buffer> | null = null

  const begin = async (): Promise<AsyncIterator<Buffer>> => {
    await shell.ready()
    program = startThere(shell, sendScript(path, sent))
    return program.stdout[Symbol.asyncIterator]()
  }
  return {
    size,
    mime,
    beginsWith: async ({ bytes, sha256 }) =>
      bytes <= size && (await ask(shell, path, digestScript(path, bytes), stop.signal)).toString().trim() === sha256,
    startAt(offset) {
      sent = offset
    },
    async next(headroom) {
      if (sent === size || stop.signal.aborted) return null
      chunks ??= await begin()
      const { value, done } = await chunks.next().catch((error: unknown) => {
        // Closed while it was read.
        if (stop.signal.aborted) return { value: undefined, done: true }
        throw error
      })
      if (stop.signal.aborted) return null
      if (done || !value) throw await endedEarly()
      // What was added to the file since is left out.
      const piece = value.subarray(0, size - sent)
      sent += piece.length
      if (sent === size) program?.kill()
      return Buffer.concat([Buffer.alloc(headroom), piece])
    },
    async close() {
      stop.abort()
      program?.kill()
    },
  }

  async function endedEarly(): Promise<Error> {
    const ended = await program?.ended
    if (!ended || ended.exitCode === 0) return new FileTrouble(`${path} became shorter while it was read`)
    return failureOf(shell, path, ended)
  }
}

/** A file there, which a local program writes; it is moved to its place when complete. */
export async function openShellSink(
  shell: RemoteShell,
  path: string,
  size: number,
  progress: SinkProgress,
  resume: boolean,
): Promise<FileSink> {
  const stop = new AbortController()
  const file: ComingFile = { path, size, token: randomBytes(4).toString('hex') }
  const kept = prefixOf(await ask(shell, path, prepareScript(file, resume)))
  let left = 0
  let receiver: Program | null = null

  const receive = (): Program => {
    if (receiver) return receiver
    const program = startThere(shell, receiveScript(file, left > 0))
    receiver = program
    void program.ended.then((done) => {
      if (done.exitCode !== 0 && !stop.signal.aborted) progress.failed(failureOf(shell, path, done))
    })
    return program
  }
  return {
    kept,
    startAt(offset) {
      left = offset
    },
    write(chunk, release) {
      receive().stdin.write(chunk, (error) => {
        release?.()
        if (error) return // The program has ended, and its result says why.
        left += chunk.length
        progress.written(left)
      })
    },
    async finish() {
      const program = receive()
      program.stdin.end()
      const done = await program.ended
      if (done.exitCode !== 0) throw failureOf(shell, path, done)
      await ask(shell, path, finishScript(file), stop.signal)
      return left
    },
    /** The receiving program keeps what it has when its input ends; it is killed if it does not end by then. */
    async abort(keep = false) {
      stop.abort()
      if (receiver) {
        receiver.stdin.destroy()
        const timer = setTimeout(receiver.kill, endMs)
        await receiver.ended
        clearTimeout(timer)
      }
      if (keep && left >= worthKeeping) return
      // If the machine cannot be reached, the next attempt removes the file.
      await runScript(shell, dropScript(file), { timeoutMs: endMs }).catch(() => {})
    },
  }
}

function prefixOf(said: Buffer): Prefix | null {
  const [bytes, sha256] = said.toString().trim().split(' ')
  return bytes && sha256 ? { bytes: Number(bytes), sha256 } : null
}

interface Program {
  stdin: Writable
  stdout: AsyncIterable<Buffer>
  /** Never rejects. */
  ended: Promise<Outcome>
  kill(): void
}

function startThere(shell: RemoteShell, script: string): Program {
  const token = randomBytes(12).toString('hex')
  const [program, ...args] = shell.argv(`exec sh -c ${quote(`${outputMark(token)}; ${script}`)}`, { stdin: true })
  const child = spawn(program, args, { env: shell.env, stdio: 'pipe', detached: true })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-mostErrorText)
  })
  child.stdin.on('error', () => child.stdin.destroy())
  const outcome = (exitCode: number, words: string): Outcome => ({
    exitCode,
    stdout: Buffer.alloc(0),
    stderr: Buffer.from(words),
  })
  const ended = new Promise<Outcome>((resolve) => {
    child.on('error', (error) => resolve(outcome(-1, error.message)))
    child.on('close', (code) => resolve(outcome(code ?? -1, stderr)))
  })
  return { stdin: child.stdin, stdout: afterGreeting(child.stdout, token), ended, kill: () => void child.kill() }
}

/** Without what the user's own shell says at its start. */
async function* afterGreeting(stdout: AsyncIterable<Buffer>, token: string): AsyncIterable<Buffer> {
  const output = skipToMark(token)
  for await (const chunk of stdout) {
    const rest = output(chunk)
    if (rest.length > 0) yield rest
  }
}

async function ask(shell: RemoteShell, path: string, script: string, signal?: AbortSignal): Promise<Buffer> {
  const done = await runScript(shell, script, { timeoutMs: scriptMs, signal })
  if (done.exitCode !== 0) throw failureOf(shell, path, done)
  return done.stdout
}

/** A problem with the file, or with the connection: any exit code that is not one of our scripts'. */
function failureOf(shell: RemoteShell, path: string, done: Outcome): Error {
  const trouble = troubles.get(done.exitCode)
  const said = wordsOf(done)
  if (trouble === undefined)
    return new NodeError('unreachable', `The connection to ${shell.label} was lost${said && ` (${said})`}`)
  return new FileTrouble(said === '' ? `${path} ${trouble}` : `${path} ${trouble}: ${said}`)
}
