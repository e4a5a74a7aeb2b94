import { homedir } from 'node:os'
import { localFileView } from '../approval/paths/file-view'
import type { LossFinder } from '../losses/losses'
import type { Receipts } from '../receipts/receipts'

/** What finds out what a call would destroy, loaded with the first question that it is for. */
export function lossFinder(
  isLocal: (node: string) => boolean,
  receipts: Pick<Receipts, 'writersOf'>,
): () => Promise<LossFinder> {
  let loading: Promise<LossFinder> | null = null
  return () => {
    loading ??= import('../losses/losses').then(({ createLossFinder }) =>
      createLossFinder({
        files: localFileView(homedir(), process.env.PATH ?? ''),
        isLocal,
        writersOf: receipts.writersOf,
      }),
    )
    return loading
  }
}
