import { execFile } from 'node:child_process'
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Places } from '../approval/paths/paths'
import { gitReadingEnvironment } from '../approval/programs/git-environment'
import { repositoryDoubt } from '../approval/programs/git-repository'
import { systemPath } from '../file-names'

/** A work tree and where git keeps its own files. All canonical. */
export interface WorkTree {
  root: string
  /** HEAD and the index of this work tree. */
  folder: string
  /** Names and objects, which all work trees share. */
  home: string
  /** Runs a git that only reads; `null` where it fails, takes too long, or the repository's settings may start programs. */
  git(args: readonly string[], input?: string): Promise<string | null>
}

const maxBuffer = 16 * 1024 * 1024

/** The work tree that a folder is in. It may reach beyond the workspace. */
export function openWorkTree(start: string, places: Places, leftMs: () => number): WorkTree | null {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = gitFolder(folder)
    if (found) {
      const { own, home } = found
      const doubt = repositoryDoubt({ cwds: [folder], places: { ...places, folders: [folder, own, home] } })
      const git: WorkTree['git'] = (args, input) =>
        doubt === null ? runGit(folder, args, Math.ceil(leftMs()), input) : Promise.resolve(null)
      return { root: folder, folder: own, home, git }
    }
    if (folder === dirname(folder)) return null
  }
}

function gitFolder(folder: string): { own: string; home: string } | null {
  try {
    const path = `${folder}/.git`
    const stats = lstatSync(systemPath(path), { throwIfNoEntry: false })
    if (!stats) return null
    const link = stats.isFile() ? /^gitdir: (.*)/.exec(readFileSync(path, 'utf8'))?.[1]?.trimEnd() : '.git'
    if (!link) return null
    const own = realpathSync(resolve(folder, link))
    const common = readText(`${own}/commondir`)
    const home = common === null ? own : realpathSync(resolve(own, common.trimEnd()))
    return lstatSync(`${own}/HEAD`, { throwIfNoEntry: false }) ? { own, home } : null
  } catch {
    return null // Gone meanwhile, or not ours to read: then it is no repository for us.
  }
}

export function readText(path: string): string | null {
  try {
    return readFileSync(systemPath(path), 'utf8')
  } catch {
    return null // Missing or unreadable.
  }
}

function runGit(cwd: string, args: readonly string[], timeout: number, input = ''): Promise<string | null> {
  if (timeout <= 0) return Promise.resolve(null)
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...env } = process.env
  return new Promise((resolve) => {
    const child = execFile(
      'git',
      args,
      {
        cwd,
        timeout,
        maxBuffer,
        killSignal: 'SIGKILL',
        env: { ...env, ...gitReadingEnvironment, GIT_ALLOW_PROTOCOL: 'none', LC_ALL: 'C' },
      },
      (error, stdout) => resolve(error && error.code !== 1 ? null : stdout),
    )
    // It may have ended before it read everything.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
