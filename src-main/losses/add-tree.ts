import { dirname } from 'node:path'
import { isInside } from '../approval/paths/paths'
import { entryAt, scan } from '../changes/scan'
import { madeByTools } from '../receipts/limits'
import { type FindTests, isFound } from './find-tests'
import type { Looking } from './looking'

/** Written over: what is empty or no plain file has nothing to lose. */
export function addFile(path: string, { candidates }: Looking): void {
  const entry = entryAt(path)
  if (entry?.kind === 'file' && entry.size > 0) candidates.set(path, entry)
}

/** A file, or everything in a folder. */
export async function addTree(path: string, looking: Looking, tests?: FindTests): Promise<void> {
  const { lost, candidates } = looking
  if (tests?.atMost) lost.notes.add('The command chooses among these by further conditions; it may delete fewer.')
  const entry = entryAt(path)
  if (!entry) return
  if (entry.kind !== 'folder') {
    if (!tests || isFound(tests, path, '', entry.kind)) candidates.set(path, entry)
    return
  }
  if (!tests && isGenerated(path)) return void lost.generated.push(path)
  if (path.endsWith('/.git')) return addRepository(dirname(path), looking, true)
  const { entries, cut, unread } = await below(path, looking)
  if (cut) lost.cut = true
  if (unread > 0) lost.notes.add('Some folders could not be read.')
  const whole = new Set<string>()
  for (const [inner, each] of entries) {
    const chosen =
      !tests || isFound(tests, path, inner, each.kind) || [...whole].some((folder) => isInside(inner, folder))
    if (!chosen) continue
    // `-exec rm -r` takes a folder with all that is in it.
    if (tests && each.kind === 'folder') whole.add(inner)
    if (each.sealed && inner.split('/').at(-1) === '.git')
      await addRepository(dirname(`${path}/${inner}`), looking, false)
    else if (each.sealed) lost.generated.push(`${path}/${inner}`)
    else if (each.kind !== 'folder') candidates.set(`${path}/${inner}`, each)
  }
}

const isGenerated = (path: string): boolean =>
  madeByTools.has(path.slice(path.lastIndexOf('/') + 1)) && !path.endsWith('/.git')

export const below = (path: string, { maxEntries, leftMs }: Looking) =>
  scan(path, { maxEntries, maxMs: Math.max(1, leftMs()), isSealed: (_, name) => madeByTools.has(name) })

/** A repository whose own files go: its commits are lost, unless a remote has them. */
async function addRepository(root: string, looking: Looking, alone: boolean): Promise<void> {
  const tree = looking.treeOf(root)
  if (!tree || tree.root !== root) return
  const count = Number((await tree.git(['rev-list', '--count', '--all', '--not', '--remotes']))?.trim() ?? Number.NaN)
  const remote = (await tree.git(['for-each-ref', '--count=1', 'refs/remotes']))?.trim() ?? ''
  const commits = count === 1 ? '1 commit' : `${count} commits`
  const detail = Number.isNaN(count)
    ? 'with its history'
    : count === 0
      ? 'every commit is also on a remote'
      : remote === ''
        ? `${commits}, and no remote has them`
        : `${commits} that no remote has`
  if (count !== 0) looking.lost.repositories.push({ path: root, detail })
  const { entries, cut } = await scan(`${root}/.git`, {
    maxEntries: looking.maxEntries,
    maxMs: Math.max(1, looking.leftMs()),
    isSealed: () => false,
  })
  if (cut) looking.lost.cut = true
  for (const [inner, entry] of entries)
    if (entry.kind === 'file')
      looking.lost.files.push({
        path: `${root}/.git/${inner}`,
        kind: 'implied',
        size: entry.size,
        mtimeMs: entry.mtimeMs,
      })
  if (alone) looking.lost.notes.add('The files themselves stay; their history goes.')
}
