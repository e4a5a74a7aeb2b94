import { spawn } from 'node:child_process'
import type { KeySource } from '../../src-preload/contract/models'
import { ProviderFailure } from '../agent/failure'
import { isKey } from '../agent/http'
import { errorCode } from '../error-code'
import { usefulLine } from '../mcp/useful-line'
import { redact } from '../redact'

interface KeySourceOptions {
  env: Readonly<Record<string, string | undefined>>
  /** The user's own shell, which a command is written for. */
  shell: string
  /** Called with each key before it is used, so that logs can redact it. */
  onKey(key: string): void
  /** Called with the name of each variable that holds a key: a command could print it, and the model would read it. */
  onVariable?(name: string): void
  /** How long a command may take: it may ask the user for a passphrase. */
  limitMs?: number
  now?(): number
}

const usualLimitMs = 60_000
/** A command is not run for every request. What it gave may also expire, so it is not kept for long. */
const keepMs = 5 * 60_000
const maxBytes = 64 * 1024

/** Reads keys that are not stored by us: from environment variables, and from commands such as `pass show openai`. */
export function createKeySources(options: KeySourceOptions) {
  const { env, onKey } = options
  const now = options.now ?? Date.now
  const kept = new Map<string, { at: number; key: Promise<string> }>()

  const fromEnvironment = (name: string): string => {
    const key = env[name]?.trim()
    if (key) return key
    throw failure(
      `The environment variable ${name}, which should hold the key, is ${env[name] === undefined ? 'not set' : 'empty'}.`,
      'Set it where Deckhand is started from, and start Deckhand again. A program started from a menu does not see the variables of a terminal.',
    )
  }

  const fromCommand = (command: string): Promise<string> => {
    const known = kept.get(command)
    if (known && now() - known.at < keepMs) return known.key
    const key = run(command, options.shell, options.limitMs ?? usualLimitMs)
    kept.set(command, { at: now(), key })
    key.catch(() => kept.delete(command))
    return key
  }

  const withhold = (source: KeySource | undefined): void => {
    if (source?.kind === 'environment') options.onVariable?.(source.name)
  }

  return {
    withhold,
    /** Throws a `ProviderFailure` in words for the user. */
    read: async (source: KeySource): Promise<string> => {
      withhold(source)
      const key = source.kind === 'environment' ? fromEnvironment(source.name) : await fromCommand(source.command)
      onKey(key)
      if (isKey(key)) return key
      if (source.kind === 'command') kept.delete(source.command)
      throw notAKey(source)
    },
    /** The next key is read anew: the settings have changed, or a server has refused it. */
    forget: (): void => kept.clear(),
  }
}

const failure = (message: string, hint: string): ProviderFailure =>
  new ProviderFailure({ kind: 'auth', message, hint, retryable: true })

const notAKey = (source: KeySource): ProviderFailure => {
  const odd = 'characters that no key has, such as spaces or line breaks'
  return source.kind === 'environment'
    ? failure(
        `The environment variable ${source.name} holds ${odd}.`,
        'Set it to the key alone, and start Deckhand again.',
      )
    : failure(`${named(source.command)} wrote ${odd}.`, commandHint)
}

const named = (command: string): string => `The command for the key (${shortened(command)})`
const commandHint = 'Try it in a terminal, or change it in the settings of this provider.'

/** The first line that a command writes, which is where password managers have the secret. */
async function run(command: string, shell: string, limitMs: number): Promise<string> {
  const child = spawn(shell, ['-c', command], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (out.length < maxBytes) out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (err.length < maxBytes) err += text
  })
  let late = false
  const limit = setTimeout(() => {
    late = true
    endGroup(child.pid)
  }, limitMs)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    if (late) throw failure(`${named(command)} did not end within ${Math.round(limitMs / 1000)} seconds.`, commandHint)
    // What it wrote to stdout may be the key, so only stderr is shown.
    const said = redact(usefulLine(err.split('\n')), linesOf(out)).slice(0, 300)
    if (code !== 0)
      throw failure(
        `${named(command)} failed${code === null ? '' : ` with exit code ${code}`}${said && `: ${said}`}.`,
        commandHint,
      )
    const key = out.trimStart().split('\n', 1)[0]?.trim()
    if (key) return key
    throw failure(`${named(command)} wrote no key${said && `: ${said}`}.`, commandHint)
  } finally {
    clearTimeout(limit)
  }
}

/** The longest first: one may be a part of another. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .sort((one, other) => other.length - one.length)

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // It has ended by itself at this very moment.
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

const shortened = (command: string): string => (command.length > 60 ? `${command.slice(0, 59)}…` : command)
