import type { ReviewFile, ReviewScope } from '../../src-preload/contract/review'

/** The words for accepting and reverting in each list. */
export const verbs: Record<ReviewScope, { accept: string | null; revert: string; accepted: string; reverted: string }> =
  {
    session: { accept: 'Accept', revert: 'Revert', accepted: 'Accepted', reverted: 'Reverted' },
    unstaged: { accept: 'Stage', revert: 'Revert', accepted: 'Staged', reverted: 'Reverted' },
    staged: { accept: null, revert: 'Unstage', accepted: '', reverted: 'Unstaged' },
  }

export const kindWords: Record<ReviewFile['kind'], string> = {
  add: 'new',
  update: '',
  delete: 'deleted',
  move: 'renamed',
  conflict: 'conflict',
  submodule: 'submodule',
}
