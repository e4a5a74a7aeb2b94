import { constants } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, matchesGlob, relative } from 'node:path'
import type { ConnectedBackend } from '../backends/backends'
import { BackendError, type Outcome } from '../nodes/backend'
import { quote, runArgv, runScript, wordsOf } from '../nodes/reach'
import type { GrepMatch } from './grep'
import type { ListedEntry } from './list'
import { ToolFailure } from './tool'

/** Exit codes of our own scripts. */
const [missing, directory, unreadable, notEmpty] = [101, 102, 103, 104]
const maxFileBytes = 64 * 1024 * 1024
const maxListBytes = 16 * 1024 * 1024
const searchMs = 60_000
const maxLineChars = 200

/** The files of a place that programs of this machine lead to. Each way in is one command there. */
export function filesAt({ backend: { reach } }: ConnectedBackend) {
  const ask = async (script: string, path: string, signal: AbortSignal): Promise<Buffer> =>
    expectDone(await reported(() => runScript(reach, script, { timeoutMs: searchMs, signal })), path).stdout

  return {
    read: (path: string, signal: AbortSignal): Promise<Buffer> =>
      ask(`${fileChecks(path)}\ncat -- ${quote(path)}`, path, signal),

    /** Lines behind the first `offset`, as they are in the file, and no more than `mostBytes`. */
    async lines(
      path: string,
      { offset, limit, mostBytes }: { offset: number; limit: number; mostBytes: number },
      signal: AbortSignal,
    ): Promise<Buffer> {
      const stages = [
        `tail -n +${offset + 1} ${quote(path)}`,
        ...(Number.isFinite(limit) ? [`head -n ${limit}`] : []),
        `head -c ${mostBytes}`,
      ]
      return ask(`${fileChecks(path)}\n${stages.join(' | ')}`, path, signal)
    },

    async countLines(path: string, signal: AbortSignal): Promise<number> {
      // No line at all is no success to grep.
      return Number((await ask(`${fileChecks(path)}\ngrep -c '' ${quote(path)}; :`, path, signal)).toString())
    },

    /** Makes missing folders. A link stays one, and what was there keeps its mode. */
    async write(path: string, data: Uint8Array): Promise<void> {
      const script = `[ ! -d ${quote(path)} ] || exit ${directory}; mkdir -p -- ${quote(dirname(path))} && cat >${quote(path)}`
      await reach.ready()
      const argv = reach.argv(`exec sh -c ${quote(script)}`, { stdin: true })
      expectDone(await reported(() => runArgv(argv, reach.env, { stdin: data })), path)
    },

    /** What a folder holds, links as such. */
    async list(path: string, signal: AbortSignal): Promise<ListedEntry[]> {
      const script = [
        checks(path),
        statStyle('%f %s %n', '%Xp %z %N'),
        `find ${quote(`${path}/`)} -mindepth 1 -maxdepth 1 -exec stat "$@" {} + | head -c ${maxListBytes}`,
      ]
      const text = await ask(script.join('\n'), path, signal)
      return rowsOf(text).flatMap((row) => {
        const [, mode = '', size, name = ''] = /^(\w+) (\d+) (.*)$/.exec(row) ?? []
        return name === '' ? [] : [entryOf(basename(name), Number.parseInt(mode, 16), Number(size))]
      })
    },

    /** A link goes, not what it points to. */
    async remove(path: string, recursive: boolean, signal: AbortSignal): Promise<void> {
      const file = quote(path)
      const folder = recursive ? `rm -r -- ${file}` : `rmdir -- ${file} 2>/dev/null || exit ${notEmpty}`
      const there = `[ -e ${file} ] || [ -L ${file} ] || exit ${missing}`
      await ask(
        `${there}\nif [ -d ${file} ] && [ ! -L ${file} ]; then ${folder}; else rm -f -- ${file}; fi`,
        path,
        signal,
      )
    },

    /** Below `base`, newest first, as absolute paths. */
    async find(pattern: string, base: string, signal: AbortSignal): Promise<string[]> {
      const text = await ask(
        [
          checks(base),
          statStyle('%Y %n', '%m %N'),
          `${filesBelow(base, pattern)} -exec stat "$@" {} + 2>/dev/null | head -c ${maxListBytes}`,
        ].join('\n'),
        base,
        signal,
      )
      return rowsOf(text)
        .map((row) => {
          const at = row.indexOf(' ')
          return { changed: Number(row.slice(0, at)), path: row.slice(at + 1) }
        })
        .filter(({ path }) => matchesGlob(relative(base, path), pattern))
        .sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1))
        .map(({ path }) => path)
    },

    /** By ripgrep where it is there, and by `grep -E` elsewhere. */
    async search(
      { pattern, include, base, limit }: { pattern: string; include?: string; base: string; limit: number },
      signal: AbortSignal,
    ): Promise<{ matches: GrepMatch[]; truncated: boolean }> {
      const text = await ask(
        [
          checks(base),
          `if command -v rg >/dev/null 2>&1; then`,
          `  rg --no-config --hidden --no-ignore --glob '!.git' --glob '!node_modules' --follow --line-number --no-heading \\`,
          `    --with-filename --color never --max-columns 800 --max-columns-preview --regexp ${quote(pattern)} -- ${quote(base)}`,
          `else ${filesBelow(base, include ?? '')} -exec grep -nE -e ${quote(pattern)} -- /dev/null {} +`,
          `fi 2>/dev/null | head -c ${maxListBytes}`,
        ].join('\n'),
        base,
        signal,
      )
      const found = rowsOf(text).flatMap((row) => {
        const [, path = '', line, content = ''] = /^(.+?):(\d+):(.*)$/.exec(row) ?? []
        const wanted = path !== '' && !content.includes('\0') && (!include || matchesGlob(basename(path), include))
        return wanted ? [{ path, line: Number(line), content: content.replace(/\r$/, '').slice(0, maxLineChars) }] : []
      })
      found.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
      return { matches: found.slice(0, limit), truncated: found.length > limit }
    },
  }
}

/** A copy under the same name for what reads files of this machine. */
export async function withCopy<T>(path: string, data: Buffer, use: (copy: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'deckhand-copy-'))
  try {
    const copy = join(folder, basename(path) || 'file')
    await writeFile(copy, data, { mode: 0o600 })
    return await use(copy)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const checks = (path: string): string =>
  `[ -e ${quote(path)} ] || exit ${missing}\n[ -r ${quote(path)} ] || exit ${unreadable}`

const fileChecks = (path: string): string => `${checks(path)}\n[ ! -d ${quote(path)} ] || exit ${directory}`

/** Neither history nor other people's packages, unless they are what is asked for. */
const filesBelow = (base: string, asked: string): string => {
  const named = (name: string) => `${base}/${asked}`.includes(name)
  const skipped = [
    ...['.git', 'node_modules'].filter((name) => !named(name)).map((name) => `-name ${name}`),
    // What the kernel makes up has no end.
    ...['/proc', '/sys', '/dev'].filter((path) => !base.startsWith(path)).map((path) => `-path ${path}`),
  ]
  return `find -L ${quote(base)} ${skipped.map((test) => `${test} -prune -o `).join('')}-type f`
}

/** The two families of `stat` have options of their own. */
const statStyle = (gnu: string, bsd: string): string =>
  `if stat -c %Y / >/dev/null 2>&1; then set -- -c ${quote(gnu)}; else set -- -f ${quote(bsd)}; fi`

/** By the kind in its mode, as the kernel has it. */
function entryOf(name: string, mode: number, size: number): ListedEntry {
  const kind = mode & constants.S_IFMT
  if (kind === constants.S_IFDIR) return { name, type: 'directory' }
  if (kind === constants.S_IFLNK) return { name, type: 'link' }
  return kind === constants.S_IFREG ? { name, type: 'file', size } : { name, type: 'other' }
}

const rowsOf = (bytes: Buffer): string[] => bytes.toString().split('\n').filter(Boolean)

function expectDone(done: Outcome, path: string): Outcome {
  if (done.exitCode === missing) throw new ToolFailure('FileNotFound', `No such file or directory: ${path}`)
  if (done.exitCode === directory) throw new ToolFailure('InvalidPath', `This is a directory: ${path}`)
  if (done.exitCode === notEmpty) throw new ToolFailure('InvalidPath', `The directory is not empty: ${path}`)
  if (done.exitCode === unreadable) throw new ToolFailure('PermissionDenied', `It cannot be read: ${path}`)
  if (done.exitCode !== 0) throw new ToolFailure('ExecutionFailed', wordsOf(done) || `exit code ${done.exitCode}`)
  if (done.stdout.length > maxFileBytes) throw new ToolFailure('ExecutionFailed', `The file is too large: ${path}`)
  return done
}

async function reported(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BackendError)) throw error
    throw new ToolFailure(error.kind === 'timeout' ? 'Timeout' : 'ExecutionFailed', error.message)
  }
}
