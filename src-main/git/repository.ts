import { realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { type Git, GitFailure } from './git'

/** Where a folder's repository is. All paths are canonical. */
export interface Repository {
  /** The work tree that the folder is in. */
  root: string
  /** What belongs to this work tree alone. */
  gitDir: string
  /** What all work trees of the repository share. */
  commonDir: string
  /** Of the folder below the root, with a slash at its end; empty for the root itself. */
  prefix: string
}

/** `null` outside a work tree, or without git. Other trouble, such as somebody else's repository, is thrown. */
export async function findRepository(git: Git, folder: string): Promise<Repository | null> {
  const args = ['rev-parse', '--show-toplevel', '--absolute-git-dir', '--git-common-dir', '--is-inside-work-tree']
  try {
    const { stdout } = await git(folder, args, { plain: true })
    const [root = '', gitDir = '', common = '', inside] = stdout.toString().split('\n')
    if (inside !== 'true') return null
    const here = realpathSync(folder)
    const top = realpathSync(root)
    const below = relative(top, here)
    return {
      root: top,
      gitDir: realpathSync(gitDir),
      commonDir: realpathSync(isAbsolute(common) ? common : resolve(here, common)),
      prefix: below === '' ? '' : `${below}/`,
    }
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    if (error.code === null && /not installed/.test(error.stderr)) return null
    if (/not a git repository|must be run in a work tree/.test(error.stderr)) return null
    throw error
  }
}

/** One file that differs, of the index from HEAD or of the work tree from the index. */
export interface ChangedPath {
  /** Relative to the root of the work tree. */
  path: string
  kind: 'add' | 'update' | 'delete' | 'move' | 'conflict' | 'submodule'
  from?: string
  /** Object ids and modes of what is recorded; null where there is nothing, or it is not recorded. */
  before: Recorded | null
  after: Recorded | null
}

export interface Recorded {
  id: string
  mode: string
}

export interface Status {
  /** `null` on a detached HEAD. */
  branch: string | null
  /** `null` before the first commit. */
  head: string | null
  upstream: string | null
  ahead: number
  behind: number
  staged: ChangedPath[]
  unstaged: ChangedPath[]
}

export async function readStatus(git: Git, { root, commonDir, gitDir }: Repository, below = '.'): Promise<Status> {
  const args = ['status', '--porcelain=v2', '-z', '--branch', '--untracked-files=all', '--find-renames', '--', below]
  const { stdout } = await git(root, args, { readable: [commonDir, gitDir], timeoutMs: 20_000 })
  return parseStatus(stdout.toString())
}

const nothing = /^0+$/

function parseStatus(text: string): Status {
  const status: Status = {
    branch: null,
    head: null,
    upstream: null,
    ahead: 0,
    behind: 0,
    staged: [],
    unstaged: [],
  }
  const parts = text.split('\0')
  for (let at = 0; at < parts.length; at++) {
    const line = parts[at] ?? ''
    if (line.startsWith('# ')) readHead(status, line.slice(2))
    else if (line.startsWith('1 ') || line.startsWith('2 ')) {
      const from = line.startsWith('2 ') ? parts[++at] : undefined
      readEntry(status, line, from)
    } else if (line.startsWith('u '))
      status.unstaged.push({ path: fields(line, 10)[10] ?? '', kind: 'conflict', before: null, after: null })
    else if (line.startsWith('? '))
      status.unstaged.push({ path: line.slice(2), kind: 'add', before: null, after: null })
  }
  return status
}

function readHead(status: Status, line: string): void {
  const [name = '', ...words] = line.split(' ')
  const value = words.join(' ')
  if (name === 'branch.head') status.branch = value === '(detached)' ? null : value
  if (name === 'branch.oid') status.head = value === '(initial)' ? null : value
  if (name === 'branch.upstream') status.upstream = value
  if (name === 'branch.ab') {
    const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(value) ?? []
    status.ahead = Number(ahead ?? 0)
    status.behind = Number(behind ?? 0)
  }
}

function readEntry(status: Status, line: string, from: string | undefined): void {
  const moved = from !== undefined
  const [, xy = '..', sub = '', mH = '', mI = '', mW = '', hH = '', hI = ''] = fields(line, 8)
  const path = fields(line, moved ? 9 : 8)[moved ? 9 : 8] ?? ''
  const head = nothing.test(hH) ? null : { id: hH, mode: mH }
  const index = nothing.test(hI) ? null : { id: hI, mode: mI }
  const isSubmodule = sub.startsWith('S')
  const [x = '.', y = '.'] = xy
  if (x !== '.')
    status.staged.push({
      path,
      kind: isSubmodule ? 'submodule' : x === 'R' ? 'move' : x === 'C' ? 'add' : kindOf(x),
      ...(moved && x === 'R' && { from }),
      before: head,
      after: index,
    })
  if (y !== '.')
    status.unstaged.push({
      path,
      kind: isSubmodule ? 'submodule' : kindOf(y),
      before: index,
      after: nothing.test(mW) ? null : { id: '', mode: mW },
    })
}

const kindOf = (letter: string): ChangedPath['kind'] =>
  letter === 'A' ? 'add' : letter === 'D' ? 'delete' : letter === 'U' ? 'conflict' : 'update'

/** The first `count` fields by blanks, and the rest as it is: a path may hold blanks. */
function fields(line: string, count: number): string[] {
  const found: string[] = []
  let rest = line
  for (let at = 0; at < count; at++) {
    const blank = rest.indexOf(' ')
    if (blank < 0) break
    found.push(rest.slice(0, blank))
    rest = rest.slice(blank + 1)
  }
  return [...found, rest]
}

/** The contents of recorded files, by object id; those above the limit are left out. */
export async function readBlobs(
  git: Git,
  { root, commonDir, gitDir }: Repository,
  ids: readonly string[],
  maxBytes: number,
): Promise<Map<string, Buffer | null>> {
  const wanted = [...new Set(ids)]
  const blobs = new Map<string, Buffer | null>()
  if (wanted.length === 0) return blobs
  const readable = { readable: [commonDir, gitDir] }
  const sizes = await git(root, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    ...readable,
    input: `${wanted.join('\n')}\n`,
  })
  const small: string[] = []
  for (const line of sizes.stdout.toString().split('\n')) {
    const [id = '', size] = line.split(' ')
    if (id === '') continue
    if (Number(size) <= maxBytes) small.push(id)
    else blobs.set(id, null)
  }
  const { stdout } = await git(root, ['cat-file', '--batch'], { ...readable, input: `${small.join('\n')}\n` })
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(10, at)
    const [id = '', , size = '0'] = stdout.subarray(at, end).toString().split(' ')
    const from = end + 1
    blobs.set(id, stdout.subarray(from, from + Number(size)))
    at = from + Number(size) + 1
  }
  return blobs
}
