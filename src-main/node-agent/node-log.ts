import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../log'
import { redact } from '../redact'

const maxBytes = 10 * 1024 * 1024
const keptFiles = 5
/** Enough for the largest number of lines that can be requested. */
const tailBytes = 8 * 1024 * 1024

export interface NodeLog extends Logger {
  readonly path: string
  /** The last lines, oldest first. */
  tail(lines: number): Promise<{ lines: string[]; truncated: boolean }>
}

/** JSON lines in `logs/node.log`, without the node's token. */
export function openNodeLog(
  folder: string,
  secrets: readonly string[],
  options: { maxBytes?: number; echo?: boolean } = {},
): NodeLog {
  const logs = join(folder, 'logs')
  const path = join(logs, 'node.log')
  const limit = options.maxBytes ?? maxBytes
  mkdirSync(logs, { recursive: true, mode: 0o700 })
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0

  const write = (level: keyof Logger, message: string, fields: Record<string, unknown> = {}): void => {
    const line = `${redact(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }), secrets)}\n`
    if (size > 0 && size + line.length > limit) {
      rotate(path)
      size = 0
    }
    appendFileSync(path, line, { mode: 0o600 })
    size += Buffer.byteLength(line)
    if (options.echo && level !== 'debug') process.stderr.write(`deckhand node: ${message}${detailOf(fields)}\n`)
  }

  return {
    path,
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    async tail(count) {
      const found: string[] = []
      // The current file may have just been rotated, so the previous one is read too.
      for (const file of [path, `${path}.1`]) {
        const { lines, whole } = await lastLines(file)
        found.unshift(...lines)
        if (found.length > count || !whole) break
      }
      return { lines: found.slice(-count), truncated: found.length > count }
    },
  }
}

const detailOf = (fields: Record<string, unknown>): string =>
  typeof fields.reason === 'string' ? `: ${fields.reason}` : ''

async function lastLines(path: string): Promise<{ lines: string[]; whole: boolean }> {
  if (!existsSync(path)) return { lines: [], whole: true }
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - tailBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    lines.pop()
    if (start > 0) lines.shift()
    return { lines, whole: start === 0 }
  } finally {
    await file.close()
  }
}

function rotate(path: string): void {
  for (let n = keptFiles - 1; n >= 1; n--) {
    const older = n === 1 ? path : `${path}.${n - 1}`
    if (existsSync(older)) renameSync(older, `${path}.${n}`)
  }
}
