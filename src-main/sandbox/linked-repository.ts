import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** What a commit in a linked work tree writes to, outside of it. */
interface LinkedRepository {
  writable: string[]
  /** Among what is writable, but leading git to configuration elsewhere. */
  frozen: string[]
}

/**
 * Where a workspace that is a linked work tree of git keeps its commits; `null` for any other. Only the objects, the
 * references and the work tree's own folder can be written: hooks and configuration of the repository stay as they are. The
 * repository has to name the workspace in turn, as git has it, so that a file of the workspace cannot open just any folder.
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
    return null // No such file, or not one of git's.
  }
}

function pathIn(file: string, from: string, line: RegExp): string {
  const path = line.exec(readFileSync(file, 'utf8'))?.[1]
  if (path === undefined) throw new Error(`${file} names no path`)
  return resolve(from, path)
}

const isFolder = (path: string): boolean =>
  existsSync(path) && realpathSync(path) === path && statSync(path).isDirectory()
