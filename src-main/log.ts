import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { redact } from './redact'
import { systemWords } from './storage/system-words'

type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

interface FileLogger extends Logger {
  /** From now on this text is never written, wherever it appears. */
  hide(secret: string): void
  /** A text that leaves the app, without what the log would not show either. */
  clean(text: string): string
}

const maxBytes = 5 * 1024 * 1024
const keptFiles = 3
const weight: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }

/** Too short to be a secret, and too likely to be a part of ordinary words. */
const shortestSecret = 6

/** JSON lines in `logs/deckhand.log` of the data folder, the last 15 MB of them, without secrets. */
export const openLog = (
  dataDir: string,
  options: { level?: LogLevel; clock?: () => number; maxBytes?: number } = {},
): FileLogger => {
  const folder = join(dataDir, 'logs')
  const path = join(folder, 'deckhand.log')
  const least = weight[options.level ?? 'info']
  const limit = options.maxBytes ?? maxBytes
  const secrets = new Set<string>()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let told = false
  let size = existsSync(path) ? statSync(path).size : 0

  const write = (level: LogLevel, message: string, fields: Record<string, unknown> = {}): void => {
    if (weight[level] < least) return
    const time = new Date(options.clock?.() ?? Date.now()).toISOString()
    const line = `${redact(JSON.stringify({ time, level, message, ...plain(fields) }), secrets)}\n`
    const bytes = Buffer.byteLength(line)
    try {
      if (size > 0 && size + bytes > limit) {
        rotate(path)
        size = 0
      }
      // At once and in order, so that the last line before a crash is there. Few lines are written.
      appendFileSync(path, line, { mode: 0o600 })
      size += bytes
      told = false
    } catch (error) {
      // A full disk must not take the app down with it, and there is nowhere else to tell. Once is enough.
      if (!told) process.stderr.write(`deckhand: the log ${path} cannot be written: ${systemWords(error)}.\n`)
      told = true
    }
  }

  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    clean: (text) => redact(text, secrets),
    hide: (secret) => {
      if (secret.length < shortestSecret) return
      secrets.add(secret)
      // As it would look inside a JSON string.
      secrets.add(JSON.stringify(secret).slice(1, -1))
    },
  }
}

/** For tests and one-off commands. */
export const silentLog: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const rotate = (path: string): void => {
  for (let n = keptFiles - 1; n >= 1; n--) {
    const older = n === 1 ? path : `${path}.${n - 1}`
    if (existsSync(older)) renameSync(older, `${path}.${n}`)
  }
}

const plain = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, value instanceof Error ? flatten(value) : value]),
  )

const flatten = (error: Error): Record<string, unknown> => ({
  name: error.name,
  message: error.message,
  stack: error.stack,
  ...(error.cause instanceof Error && { cause: flatten(error.cause) }),
})
