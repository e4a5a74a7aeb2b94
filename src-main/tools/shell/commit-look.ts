import { execFile } from 'node:child_process'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { secretReason } from '../../approval/paths/secret-paths'
import { secretInText } from '../../approval/secret-text'
import type { Access, Decision } from '../../approval/types'

const run = promisify(execFile)
const lookMs = 5_000
const mostFiles = 300
const mostBytes = 1_000_000

const commits = /\bgit\b[^|;&\n]*\bcommit\b/

/**
 * A warning before a commit that would contain a key. Reads the changed files, but only if `git status` is allowed
 * without asking; `null` if there is nothing to warn about.
 */
export async function lookAtCommit(access: Access, judge: (look: Access) => Decision): Promise<string | null> {
  if (access.action !== 'exec' || access.node !== 'local' || !commits.test(access.command ?? '')) return null
  const { node, workspace, cwd, tainted } = access
  const command = 'git status --porcelain -z -uall'
  const { verdict, env } = judge({ action: 'exec', node, workspace, cwd, command, ...(tainted && { tainted }) })
  if (verdict !== 'allow' || !env) return null
  // Outside a repository, or if git is missing or slow, there is nothing to check; the command itself will report it.
  for (const path of await changedFiles(cwd, env).catch(() => [])) {
    const found = secretReason(`/${path}`) !== null ? 'a secret' : await secretIn(join(cwd, path))
    if (found !== null) return `The commit would hold ${found}: ${path}`
  }
  return null
}

async function changedFiles(cwd: string, env: Readonly<Record<string, string>>): Promise<string[]> {
  const options = {
    cwd,
    env: { ...process.env, ...env },
    timeout: lookMs,
    killSignal: 'SIGKILL',
    maxBuffer: 4_000_000,
  } as const
  const top = await run('git', ['rev-parse', '--show-cdup'], options)
  const { stdout } = await run('git', ['status', '--porcelain', '-z', '-uall'], options)
  return stdout
    .split('\0')
    .filter((entry) => /^(?![ D]D|D )..\s/.test(entry))
    .slice(0, mostFiles)
    .map((entry) => join(top.stdout.trim(), entry.slice(3)))
}

async function secretIn(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null)
  if (!stats?.isFile() || stats.size > mostBytes) return null
  const text = await readFile(path, 'utf8').catch(() => null)
  return text === null ? null : secretInText(text)
}
