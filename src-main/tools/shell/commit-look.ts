import { execFile } from 'node:child_process'
import { lstat, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { secretReason } from '../../approval/paths/secret-paths'
import { findUncommitted } from '../../approval/paths/uncommitted'
import { secretInText } from '../../approval/secret-text'
import type { Access, Decision } from '../../approval/types'

const run = promisify(execFile)
const lookMs = 5_000
const mostFiles = 300
const mostBytes = 1_000_000

const commits = /\bgit\b[^|;&\n]*\bcommit\b/

/**
 * A warning before a commit that would contain a key. Reads the changed files, but only in a repository in which
 * `git status` is allowed without asking; `null` if there is nothing to warn about.
 */
export async function lookAtCommit(
  access: Access,
  judge: (look: Access) => Decision | Promise<Decision>,
): Promise<string | null> {
  if (access.action !== 'exec' || access.node !== 'local' || !commits.test(access.command ?? '')) return null
  const { node, workspace, cwd, tainted } = access
  const command = 'git status --porcelain -z -uall'
  const { verdict, env } = await judge({ action: 'exec', node, workspace, cwd, command, tainted })
  if (verdict !== 'allow' || !env) return null
  // Outside a repository, or if git is missing or slow, there is nothing to check; the command itself will report it.
  for (const path of await changedFiles(cwd, env).catch(() => [])) {
    const found = secretReason(`/${path}`) !== null ? 'a secret' : await secretIn(join(cwd, path))
    if (found !== null) return `The commit would hold ${found}: ${path}`
  }
  return null
}

/**
 * What differs from the last commit, and what git does not know. `git status` would run the filters of the repository
 * on every changed file, so git only compares its own records here, and the files are compared without it.
 */
async function changedFiles(cwd: string, env: Readonly<Record<string, string>>): Promise<string[]> {
  const options = {
    env: { ...process.env, ...env },
    timeout: lookMs,
    killSignal: 'SIGKILL',
    maxBuffer: 4_000_000,
  } as const
  const places = await run('git', ['rev-parse', '--show-toplevel', '--git-path', 'index'], { ...options, cwd })
  const [root = '', index = ''] = places.stdout.split('\n')
  const inRoot = { ...options, cwd: root }
  const staged = run('git', [...compared, 'HEAD'], inRoot).catch(() => run('git', ['ls-files', '-z'], inRoot))
  const unknown = run('git', ['ls-files', '-z', '--others', '--exclude-standard'], inRoot)
  const changed = findUncommitted(root, resolve(cwd, index), { untracked: false, ignored: false, most: mostFiles })
  const named = [await staged, await unknown].flatMap(({ stdout }) => stdout.split('\0').filter(Boolean))
  return [...new Set([...named, ...(changed?.changed ?? [])])]
    .slice(0, mostFiles)
    .map((path) => relative(cwd, join(root, path)))
}

/** Compares the index with a commit, without looking at any file. */
const compared = [
  ...['diff-index', '--cached', '--name-only', '-z', '--no-renames', '--diff-filter=d'],
  ...['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'],
]

async function secretIn(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null)
  if (!stats?.isFile() || stats.size > mostBytes) return null
  const text = await readFile(path, 'utf8').catch(() => null)
  return text === null ? null : secretInText(text)
}
