import { readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import { eachEntry, type IndexEntry } from '../approval/paths/git-index'
import { isChanged } from '../approval/paths/uncommitted'
import type { Entry } from '../changes/scan'
import { errorCode } from '../error-code'
import { systemPath } from '../file-names'
import type { Looking } from './looking'
import type { LostFile } from './lost'
import type { WorkTree } from './repository'

/** So many files are compared before others get their turn. */
const slice = 50

/** Tells of each file that would be gone whether it exists elsewhere, in a commit, or else what kind of loss it is. */
export async function classify(looking: Looking): Promise<void> {
  const { lost, candidates, treeOf } = looking
  const trees = new Map<WorkTree, Map<string, Entry>>()
  const folders = new Map<string, WorkTree | null>()
  for (const [path, entry] of candidates) {
    const folder = dirname(path)
    const tree = folders.get(folder) ?? treeOf(folder)
    folders.set(folder, tree)
    if (!tree) lost.files.push(lostFile(path, entry, 'file'))
    else trees.set(tree, (trees.get(tree) ?? new Map()).set(relative(tree.root, path), entry))
  }
  for (const [tree, files] of trees) await classifyIn(tree, files, looking)
  lost.files = [...new Map(lost.files.map((file) => [file.path, file])).values()]
  lost.files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function classifyIn(tree: WorkTree, files: Map<string, Entry>, { lost, leftMs }: Looking): Promise<void> {
  const known = knownIn(tree, files)
  const gone = lost.repositories.some(({ path }) => path === tree.root)
  const staged = await stagedIn(tree)
  const unknown: string[] = []
  let done = 0
  for (const [path, entry] of files) {
    const indexed = known?.get(path)
    if (!indexed) {
      unknown.push(path)
      continue
    }
    if (++done % slice === 0) await nextTick()
    // Past the limit nothing is compared any more: it may have changed.
    const changed = leftMs() === 0 || staged?.has(path) || isChanged(tree.root, indexed)
    if (changed || gone) lost.files.push(lostFile(`${tree.root}/${path}`, entry, changed ? 'changes' : 'implied'))
  }
  const ignored = await ignoredIn(tree, unknown)
  for (const path of unknown) {
    const entry = files.get(path)
    if (entry) lost.files.push(lostFile(`${tree.root}/${path}`, entry, ignored.has(path) ? 'ignored' : 'untracked'))
  }
  if (staged === null) lost.notes.add('git could not be asked what is committed; its settings may start programs.')
  if (known === null) lost.notes.add(`What git knows of ${tree.root} could not be read.`)
}

const lostFile = (path: string, { size, mtimeMs }: Entry, kind: LostFile['kind']): LostFile => ({
  path,
  kind,
  size,
  mtimeMs,
})

/** What the index has of these files; `null` where it cannot be read. */
function knownIn({ folder }: WorkTree, files: ReadonlyMap<string, Entry>): Map<string, IndexEntry> | null {
  const known = new Map<string, IndexEntry>()
  try {
    const end = eachEntry(readFileSync(systemPath(`${folder}/index`)), 20, (entry) => {
      if (files.has(entry.path)) known.set(entry.path, entry)
    })
    return end === null ? null : known
  } catch (error) {
    // Before anything was added there is none.
    return errorCode(error) === 'ENOENT' ? known : null
  }
}

const compared = [
  'diff-index',
  '--cached',
  '--name-only',
  '-z',
  '--no-renames',
  '--no-ext-diff',
  '--ignore-submodules=all',
]

/** What was added and is in no commit; `null` where that cannot be told. */
export async function stagedIn(tree: WorkTree): Promise<Set<string> | null> {
  const head = await tree.git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  if (head === null) return null
  const text = await tree.git(head.trim() === '' ? ['ls-files', '-z'] : [...compared, 'HEAD'])
  return text === null ? null : new Set(text.split('\0').filter(Boolean))
}

async function ignoredIn(tree: WorkTree, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  const text = await tree.git(['check-ignore', '-z', '--stdin'], paths.map((path) => `${path}\0`).join(''))
  return new Set((text ?? '').split('\0').filter(Boolean))
}
