import type { FileHandle } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { NodeError } from '../node-error'
import { type Checked, isBelow, realPathOf, realText, requireChecked, withFolder } from './checked'
import type { ReachOptions, SearchMatch, SearchRequest, SearchResult } from './node-files'
import { withFile } from './open-file'
import { readPlaces } from './read-places'
import { ripgrep, searchOptions } from './ripgrep'
import { requireSearchable } from './searchable'

const maxLineChars = 200
/** A followed link may lead to a whole disk. */
const searchLimitMs = 60_000
const checkedBytes = 64 * 1024 * 1024

/**
 * Matching lines in UTF-8 files, at most `limit`, and whether there are more. ripgrep only finds where they are: each
 * line is read again from an open file whose real path was checked. Files that are left out are not even named, since
 * that would reveal that they match.
 */
export async function searchLines(
  request: SearchRequest,
  { signal, checked }: ReachOptions & { signal: AbortSignal },
): Promise<SearchResult> {
  const { base } = request
  if ((await requireSearchable(base, 'any')) === 'file')
    return search(request, { cwd: dirname(base), target: base, files: fileAt(checked) }, signal)
  return withFolder(base, async (within, real) => {
    requireChecked(real, checked)
    const { follow = [] } = request
    const roots = [real, ...(follow === 'anywhere' ? ['/'] : await Promise.all(follow.map(realText)))]
    return search(request, { cwd: within, target: '.', files: filesBelow(roots, request) }, signal)
  })
}

interface SearchArea {
  cwd: string
  /** What ripgrep searches. */
  target: string
  /** Throws `PermissionDenied` for an open file that must not be shown. */
  files(file: FileHandle, path: string): Promise<void>
}

const fileAt =
  (checked: Checked): SearchArea['files'] =>
  async (file, path) =>
    checked && requireChecked(await realPathOf(file, path), checked)

const filesBelow =
  (roots: readonly string[], { leaveOut }: SearchRequest): SearchArea['files'] =>
  async (file, path) => {
    const real = await realPathOf(file, path)
    const root = roots.find((folder) => isBelow(real, folder))
    if (root === undefined || leaveOut?.(`/${relative(root, real)}`))
      throw new NodeError('PermissionDenied', `This is not searched with the rest: ${path}`)
  }

async function search(
  { pattern, include, base, limit }: SearchRequest,
  { cwd, target, files }: SearchArea,
  signal: AbortSignal,
): Promise<SearchResult> {
  const args = [
    ...['--line-number', '--null', '--no-heading', '--with-filename', '--follow'],
    // Longer lines are cut below; this keeps a file with one huge line from being read into memory.
    ...[`--max-columns=${maxLineChars * 4}`, '--max-columns-preview', `--max-count=${limit + 1}`],
    // The globs of a file type match the name only, whatever the path.
    ...(include === undefined ? [] : ['--type-add', `included:${include}`, '--type', 'included']),
    ...searchOptions(`${base} ${include ?? ''}`),
    ...['--regexp', pattern, '--', target],
  ]
  const deadline = AbortSignal.timeout(searchLimitMs)
  const found: { path: string; line: number }[] = []
  const texts = new Map<string, boolean>()
  let truncated = false
  try {
    for await (const record of ripgrep(args, { cwd, separator: '\n', signal: AbortSignal.any([signal, deadline]) })) {
      const match = parseMatch(record)
      if (!match) continue
      const path = target === '.' ? join(base, match.path) : match.path
      const isText = texts.get(path) ?? (await isOwnText(path, files))
      texts.set(path, isText)
      if (!isText) continue
      if (found.length === limit) {
        truncated = true
        break
      }
      found.push({ path, line: match.line })
    }
  } catch (error) {
    if (signal.aborted || !deadline.aborted) throw error
  }
  return {
    matches: await contentsOf(found, files),
    truncated: truncated || deadline.aborted,
    timedOut: deadline.aborted,
  }
}

/** The lines that were found, in the order of their files. */
async function contentsOf(
  found: readonly { path: string; line: number }[],
  files: SearchArea['files'],
): Promise<SearchMatch[]> {
  const matches: SearchMatch[] = []
  for (const path of [...new Set(found.map((each) => each.path))].sort()) {
    const wanted = new Set(found.filter((each) => each.path === path).map(({ line }) => line))
    const lines = await quietly(() =>
      withFile(path, async (file) => {
        await files(file, path)
        return readPlaces(file, wanted, maxLineChars * 4)
      }),
    )
    for (const [line, content] of lines ?? []) matches.push({ path, line, content: firstChars(content) })
  }
  return matches
}

/** `path NUL line : content`; anything else is a message of ripgrep about a binary file. */
function parseMatch(record: string): { path: string; line: number } | null {
  const found = /^([^\0]+)\0(\d+):/.exec(record)
  return found && { path: found[1] ?? '', line: Number(found[2]) }
}

function firstChars(line: string): string {
  const cut = line.slice(0, maxLineChars)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** ripgrep only checks for NUL; a file in another encoding would be garbled. */
async function isOwnText(path: string, files: SearchArea['files']): Promise<boolean> {
  const found = await quietly(() =>
    withFile(path, async (file) => {
      await files(file, path)
      return isUtf8(file)
    }),
  )
  return found ?? false
}

/** `null` for a file that was deleted, locked or replaced since it was searched. */
async function quietly<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NodeError || (error instanceof Error && 'code' in error && 'syscall' in error)) return null
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
