/**
 * The files of a repository that are recorded: names of branches, tags and stashes, so that `git reset --hard`, `git
 * branch -D` and `git stash clear` can be undone. The commits themselves stay in the repository until git cleans it up.
 */
const folders = /^\.git(?:\/(?:refs(?:\/(?!remotes(?:\/|$)).*)?|logs|logs\/refs))?$/
const files = /^\.git\/(?:HEAD|index|packed-refs|refs\/(?!remotes(?:\/|$)).+|logs\/refs\/stash)$/

const isInside = (path: string): boolean => path.startsWith('.git/')

/** Whether a folder is one of them, or on the way to them; the path is relative to the workspace. */
export const isGitPart = (path: string): boolean => folders.test(path)

/** Whether a path in the repository's own folder is not recorded. */
export const isLeftOut = (path: string): boolean =>
  isInside(path) && !folders.test(path) && (!files.test(path) || path.endsWith('.lock'))

/** Leaves out git's own files if nothing but the index has changed, since every `git status` rewrites it. */
export function withoutLooks<Change extends { path: string }>(changes: readonly Change[]): Change[] {
  const moved = changes.some(({ path }) => isInside(path) && path !== '.git/index' && files.test(path))
  return changes.filter(({ path }) => moved || !(path === '.git' || isInside(path)))
}
