import { realpathSync } from 'node:fs'
import type { Losses } from '../../src-preload/contract/losses'
import type { Places } from '../approval/paths/paths'
import { placesOf } from '../approval/rules/places'
import type { Access, FileView } from '../approval/types'
import { CopyError, type CopyRequest } from '../receipts/copies'
import { copyObstacle, describeLosses } from './describe'
import { type Hit, hitsOf } from './hits'
import { lookForLosses } from './look'
import type { Lost } from './lost'
import { createOwners, type Writer } from './owners'

/** Finds out what a call would destroy that exists nowhere else. */
export interface LossFinder {
  /** Whether a call may destroy something, by its words alone. */
  mayLose(access: Access): boolean
  /** What it would destroy now, in full. */
  find(access: Access, maxMs: number): Promise<Lost>
  /** The same in short, for the card. */
  describe(lost: Lost, access: Access): Losses
  /** All that a copy has to hold; throws `CopyError` where that is too much. */
  toCopy(lost: Lost): CopyRequest
}

interface LossFinderOptions {
  files: FileView
  isLocal(node: string): boolean
  /** Who wrote these files last, by absolute path. */
  writersOf(paths: readonly string[]): ReadonlyMap<string, Writer>
}

const maxEntries = 20_000

export function createLossFinder({ files, isLocal, writersOf }: LossFinderOptions): LossFinder {
  const places = (access: Access): Places => placesOf(access, { mode: 'ask', rules: [], sessionId: '', now: 0 }, files)
  const hits = (access: Access): Hit[] => (isLocal(access.node) ? hitsOf(access, places(access)) : [])
  return {
    mayLose: (access) => hits(access).length > 0,
    find: (access, maxMs) => lookForLosses(hits(access), { places: places(access), maxMs, maxEntries }),
    toCopy: (lost) => {
      const { files, names, gitFiles, cut } = lost
      const bytes = files.reduce((sum, { size }) => sum + size, 0)
      const obstacle = copyObstacle({ files: files.length, bytes, cut })
      if (obstacle !== null) throw new CopyError(obstacle)
      return {
        files: [...new Set([...files.map(({ path }) => path), ...gitFiles])],
        commits: names.map(({ home, id, ref }) => ({ home, id, ref })),
      }
    },
    describe: (lost, { workspace }) => {
      const root = realOf(workspace)
      return describeLosses(lost, root, createOwners(lost, writersOf))
    },
  }
}

const realOf = (folder: string): string => {
  try {
    return realpathSync(folder)
  } catch {
    return folder // Gone: names are shown as they are.
  }
}
