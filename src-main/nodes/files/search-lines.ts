import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { NodeError } from '../node-error'
import type { SearchMatch, SearchRequest, SearchResult } from './node-files'
import { withFile } from './open-file'
import { ripgrep, searchOptions } from './ripgrep'
import { requireSearchable } from './searchable'

const maxLineChars = 200
/** A followed link may lead to a whole disk. */
const searchLimitMs = 60_000
const checkedBytes = 64 * 1024 * 1024

/** Matching lines in files of UTF-8 text; at most `limit`, and whether there are more. */
export async function searchLines(
  { pattern, include, base, limit }: SearchRequest,
  signal: AbortSignal,
): Promise<SearchResult> {
  const place = await requireSearchable(base, 'any')
  const args = [
    ...['--line-number', '--null', '--no-heading', '--with-filename', '--follow'],
    // Longer lines are cut below; this keeps a file with one huge line from being read into memory.
    ...[`--max-columns=${maxLineChars * 4}`, '--max-columns-preview', `--max-count=${limit + 1}`],
    // The globs of a file type match the name only, whatever the path.
    ...(include === undefined ? [] : ['--type-add', `included:${include}`, '--type', 'included']),
    ...searchOptions(`${base} ${include ?? ''}`),
    ...['--regexp', pattern, '--', base],
  ]
  const deadline = AbortSignal.timeout(searchLimitMs)
  const matches: SearchMatch[] = []
  const text = new Map<string, boolean>()
  let truncated = false
  try {
    const cwd = place === 'directory' ? base : dirname(base)
    for await (const record of ripgrep(args, { cwd, separator: '\n', signal: AbortSignal.any([signal, deadline]) })) {
      const match = parseMatch(record)
      if (!match) continue
      const known = text.get(match.path)
      if (!(known ?? (await isText(match.path)))) {
        text.set(match.path, false)
        continue
      }
      text.set(match.path, true)
      if (matches.length === limit) {
        truncated = true
        break
      }
      matches.push(match)
    }
  } catch (error) {
    if (signal.aborted || !deadline.aborted) throw error
  }
  matches.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
  return { matches, truncated: truncated || deadline.aborted, timedOut: deadline.aborted }
}

/** `path NUL line : content`; anything else is a message of ripgrep about a binary file. */
function parseMatch(record: string): SearchMatch | null {
  const found = /^([^\0]+)\0(\d+):(.*)$/s.exec(record)
  if (!found) return null
  const [, path = '', line, content = ''] = found
  return { path, line: Number(line), content: firstChars(content.replace(/\r$/, '')) }
}

function firstChars(line: string): string {
  const cut = line.slice(0, maxLineChars)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** ripgrep only checks for NUL; a file in another encoding would be garbled. */
async function isText(path: string): Promise<boolean> {
  try {
    return await withFile(path, isUtf8)
  } catch (error) {
    // Deleted, locked or replaced since it was searched.
    if (error instanceof NodeError || (error instanceof Error && 'code' in error && 'syscall' in error)) return false
    throw error
  }
}

async function isUtf8(file: FileHandle): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const buffer = Buffer.allocUnsafe(256 * 1024)
  for (let at = 0; at < checkedBytes; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
    const chunk = buffer.subarray(0, bytesRead)
    if (chunk.includes(0)) return false
    try {
      decoder.decode(chunk, { stream: bytesRead > 0 })
    } catch {
      // The decoder throws for anything that is not UTF-8.
      return false
    }
    if (bytesRead === 0) return true
    at += bytesRead
  }
  return true
}
