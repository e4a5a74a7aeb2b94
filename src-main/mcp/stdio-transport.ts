import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { errorCode } from '../error-code'

/** A longer message ends the server: it is too large to be useful. */
const maxMessageBytes = 16 * 1024 * 1024
const graceMs = 2000

interface StdioOptions {
  command: string
  args: readonly string[]
  cwd: string
  env: Record<string, string>
  onStderr(line: string): void
  /** Called before the program is ended by us, with the reason. */
  onEnding(why: string): void
}

/**
 * A server that is a local program: one JSON object per line over stdin and stdout. It has its own process group, so
 * that whatever it starts ends with it.
 */
export async function stdioTransport(options: StdioOptions): Promise<Transport & { readonly pid: number | undefined }> {
  const { deserializeMessage, serializeMessage } = await import('@modelcontextprotocol/client')
  /** The parts of an incomplete line. */
  let pieces: Buffer[] = []
  let held = 0
  let child: ChildProcessWithoutNullStreams | null = null
  let closing: Promise<void> | null = null
  /** Until what the program has left behind is ended. */
  let rest: NodeJS.Timeout | undefined

  const transport: Transport & { readonly pid: number | undefined; readonly stderr: null } = {
    // The client recognises a local program by the transport's `pid` and `stderr`.
    stderr: null,
    get pid() {
      return child?.pid
    },
    start: () =>
      new Promise((started, failed) => {
        const { command, args, cwd, env } = options
        const made = spawn(command, args, { cwd, env, detached: true, stdio: 'pipe', windowsHide: true })
        child = made
        made.once('spawn', started)
        made.on('error', (error: NodeJS.ErrnoException) => {
          if (made.pid !== undefined) transport.onerror?.(error)
          else
            failed(error.code === 'ENOENT' ? new Error(`there is no program ${command}, or no folder ${cwd}`) : error)
        })
        // What it has started ends with it, and must not hide that it has ended by keeping its output open.
        made.once('exit', () => {
          kill('SIGTERM')
          rest = setTimeout(() => {
            kill('SIGKILL')
            made.stdout.destroy()
            made.stderr.destroy()
          }, graceMs)
        })
        made.once('close', () => {
          clearTimeout(rest)
          child = null
          transport.onclose?.()
        })
        made.stdin.on('error', (error) => transport.onerror?.(error))
        made.stdout.on('data', receive)
        readLines(made, options.onStderr)
      }),
    send: (message: JSONRPCMessage) =>
      new Promise((sent, failed) => {
        if (!child?.stdin.writable) return failed(new Error('The server is not running'))
        child.stdin.write(serializeMessage(message), (error) => (error ? failed(error) : sent()))
      }),
    close() {
      closing ??= end()
      return closing
    },
  }

  function receive(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...pieces, chunk.subarray(from, end)]).toString()
      from = end + 1
      pieces = []
      held = 0
      if (line.trim() !== '') deliver(line)
    }
    pieces.push(chunk.subarray(from))
    held += chunk.length - from
    if (held <= maxMessageBytes) return
    options.onEnding(`It sent a message of more than ${maxMessageBytes / 1024 / 1024} MB, so it was ended`)
    pieces = []
    held = 0
    kill('SIGKILL')
  }

  function deliver(line: string): void {
    try {
      transport.onmessage?.(deserializeMessage(line))
    } catch (error) {
      // An invalid line is the server's mistake; the next one may be fine.
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Closes stdin, then asks the program to end, then kills it. */
  async function end(): Promise<void> {
    const running = child
    if (!running) return
    const ended = new Promise<void>((resolve) => running.once('close', () => resolve()))
    running.stdin.end()
    if (await within(ended, graceMs)) return
    kill('SIGTERM')
    if (await within(ended, graceMs)) return
    kill('SIGKILL')
    await within(ended, graceMs)
  }

  function kill(signal: NodeJS.Signals): void {
    if (child?.pid === undefined) return
    try {
      process.kill(-child.pid, signal)
    } catch (error) {
      // Nobody is left; macOS says EPERM where the last ones have ended and were not collected yet.
      if (!['ESRCH', 'EPERM'].includes(errorCode(error) ?? '')) throw error
    }
  }

  return transport
}

function within(ended: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    void ended.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

function readLines(child: ChildProcessWithoutNullStreams, tell: (line: string) => void): void {
  let rest = ''
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = (lines.pop() ?? '').slice(-10_000)
    for (const line of lines) tell(line)
  })
  child.stderr.on('close', () => {
    if (rest) tell(rest)
  })
}
