import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Paths outside a linked work tree that a commit in it writes to. */
interface LinkedRepository {
  writable: string[]
  /** Inside what is writable, but would point git to configuration elsewhere. */
  frozen: string[]
}

/**
 * Where a workspace that is a linked git work tree keeps its commits; `null` for any other. Only the objects, the
 * references and the work tree's own folder are writable: the repository's hooks and configuration are not. As in git,
 * the repository must also point back to the workspace, so that a file in the workspace cannot open an arbitrary
 * folder.
 */
export function linkedRepository(workspace: string): LinkedRepository | null {
  try {
    const own = realpathSync(pathIn(join(workspace, '.git'), workspace, /^gitdir: (.+)$/m))
    const common = realpathSync(pathIn(join(own, 'commondir'), own, /^(.+)$/m))
    const named = realpathSync(pathIn(join(own, 'gitdir'), own, /^(.+)$/m))
    if (named !== join(workspace, '.git') || dirname(own) !== join(common, 'worktrees')) return null
    const shared = ['objects', 'refs', 'logs'].map((name) => join(common, name)).filter(isFolder)
    const frozen = ['commondir', 'gitdir', 'config.worktree', 'modules'].map((name) => join(own, name))
    return { writable: [own, ...shared], frozen: frozen.filter((path) => existsSync(path)) }
  } catch {
    return null // No such file, or not written by git.
  }
}

function pathIn(file: string, from: string, line: RegExp): string {
  const path = line.exec(readFileSync(file, 'utf8'))?.[1]
  if (path === undefined) throw new Error(`${file} names no path`)
  return resolve(from, path)
}

const isFolder = (path: string): boolean =>
  existsSync(path) && realpathSync(path) === path && statSync(path).isDirectory()
