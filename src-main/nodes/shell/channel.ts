import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { NodeError } from '../node-error'
import { afterMark, type Outcome, type RemoteShell, startMark, wordsOf } from './remote-shell'

/**
 * A remote shell that stays open and reads one line after another, so that a command needs no new connection. Each line
 * ends by writing its token, with the exit code on stdout and alone on stderr; everything before that is its output.
 */
export interface Channel {
  readonly open: boolean
  /** Whether a request still runs there, perhaps one that is no longer awaited. */
  readonly occupied: boolean
  /**
   * `line` gets the token and returns shell text without line breaks. Requests run one after another. An abort or
   * timeout ends the wait, not the command.
   */
  request(line: (token: string) => string, options?: { timeoutMs?: number; signal?: AbortSignal }): Promise<Outcome>
  close(): void
}

/** The shell text that writes the token when a line is done; `code` is a shell expression. */
export const endMarks = (token: string, code = '$?'): string =>
  `printf '\\n%s %s\\n' ${token} "${code}"; printf '\\n%s\\n' ${token} >&2`

interface Waiting {
  token: string
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** `prelude` runs once, before the first line. */
export async function openChannel(shell: RemoteShell, prelude: string): Promise<Channel> {
  await shell.ready()
  const [file, ...args] = shell.argv(
    `exec sh -c 'IFS= read -r L; eval "$L"; while IFS= read -r L; do eval "$L"; done'`,
    {
      stdin: true,
    },
  )
  const child = spawn(file, args, { env: shell.env, stdio: 'pipe', detached: true })
  return speak(child, prelude)
}

function speak(child: ChildProcessWithoutNullStreams, prelude: string): Channel {
  const queue: { start(): void; reject(error: unknown): void }[] = []
  let waiting: Waiting | null = null
  let open = true
  const out = createCollector()
  const err = createCollector()
  const begin = randomBytes(12).toString('hex')

  const next = () => {
    waiting = null
    queue.shift()?.start()
  }
  const settle = () => {
    if (!waiting) return
    const stdout = out.until(waiting.token)
    const stderr = stdout && err.until(waiting.token)
    if (!stdout || !stderr) return
    const { resolve } = waiting
    out.take(stdout.end)
    err.take(stderr.end)
    next()
    resolve({
      exitCode: Number(stdout.word) || 0,
      stdout: afterMark(stdout.before, begin),
      stderr: afterMark(stderr.before, begin),
    })
  }
  const end = (why: string) => {
    if (!open) return
    open = false
    const error = new NodeError('unreachable', why)
    waiting?.reject(error)
    waiting = null
    for (const { reject } of queue.splice(0)) reject(error)
  }
  child.stdout.on('data', (chunk: Buffer) => {
    out.push(chunk)
    settle()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err.push(chunk)
    settle()
  })
  child.stdin.on('error', () => child.stdin.destroy())
  child.on('error', (error) => end(error.message))
  child.on('close', (exitCode) =>
    end(
      wordsOf({ exitCode: exitCode ?? -1, stdout: Buffer.alloc(0), stderr: err.rest() }) || 'The connection was lost',
    ),
  )
  child.stdin.write(`${startMark(begin)}; ${prelude}\n`)

  return {
    get open() {
      return open
    },
    get occupied() {
      return waiting !== null
    },
    request(line, { timeoutMs, signal } = {}) {
      return new Promise<Outcome>((resolve, reject) => {
        if (!open) return reject(new NodeError('unreachable', 'The connection was lost'))
        if (signal?.aborted) return reject(signal.reason)
        const settled = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', abort)
        }
        const give = (error: unknown) => {
          settled()
          reject(error)
        }
        const abort = () => give(signal?.reason)
        const timer =
          timeoutMs === undefined
            ? undefined
            : setTimeout(() => give(new NodeError('timeout', `timeout after ${timeoutMs / 1000}s`)), timeoutMs)
        signal?.addEventListener('abort', abort, { once: true })
        const start = () => {
          const token = randomBytes(12).toString('hex')
          waiting = {
            token,
            resolve(outcome) {
              settled()
              resolve(outcome)
            },
            reject: give,
          }
          child.stdin.write(`${line(token)}\n`)
        }
        if (waiting) queue.push({ start, reject: give })
        else start()
      })
    },
    close() {
      end('The connection was closed')
      child.stdin.destroy()
      child.kill()
    },
  }
}

interface Found {
  before: Buffer
  /** The text next to the token. */
  word: string
  end: number
}

/** Collects the bytes received so far, and finds a token in them. */
function createCollector() {
  let chunks: Buffer[] = []
  let length = 0
  /** The token cannot start before this offset. */
  let searched = 0

  const whole = (): Buffer => {
    if (chunks.length > 1) chunks = [Buffer.concat(chunks, length)]
    return chunks[0] ?? Buffer.alloc(0)
  }
  return {
    push(chunk: Buffer): void {
      chunks.push(chunk)
      length += chunk.length
    },
    rest: whole,
    until(token: string): Found | null {
      const mark = `\n${token}`
      const tail = tailOf(chunks, Math.max(0, length - searched))
      const at = tail.indexOf(mark)
      const lineEnd = at < 0 ? -1 : tail.indexOf('\n', at + mark.length)
      if (lineEnd < 0) {
        searched = Math.max(0, length - (at < 0 ? mark.length : tail.length - at))
        return null
      }
      const offset = length - tail.length
      const bytes = whole()
      return {
        before: bytes.subarray(0, offset + at),
        word: tail.toString('latin1', at + mark.length, lineEnd).trim(),
        end: offset + lineEnd + 1,
      }
    },
    take(end: number): void {
      chunks = [whole().subarray(end)]
      length -= end
      searched = 0
    },
  }
}

/** The last chunks that hold at least `bytes`, so that megabytes are not joined again for every new piece. */
function tailOf(chunks: readonly Buffer[], bytes: number): Buffer {
  let from = chunks.length
  let have = 0
  while (from > 0 && have < bytes) {
    from--
    have += chunks[from]?.length ?? 0
  }
  const needed = chunks.slice(from)
  return needed.length === 1 && needed[0] ? needed[0] : Buffer.concat(needed)
}
