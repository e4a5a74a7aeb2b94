import type { Places } from '../approval/paths/paths'
import type { Entry } from '../changes/scan'
import type { Lost } from './lost'
import type { WorkTree } from './repository'

export interface LookOptions {
  places: Places
  /** The whole look takes no longer. */
  maxMs: number
  maxEntries: number
}

/** What all steps of a look share. */
export interface Looking extends LookOptions {
  lost: Lost
  /** Files that would be gone, by path; which of them exist elsewhere is found out at the end. */
  candidates: Map<string, Entry>
  leftMs(): number
  treeOf(folder: string): WorkTree | null
}
