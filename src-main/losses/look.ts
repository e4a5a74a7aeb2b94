import { addFile, addTree, below } from './add-tree'
import { classify } from './classify'
import { gitLosses } from './git-losses'
import type { Hit } from './hits'
import type { Looking, LookOptions } from './looking'
import { type Lost, nothingLost } from './lost'
import { openWorkTree, type WorkTree } from './repository'

/** Finds what these hits would destroy. Links are not followed, and git only reads. */
export async function lookForLosses(hits: readonly Hit[], options: LookOptions): Promise<Lost> {
  const until = performance.now() + options.maxMs
  const leftMs = (): number => Math.max(0, until - performance.now())
  const trees = new Map<string, WorkTree | null>()
  const looking: Looking = {
    ...options,
    lost: nothingLost(),
    candidates: new Map(),
    leftMs,
    treeOf: (folder) => {
      const known = trees.get(folder)
      if (known !== undefined) return known
      const found = openWorkTree(folder, options.places, leftMs)
      trees.set(folder, found)
      return found
    },
  }
  const { lost } = looking
  for (const hit of hits) {
    if (leftMs() === 0) lost.cut = true
    else await lookAtHit(hit, looking)
  }
  await classify(looking)
  return lost
}

async function lookAtHit(hit: Hit, looking: Looking): Promise<void> {
  switch (hit.kind) {
    case 'unclear':
      looking.lost.notes.add('Some of what it deletes is only known when it runs.')
      return
    case 'delete':
      return addTree(hit.path, looking, hit.tests)
    case 'overwrite':
      return addFile(hit.path, looking)
    case 'overwrite-tree': {
      const { entries, cut } = await below(hit.from, looking)
      if (cut) looking.lost.cut = true
      for (const [inner, { kind }] of entries) if (kind === 'file') addFile(`${hit.path}/${inner}`, looking)
      return
    }
    case 'git':
      return gitLosses(hit, looking)
  }
}
