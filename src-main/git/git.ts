import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { GIT_PROTECTION, gitEnvironment } from '../approval/programs/git-environment'
import { hiddenOutside } from '../sandbox/hidden-paths'
import type { Sandbox } from '../sandbox/sandbox'

/** Says what git said when it failed. */
export class GitFailure extends Error {
  constructor(
    readonly code: number | null,
    readonly stderr: string,
    args: readonly string[],
  ) {
    super(firstLines(stderr) || `git ${args[0] ?? ''} failed${code === null ? '' : ` (exit code ${code})`}.`)
    this.name = 'GitFailure'
  }
}

interface GitOptions {
  input?: Buffer | string
  /** Folders besides those of the repository that it reads; they are shown in the cage. */
  readable?: readonly string[]
  /** Folders that it changes; without them nothing is writable. */
  writable?: readonly string[]
  env?: Readonly<Record<string, string>>
  timeoutMs?: number
  /** It reads only the configuration and where things are, and looks above the folder for that. */
  plain?: true
  /** Exit codes that are an answer, not a failure; by default only 0. */
  accept?: readonly number[]
}

interface GitResult {
  code: number
  stdout: Buffer
  stderr: string
}

/**
 * Our own git in a folder of the user's: it starts no hook, filter, monitor, pager or editor, asks nothing, fetches
 * nothing, and runs in a cage where this machine has one. What a repository configures is data here.
 */
export type Git = (cwd: string, args: readonly string[], options?: GitOptions) => Promise<GitResult>

const usualMs = 15_000
const mostBytes = 64 * 1024 * 1024
const hiddenForMs = 30_000
const filtersForMs = 3_000

/** Settings that would start a program, change more than was asked for, or need somebody to answer. */
const quiet: readonly (readonly [string, string])[] = [
  ...GIT_PROTECTION,
  ['core.hooksPath', '/dev/null'],
  ['core.quotePath', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['merge.verifySignatures', 'false'],
  ['submodule.recurse', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['rebase.autoStash', 'false'],
  ['rebase.updateRefs', 'false'],
]

export function createGit(options: { sandbox: Sandbox | null; own: readonly string[]; home?: string }): Git {
  const home = options.home ?? homedir()
  const filters = new Map<string, { at: number; names: ReturnType<typeof filtersIn> }>()
  let hidden: { at: number; paths: ReturnType<typeof hiddenOutside> } | null = null

  const hiddenNow = (): ReturnType<typeof hiddenOutside> => {
    if (!hidden || performance.now() - hidden.at > hiddenForMs)
      hidden = { at: performance.now(), paths: hiddenOutside(home, options.own) }
    return hidden.paths
  }

  const caged = async (argv: readonly [string, ...string[]], cwd: string, given: GitOptions) => {
    const { sandbox } = options
    if (!sandbox || !(await sandbox.status()).available) return argv
    const workspace = realpathSync(cwd)
    const writable = (given.writable ?? []).map((path) => realpathSync(path))
    const readable = [...(given.readable ?? []).map((path) => realpathSync(path)), ...ownSettings(home)]
    const covered = (path: string): boolean => [workspace, ...writable].some((each) => isIn(each, path))
    const cage = {
      workspace,
      ...(!writable.some((path) => isIn(workspace, path)) && { readOnly: true as const }),
      writable,
      readable,
      tmp: sandbox.tmpFor('git'),
      // What was removed since cannot be hidden any more.
      hidden: (await hiddenNow()).filter(({ path }) => !covered(path) && existsSync(path)),
      frozen: [],
      closed: [],
      pinned: [],
      proxy: null,
    }
    return sandbox.wrap(cage, argv, workspace)
  }

  const run: Git = async (cwd, args, given = {}) => {
    const filters = await knownFilters(cwd)
    const env = { ...usualEnvironment(home), ...gitEnvironment([...quiet, ...filters]), ...fixed, ...given.env }
    const argv = ['git', ...plainly(args)] as const
    return start(given.plain ? argv : await caged(argv, cwd, given), cwd, args, env, given)
  }

  /** Asked again each time where there is no cage: then nothing else keeps a filter from running. */
  const knownFilters = async (cwd: string): ReturnType<typeof filtersIn> => {
    const known = filters.get(cwd)
    if (known && performance.now() - known.at < filtersForMs && (await options.sandbox?.status())?.available)
      return known.names
    const names = filtersIn(cwd)
    filters.set(cwd, { at: performance.now(), names })
    return names
  }

  /** The repository's filters, each set to do nothing. Reading the configuration starts nothing. */
  const filtersIn = async (cwd: string): Promise<(readonly [string, string])[]> => {
    const args = ['config', '--null', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|smudge|process|required)$']
    const env = { ...usualEnvironment(home), ...gitEnvironment(quiet), ...fixed }
    // 1: there are none; 128: this is no repository, which the command itself will say.
    const { stdout } = await start(['git', ...args], cwd, args, env, { accept: [0, 1, 128] })
    return stdout
      .toString()
      .split('\0')
      .filter(Boolean)
      .map((name) => [name, name.endsWith('.required') ? 'false' : ''] as const)
  }

  return run
}

/** Differences as git itself shows them. */
const plainly = ([verb = '', ...rest]: readonly string[]): string[] =>
  /^(?:diff|diff-\w+|log|show)$/.test(verb) ? [verb, '--no-ext-diff', '--no-textconv', ...rest] : [verb, ...rest]

/** Who the user is, and how they like their git; both may lie where the cage shows nothing. */
const ownSettings = (home: string): string[] =>
  [join(home, '.gitconfig'), join(home, '.config/git')].filter((path) => existsSync(path))

const fixed = {
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: ':',
  GIT_SEQUENCE_EDITOR: ':',
  GIT_MERGE_AUTOEDIT: 'no',
  GIT_ASKPASS: '',
  LC_ALL: 'C.UTF-8',
}

/** Nothing of ours is needed: no keys, no variables that lead git to another repository. */
const usualEnvironment = (home: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: home,
  ...(process.env.XDG_CONFIG_HOME && { XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME }),
})

function start(
  argv: readonly [string, ...string[]],
  cwd: string,
  args: readonly string[],
  env: Record<string, string>,
  { input, timeoutMs = usualMs, accept = [0] }: GitOptions,
): Promise<GitResult> {
  const [program, ...rest] = argv
  const { promise, resolve, reject } = Promise.withResolvers<GitResult>()
  const child = spawn(program, rest, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const out: Buffer[] = []
  let bytes = 0
  let stderr = ''
  let problem = ''
  const stop = (why: string): void => {
    problem ||= why
    child.kill('SIGKILL')
  }
  const late = setTimeout(() => stop(`git ${args[0]} took longer than ${timeoutMs / 1000} seconds.`), timeoutMs)
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > mostBytes) stop(`git ${args[0]} printed too much.`)
    else out.push(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < 20_000) stderr += chunk.toString()
  })
  child.on('error', (error: NodeJS.ErrnoException) => {
    clearTimeout(late)
    reject(new GitFailure(null, error.code === 'ENOENT' ? 'git is not installed.' : error.message, args))
  })
  child.on('close', (code) => {
    clearTimeout(late)
    if (problem) reject(new GitFailure(null, problem, args))
    else if (code === null || !accept.includes(code)) reject(new GitFailure(code, stderr, args))
    else resolve({ code, stdout: Buffer.concat(out), stderr })
  })
  // git may end before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  return promise
}

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

const firstLines = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('hint:'))
    .slice(0, 4)
    .join('\n')
    .replace(/^(?:fatal|error): /, '')
    .slice(0, 600)
