import { createPlainText } from '../../nodes/plain-text'
import { endedCommand } from '../shell/ended-command'
import { type ToolContext, ToolFailure, type ToolResult } from '../tool'
import { ClientRefusal, ClientSilence, type ClientTerminal, type SessionClient } from './session-client'

interface ClientRun {
  command: string
  argv: readonly [string, ...string[]]
  cwd: string
  env: Readonly<Record<string, string>>
  /** 0 for none. */
  limitMs: number
  mostChars: number
  tailChars: number
}

/** How long a killed command may take to end. */
const dyingMs = 5_000
const longestTimerMs = 2 ** 31 - 1

/**
 * Runs a command in a terminal of the session's client until it ends, or until its limit has passed; an abort of the
 * call ends it. `null` if the client refused the terminal: nothing has run then.
 */
export async function runInClient(
  client: SessionClient,
  run: ClientRun,
  context: ToolContext,
): Promise<ToolResult | null> {
  const { command, argv, cwd, env, mostChars } = run
  const startedAt = Date.now()
  const terminal = await open(client, { argv, cwd, env, mostBytes: mostChars })
  if (!terminal) return null
  const shown = { type: 'process', processId: '', command, clientTerminal: terminal.id } as const
  try {
    // The call may have been stopped while the terminal was opened.
    context.signal.throwIfAborted()
    context.show(shown)
    const end = await ended(terminal, run.limitMs, context.signal)
    if (end === null)
      throw new ToolFailure(
        'Timeout',
        `The command was ended after ${run.limitMs / 1000} s, but ${client.name} did not report its end: it may still be running.`,
        { display: shown },
      )
    const { text, truncated } = await terminal.output()
    const output = plain(text).slice(-mostChars)
    const endedAt = Date.now()
    const tail = output.slice(-run.tailChars)
    const cut = truncated || text.length > mostChars
    return {
      content: endedCommand({ ...end, startedAt, endedAt, output, tail, truncated: cut, workdir: cwd }),
      display: { ...shown, exitCode: end.exitCode, tail, bytes: Buffer.byteLength(text) },
    }
  } catch (error) {
    if (error instanceof ClientRefusal || error instanceof ClientSilence)
      throw new ToolFailure('ExecutionFailed', `${error.message} How the command ended is not known.`, {
        display: shown,
      })
    throw error
  } finally {
    // Ends the command as well, if it still runs.
    await terminal.release().catch(() => {
      // A client that is gone has ended it; one that does not answer was asked to.
    })
  }
}

async function open(
  client: SessionClient,
  wanted: Parameters<NonNullable<SessionClient['openTerminal']>>[0],
): Promise<ClientTerminal | null> {
  try {
    return (await client.openTerminal?.(wanted)) ?? null
  } catch (error) {
    if (error instanceof ClientRefusal) return null
    if (!(error instanceof ClientSilence)) throw error
    throw new ToolFailure(
      'ExecutionFailed',
      `${error.message} Whether the command has run is not known: check that before you run it again.`,
    )
  }
}

interface End {
  exitCode: number | null
  signal: string | null
  timedOut: boolean
}

/** How the command ended; `null` if it was killed but its end was not reported. Rejects when the call is aborted. */
async function ended(terminal: ClientTerminal, limitMs: number, signal: AbortSignal): Promise<End | null> {
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => {})
  const onAbort = (): void => stopped.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    const within = limitMs > 0 ? after(Math.min(limitMs, longestTimerMs)) : null
    const first = await Promise.race([terminal.ended, stopped.promise, ...(within ? [within.over] : [])]).finally(
      within?.clear,
    )
    if (first) return { ...first, timedOut: false }
    await terminal.kill()
    const dying = after(dyingMs)
    const last = await Promise.race([terminal.ended, stopped.promise, dying.over]).finally(dying.clear)
    return last && { ...last, timedOut: true }
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function after(ms: number): { over: Promise<null>; clear(): void } {
  const { promise, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), ms).unref()
  return { over: promise, clear: () => clearTimeout(timer) }
}

/** As it looks on the screen, without colors and control characters. */
function plain(text: string): string {
  const reader = createPlainText()
  return reader.push(text) + reader.end()
}
