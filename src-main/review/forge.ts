import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { ReviewRepository } from '../../src-preload/contract/review'
import type { Git } from '../git/git'

/** The remotes of a repository: where each is, by name. */
export async function remotesOf(git: Git, folder: string): Promise<Map<string, string>> {
  const { stdout } = await git(folder, ['remote', '-v'], { plain: true })
  const remotes = new Map<string, string>()
  for (const line of stdout.toString().split('\n')) {
    const [name = '', rest = ''] = line.split('\t')
    if (name && rest.endsWith(' (push)')) remotes.set(name, rest.slice(0, -' (push)'.length))
  }
  return remotes
}

/** The program that opens pull requests at the remote, if it is installed. */
export function forgeFor(
  remotes: ReadonlyMap<string, string>,
  path = process.env.PATH ?? '',
): ReviewRepository['forge'] {
  if (remotes.size === 0) return null
  const places = [...remotes.values()].join(' ')
  const installed = (['gh', 'glab'] as const).filter((name) => isInstalled(name, path))
  const wanted = /gitlab/i.test(places) ? 'glab' : /github/i.test(places) ? 'gh' : null
  // An address of one's own does not tell which of the two it speaks.
  if (wanted === null) return installed.length === 1 ? (installed[0] ?? null) : null
  return installed.includes(wanted) ? wanted : null
}

const isInstalled = (program: string, path: string): boolean =>
  path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
