import { isUtf8 } from 'node:buffer'
import { spawn } from 'node:child_process'
import { nameText } from '../../file-names'
import { NodeError } from '../node-error'

/** Folders with copies and databases, which are searched only if they are named. */
const skipped = ['.git', 'node_modules']

/** Options for every search: includes hidden files, and disregards the user's configuration and ignore files. */
export function searchOptions(named: string): string[] {
  const skip = skipped.filter((folder) => !named.includes(folder)).flatMap((folder) => ['--glob', `!${folder}`])
  return ['--no-config', '--no-messages', '--hidden', '--no-ignore', '--color=never', ...skip]
}

/** A search of a whole disk, or of a network folder that does not answer, must end at some point. */
const usualLimitMs = 120_000

interface SearchOptions {
  cwd: string
  separator: '\n' | '\0'
  signal: AbortSignal
  limitMs?: number
}

/**
 * The output of ripgrep, one record at a time; it ends with the loop that reads it, with `signal`, and after a time
 * limit. An invalid pattern is an `InvalidArgs` failure with ripgrep's message.
 */
export async function* ripgrep(
  args: string[],
  { cwd, separator, signal, limitMs = usualLimitMs }: SearchOptions,
): AsyncGenerator<string> {
  const { rgPath } = await import('@vscode/ripgrep')
  // A program cannot be started from inside the packaged archive.
  const program = rgPath.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  // Awaited below; until then a rejection must not count as unhandled.
  ended.catch(() => {})
  const stop = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  let late = false
  const limit = setTimeout(() => {
    late = true
    stop()
  }, limitMs)
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < 10_000) complaint += chunk.toString()
  })

  try {
    signal.throwIfAborted()
    yield* split(child.stdout, separator)
    const code = await ended
    signal.throwIfAborted()
    if (late) throw new NodeError('Timeout', `The search took more than ${limitMs / 1000} s. Search a smaller folder.`)
    // 1 means "nothing found"; without messages about single files, 2 is about the pattern.
    if (code === 2 && complaint !== '') throw new NodeError('InvalidArgs', complaint.replace(/^rg: /, '').trim())
  } finally {
    clearTimeout(limit)
    signal.removeEventListener('abort', stop)
    stop()
  }
}

async function* split(stream: AsyncIterable<Buffer>, separator: '\n' | '\0'): AsyncGenerator<string> {
  const mark = separator.charCodeAt(0)
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of stream) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let start = 0
    for (let end = bytes.indexOf(mark); end !== -1; end = bytes.indexOf(mark, start)) {
      yield textOf(bytes.subarray(start, end))
      start = end + 1
    }
    rest = bytes.subarray(start)
  }
  if (rest.length > 0) yield textOf(rest)
}

/** A record begins with a path, which ends with NUL if more follows. */
function textOf(record: Buffer): string {
  if (isUtf8(record)) return record.toString()
  const end = record.indexOf(0)
  return end === -1 ? nameText(record) : nameText(record.subarray(0, end)) + record.toString('utf8', end)
}
