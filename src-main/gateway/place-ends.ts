import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import type { Writable } from 'node:stream'
import { BackendError, type Outcome } from '../nodes/backend'
import { quote, type Reach, runScript, wordsOf } from '../nodes/reach'
import { GatewayError } from './errors'
import { mimeOf, sniffBytes } from './file-ends'
import { worthKeeping } from './partial-file'
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
} from './place-scripts'
import type { SinkEnd, SourceEnd } from './transfer-ends'
import { binaryFrame, headerBytes, transferWindow } from './wire'

/** A node that programs of this machine lead to: an ssh host, a container, tmux. */
export interface TransferPlace {
  id: string
  reach: Reach
  /** Where relative paths start. */
  workspace: string
}

/** For the end of a program whose work is over or given up. */
const endMs = 5_000
const mostErrorText = 4096

/** A file there, which a program of this machine brings here as it is read. */
export function placeSource(place: TransferPlace, given: string): SourceEnd {
  const path = posix.resolve(place.workspace, given)
  const stop = new AbortController()
  let size = 0
  let acked = 0
  let wake = (): void => {}
  let program: Program | null = null
  return {
    async open() {
      const said = await ask(place, path, describeScript(path, sniffBytes), stop.signal)
      const lineEnd = said.indexOf('\n')
      size = Number(said.toString('latin1', 0, lineEnd))
      const mime = await mimeOf(said.subarray(lineEnd + 1))
      return { size, ...(mime && { mime }), resumable: true }
    },
    async beginsWith({ bytes, sha256 }) {
      if (bytes > size) return false
      return (await ask(place, path, digestScript(path, bytes), stop.signal)).toString().trim() === sha256
    },
    async start(push, offset) {
      let sent = offset
      acked = offset
      if (sent === size) return
      await place.reach.ready().catch((error: unknown) => outOfReach(place, error))
      program = startThere(place.reach, sendScript(path, offset))
      for await (const chunk of program.stdout) {
        const piece = chunk.subarray(0, size - sent)
        push(binaryFrame(0, piece), () => {})
        sent += piece.length
        // What has been added to the file since is not part of it.
        if (sent === size) return program.kill()
        while (!stop.signal.aborted && sent - acked >= transferWindow) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
        if (stop.signal.aborted) return
      }
      const done = await program.ended
      if (done.exitCode === 0) throw new GatewayError(500, `${path} became shorter while it was read`)
      throw failureOf(place, path, done)
    },
    ack(bytes) {
      acked = bytes
      wake()
    },
    abort() {
      stop.abort()
      program?.kill()
      wake()
    },
  }
}

/** A file there that a program of this machine fills; it takes its place when it is whole. */
export function placeSink(place: TransferPlace, given: string): SinkEnd {
  const { reach } = place
  const path = posix.resolve(place.workspace, given)
  const stop = new AbortController()
  const token = randomBytes(4).toString('hex')
  let file: ComingFile = { path, size: 0, token }
  /** Something may be there that has to be tidied away. */
  let prepared = false
  let left = 0
  let receiver: Program | null = null

  const receive = (): Program => {
    if (receiver) return receiver
    const program = startThere(reach, receiveScript(file, left > 0))
    receiver = program
    void program.ended.then((done) => {
      if (done.exitCode !== 0 && !stop.signal.aborted) end.onFailure(failureOf(place, path, done))
    })
    return program
  }

  const end: SinkEnd = {
    onAck: () => {},
    onLeft: () => {},
    onFailure: () => {},
    async open({ size, resumable = false }) {
      file = { path, size, token }
      prepared = true
      const [bytes, sha256] = (await ask(place, path, prepareScript(file, resumable), stop.signal))
        .toString()
        .trim()
        .split(' ')
      return bytes && sha256 ? { bytes: Number(bytes), sha256 } : null
    },
    startAt(offset) {
      left = offset
    },
    write(frame, release) {
      const piece = frame.subarray(headerBytes)
      receive().stdin.write(piece, (error) => {
        release()
        if (error) return // The program has ended, and tells why.
        left += piece.length
        end.onLeft(left)
        end.onAck(left)
      })
    },
    async finish() {
      const program = receive()
      program.stdin.end()
      const done = await program.ended
      if (done.exitCode !== 0) throw failureOf(place, path, done)
      await ask(place, path, finishScript(file), stop.signal)
      return left
    },
    abort(keep) {
      stop.abort()
      void tidy(keep && left >= worthKeeping)
    },
  }
  /** A program whose input ends lays down what it has, unless it does not hear of it. */
  const tidy = async (keep: boolean): Promise<void> => {
    if (receiver) {
      receiver.stdin.destroy()
      const timer = setTimeout(receiver.kill, endMs)
      await receiver.ended
      clearTimeout(timer)
    }
    if (keep || !prepared) return
    // Out of reach: the next attempt does it.
    await runScript(reach, dropScript(file), { timeoutMs: endMs }).catch(() => {})
  }
  return end
}

interface Program {
  stdin: Writable
  stdout: AsyncIterable<Buffer>
  /** Never rejects. */
  ended: Promise<Outcome>
  kill(): void
}

function startThere(reach: Reach, script: string): Program {
  const [program, ...args] = reach.argv(`exec sh -c ${quote(script)}`, { stdin: true })
  const child = spawn(program, args, { env: reach.env, stdio: 'pipe', detached: true })
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
  return { stdin: child.stdin, stdout: child.stdout, ended, kill: () => void child.kill() }
}

async function ask(place: TransferPlace, path: string, script: string, signal: AbortSignal): Promise<Buffer> {
  const done = await runScript(place.reach, script, { signal }).catch((error: unknown) => outOfReach(place, error))
  if (done.exitCode !== 0) throw failureOf(place, path, done)
  return done.stdout
}

function outOfReach({ id }: TransferPlace, error: unknown): never {
  if (!(error instanceof BackendError)) throw error
  throw new GatewayError(503, `Node ${id} is out of reach: ${error.message}`)
}

function failureOf({ id }: TransferPlace, path: string, done: Outcome): GatewayError {
  const trouble = troubles.get(done.exitCode)
  const said = wordsOf(done)
  if (trouble === undefined) return new GatewayError(503, `Node disconnected: ${id}${said && ` (${said})`}`)
  return new GatewayError(500, said === '' ? `${path} ${trouble}` : `${path} ${trouble}: ${said}`, false)
}
