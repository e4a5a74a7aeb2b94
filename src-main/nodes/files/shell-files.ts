import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { basename, dirname, matchesGlob, relative } from 'node:path'
import { NodeError } from '../node-error'
import {
  afterMark,
  greets,
  type Outcome,
  outputMark,
  quote,
  type RemoteShell,
  type RunOptions,
  runArgv,
  runScript,
  wordsOf,
} from '../shell/remote-shell'
import type { ListedEntry, NodeFiles, SearchMatch } from './node-files'
import { type Lines, mostRead, readerOf, readLines } from './read-lines'
import { openShellSink, openShellSource } from './shell-transfer'

/** Exit codes of our own scripts. */
const [missing, directory, unreadable, notEmpty] = [101, 102, 103, 104]
const maxFileBytes = 64 * 1024 * 1024
const maxListBytes = 16 * 1024 * 1024
/** How much a shell may say at its start. */
const maxGreetingBytes = 64 * 1024
const scriptMs = 60_000
const maxLineChars = 200

type Ask = (script: string, path: string, signal?: AbortSignal) => Promise<Buffer>

/** The files of a machine that is reached through a shell, using only standard programs. */
export function shellFiles(shell: RemoteShell): NodeFiles {
  const ask: Ask = async (script, path, signal) =>
    expectDone(await runScript(shell, script, { timeoutMs: scriptMs, signal }), path).stdout
  /** Runs one plain command; the cause of a failure is investigated only after it. */
  const plain = async (command: string, options: RunOptions): Promise<Outcome> => {
    await shell.ready()
    return runArgv(shell.argv(command, { stdin: options.stdin !== undefined }), shell.env, options)
  }
  /** The same for a command whose output is wanted, without what the user's own shell says at its start. */
  const plainOutput = async (command: string, options: RunOptions & { mostBytes: number }): Promise<Outcome> => {
    if (!greets(shell)) return plain(command, options)
    const token = randomBytes(12).toString('hex')
    const mostBytes = options.mostBytes + maxGreetingBytes
    const done = await plain(`${outputMark(token)}; ${command}`, { ...options, mostBytes })
    return { ...done, stdout: afterMark(done.stdout, token).subarray(0, options.mostBytes) }
  }
  const explain = async (path: string, failed: Outcome, signal?: AbortSignal): Promise<never> => {
    await ask(fileChecks(path), path, signal)
    throw new NodeError('failed', wordsOf(failed) || `exit code ${failed.exitCode}`)
  }

  return {
    async stat(path, { follow = true, signal } = {}) {
      const script = [
        `f=${quote(path)}`,
        ...(follow ? [] : ['[ ! -L "$f" ] || { echo link; exit; }']),
        '[ ! -d "$f" ] || { echo directory; exit; }',
        '[ ! -f "$f" ] || { echo file; wc -c <"$f" 2>/dev/null; exit 0; }',
        '[ ! -e "$f" ] || echo other',
      ]
      const [type = '', bytes = '0'] = (await ask(script.join('\n'), path, signal)).toString().split(/\s+/)
      if (type !== 'file' && type !== 'directory' && type !== 'link' && type !== 'other') return null
      return { type, size: Number(bytes) || 0 }
    },
    async read(path, { mostBytes, signal } = {}) {
      const limits = { mostBytes: mostBytes ?? maxFileBytes + 1, signal }
      const done = await plainOutput(`cat -- ${quote(path)}`, limits)
      if (done.exitCode !== 0) return explain(path, done, signal)
      if (mostBytes === undefined && done.stdout.length > maxFileBytes)
        throw new NodeError('ExecutionFailed', `The file is too large to be read as a whole: ${path}`)
      return done.stdout
    },
    async lines(path, { offset, limit, maxBytes }, { signal } = {}) {
      const mostBytes = mostRead(maxBytes)
      const stages = [
        `tail -n +${offset + 1} ${quote(path)}`,
        ...(Number.isFinite(limit) ? [`head -n ${limit}`] : []),
        `head -c ${mostBytes}`,
      ]
      const found = await ask(`${fileChecks(path)}\n${stages.join(' | ')}`, path, signal)
      if (found.length === 0 && offset > 0) return { lines: [], cut: false, seen: await countLines(path, signal) }
      const isAll = found.length < mostBytes
      const text = readerOf(isAll ? found : withoutLastCharacter(found))
      const lines: Lines | null = await readLines(text, { offset: 0, limit, maxBytes })
      return lines && { ...lines, cut: lines.cut || !isAll }
    },
    async write(path, data) {
      const command = `cat > ${quote(path)}`
      const done = await plain(command, { stdin: data })
      if (done.exitCode === 0) return
      const folder = `[ ! -d ${quote(path)} ] || exit ${directory}; mkdir -p -- ${quote(dirname(path))}`
      await ask(folder, path)
      const again = await plain(command, { stdin: data })
      if (again.exitCode !== 0) throw new NodeError('failed', wordsOf(again) || `exit code ${again.exitCode}`)
    },
    async remove(path, { recursive = false, signal } = {}) {
      const file = quote(path)
      const folder = recursive ? `rm -r -- ${file}` : `rmdir -- ${file} 2>/dev/null || exit ${notEmpty}`
      const there = `[ -e ${file} ] || [ -L ${file} ] || exit ${missing}`
      const remove = `if [ -d ${file} ] && [ ! -L ${file} ]; then ${folder}; else rm -f -- ${file}; fi`
      await ask(`${there}\n${remove}`, path, signal)
    },
    async list(path, { signal } = {}) {
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
    find: (pattern, base, { signal }) => findBelow(ask, pattern, base, signal),
    search: (wanted, { signal }) => searchBelow(ask, wanted, signal),
    source: (path) => openShellSource(shell, path),
    sink: (path, size, progress, resume) => openShellSink(shell, path, size, progress, resume),
  }

  async function countLines(path: string, signal?: AbortSignal): Promise<number> {
    // grep exits with an error if there is no line at all.
    return Number((await ask(`${fileChecks(path)}\ngrep -c '' ${quote(path)}; :`, path, signal)).toString())
  }
}

async function findBelow(ask: Ask, pattern: string, base: string, signal: AbortSignal): Promise<string[]> {
  const script = [
    checks(base),
    statStyle('%Y %n', '%m %N'),
    `${filesBelow(base, pattern)} -exec stat "$@" {} + 2>/dev/null | head -c ${maxListBytes}`,
  ]
  return rowsOf(await ask(script.join('\n'), base, signal))
    .map((row) => {
      const at = row.indexOf(' ')
      return { changed: Number(row.slice(0, at)), path: row.slice(at + 1) }
    })
    .filter(({ path }) => matchesGlob(relative(base, path), pattern))
    .sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path)
}

/** Uses ripgrep if it is installed, otherwise `grep -E`. */
async function searchBelow(
  ask: Ask,
  { pattern, include, base, limit, leaveOut }: Parameters<NodeFiles['search']>[0],
  signal: AbortSignal,
): ReturnType<NodeFiles['search']> {
  const script = [
    checks(base),
    `if command -v rg >/dev/null 2>&1; then`,
    `  rg --no-config --hidden --no-ignore --glob '!.git' --glob '!node_modules' --follow --line-number --no-heading \\`,
    `    --with-filename --color never --max-columns 800 --max-columns-preview --regexp ${quote(pattern)} -- ${quote(base)}`,
    `else ${filesBelow(base, include ?? '')} -exec grep -nE -e ${quote(pattern)} -- /dev/null {} +`,
    `fi 2>/dev/null | head -c ${maxListBytes}`,
  ]
  const found: SearchMatch[] = rowsOf(await ask(script.join('\n'), base, signal)).flatMap((row) => {
    const [, path = '', line, content = ''] = /^(.+?):(\d+):(.*)$/.exec(row) ?? []
    const wanted =
      path !== '' &&
      !content.includes('\0') &&
      (!include || matchesGlob(basename(path), include)) &&
      !leaveOut?.(`/${relative(base, path)}`)
    return wanted ? [{ path, line: Number(line), content: content.replace(/\r$/, '').slice(0, maxLineChars) }] : []
  })
  found.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
  return { matches: found.slice(0, limit), truncated: found.length > limit, timedOut: false }
}

/** Cutting after a number of bytes may split a character. */
function withoutLastCharacter(bytes: Buffer): Buffer {
  let end = bytes.length - 1
  while (end > 0 && (bytes.readUInt8(end) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}

const checks = (path: string): string =>
  `[ -e ${quote(path)} ] || exit ${missing}\n[ -r ${quote(path)} ] || exit ${unreadable}`

const fileChecks = (path: string): string => `${checks(path)}\n[ ! -d ${quote(path)} ] || exit ${directory}`

/** Leaves out repository data and installed packages, unless they are asked for. */
const filesBelow = (base: string, asked: string): string => {
  const named = (name: string) => `${base}/${asked}`.includes(name)
  const skipped = [
    ...['.git', 'node_modules'].filter((name) => !named(name)).map((name) => `-name ${name}`),
    // The kernel's virtual file systems may have no end.
    ...['/proc', '/sys', '/dev'].filter((path) => !base.startsWith(path)).map((path) => `-path ${path}`),
  ]
  return `find -L ${quote(base)} ${skipped.map((test) => `${test} -prune -o `).join('')}-type f`
}

/** GNU and BSD `stat` have different options. */
const statStyle = (gnu: string, bsd: string): string =>
  `if stat -c %Y / >/dev/null 2>&1; then set -- -c ${quote(gnu)}; else set -- -f ${quote(bsd)}; fi`

/** The type is in the mode bits. */
function entryOf(name: string, mode: number, size: number): ListedEntry {
  const kind = mode & constants.S_IFMT
  if (kind === constants.S_IFDIR) return { name, type: 'directory' }
  if (kind === constants.S_IFLNK) return { name, type: 'link' }
  return kind === constants.S_IFREG ? { name, type: 'file', size } : { name, type: 'other' }
}

const rowsOf = (bytes: Buffer): string[] => bytes.toString().split('\n').filter(Boolean)

function expectDone(done: Outcome, path: string): Outcome {
  if (done.exitCode === missing) throw new NodeError('FileNotFound', `No such file or directory: ${path}`)
  if (done.exitCode === directory) throw new NodeError('InvalidPath', `This is a directory: ${path}`)
  if (done.exitCode === notEmpty) throw new NodeError('InvalidPath', `The directory is not empty: ${path}`)
  if (done.exitCode === unreadable) throw new NodeError('PermissionDenied', `It cannot be read: ${path}`)
  if (done.exitCode !== 0) throw new NodeError('failed', wordsOf(done) || `exit code ${done.exitCode}`)
  return done
}
