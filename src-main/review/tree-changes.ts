import type { Image } from '../changes/put'
import type { Git } from '../git/git'
import { type ChangedPath, type Recorded, type Repository, readBlobs, readStatus, type Status } from '../git/repository'
import { mostFileBytes, type Pair, type Side, sideOf, sideOnDisk, unknownSide } from './sides'

type TreeScope = 'unstaged' | 'staged'

/** Files that are listed at most: nobody looks through more. */
export const mostListed = 1_000

/** The differences in the work tree of a repository, of one folder in it. */
export interface TreeChanges {
  status(): Promise<Status>
  pairs(status: Status, scope: TreeScope): Promise<Pair[]>
  pair(scope: TreeScope, path: string): Promise<Pair | null>
  /** Records a file in the index, or its absence. */
  record(path: string, image: Image | null): Promise<void>
  /** Whole files. Refuses those that go through a filter. */
  stage(paths: readonly string[]): Promise<void>
  unstage(paths: readonly string[]): Promise<void>
  /** The name of the filter that a file goes through, or null. */
  filterOf(path: string): Promise<string | null>
}

/** `root` is the canonical workspace; paths are relative to it. */
export function treeChanges(git: Git, repository: Repository, root: string): TreeChanges {
  const { prefix, gitDir, commonDir } = repository
  const writable = [gitDir, commonDir]

  const status = async (): Promise<Status> => {
    const found = await readStatus(git, repository, prefix || '.')
    const here = ({ path }: ChangedPath): boolean => path.startsWith(prefix)
    return { ...found, staged: found.staged.filter(here), unstaged: found.unstaged.filter(here) }
  }

  const within = (path: string): string => path.slice(prefix.length)

  const load = async (changes: readonly ChangedPath[], scope: TreeScope): Promise<Pair[]> => {
    const recorded = changes.flatMap(({ before, after }) => [before, scope === 'staged' ? after : null])
    const ids = recorded.flatMap((each) => (each && isBlob(each) ? each.id : []))
    const blobs = await readBlobs(git, repository, ids, mostFileBytes)
    const pairs: Pair[] = []
    for (const change of changes) {
      const { kind, from } = change
      const path = within(change.path)
      const conflict = kind === 'conflict' || kind === 'submodule'
      pairs.push({
        path,
        kind,
        ...(from !== undefined && { from: from.startsWith(prefix) ? within(from) : from }),
        left: change.before && sideOfBlob(blobs, change.before),
        right:
          scope === 'staged'
            ? change.after && sideOfBlob(blobs, change.after)
            : conflict
              ? unknownSide(0, obstacles[kind], `${kind} ${change.path}`)
              : await sideOnDisk(root, path),
      })
    }
    return pairs
  }

  /** Pathspecs, each for itself and nothing else. */
  const named = (paths: readonly string[]): string => paths.map((path) => `:(literal)${prefix}${path}\0`).join('')

  const filtersOf = async (paths: readonly string[]): Promise<Map<string, string>> => {
    const input = paths.map((path) => `${prefix}${path}\0`).join('')
    const args = ['check-attr', '-z', '--stdin', 'filter']
    const { stdout } = await git(repository.root, args, { readable: writable, input })
    const words = stdout.toString().split('\0')
    const found = new Map<string, string>()
    for (let at = 0; at + 2 < words.length; at += 3) {
      const value = words[at + 2] ?? 'unspecified'
      if (value !== 'unspecified' && value !== 'unset') found.set(within(words[at] ?? ''), value)
    }
    return found
  }

  return {
    status,
    pairs: (found, scope) => load(found[scope].slice(0, mostListed), scope),
    pair: async (scope, path) => {
      const change = (await status())[scope].find((each) => each.path === prefix + path)
      return change ? ((await load([change], scope))[0] ?? null) : null
    },
    record: async (path, image) => {
      const full = prefix + path
      let line = `0 ${'0'.repeat(40)}\t${full}\0`
      if (image && image.kind !== 'folder') {
        const input = image.kind === 'link' ? image.target : image.data
        const raw = image.kind === 'link' ? ['--no-filters'] : [`--path=${full}`]
        const { stdout } = await git(repository.root, ['hash-object', '-w', '--stdin', ...raw], { input, writable })
        const mode = image.kind === 'link' ? '120000' : image.mode & 0o100 ? '100755' : '100644'
        line = `${mode} ${stdout.toString().trim()}\t${full}\0`
      }
      await git(repository.root, ['update-index', '-z', '--index-info'], { input: line, writable })
    },
    stage: async (paths) => {
      const filtered = [...(await filtersOf(paths)).keys()][0]
      if (filtered !== undefined) throw new Error(`${filtered} goes through a git filter. Stage it in a terminal.`)
      await git(repository.root, ['add', '-A', ...fromInput], { input: named(paths), writable })
    },
    unstage: async (paths) => {
      await git(repository.root, ['reset', '-q', ...fromInput], { input: named(paths), writable })
    },
    filterOf: async (path) => (await filtersOf([path])).get(path) ?? null,
  }
}

const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul']

const obstacles = {
  conflict: 'it has conflicts that have to be resolved first',
  submodule: 'it is a submodule, a repository of its own',
}

const isBlob = ({ mode, id }: Recorded): boolean => mode !== '160000' && id !== ''

function sideOfBlob(blobs: ReadonlyMap<string, Buffer | null>, recorded: Recorded): Side {
  const { id, mode } = recorded
  if (mode === '160000') return unknownSide(0, obstacles.submodule, id)
  const data = blobs.get(id)
  if (!data) return unknownSide(mostFileBytes, 'it is too large', id)
  if (mode === '120000') return sideOf({ kind: 'link', target: data.toString() }, data.length)
  return sideOf({ kind: 'file', mode: mode === '100755' ? 0o755 : 0o644, data }, data.length)
}
