import { relative } from 'node:path'
import type { FileImage, ReceiptFile } from '../../src-preload/contract/receipts'
import { entryAt } from '../changes/scan'
import type { Copies, KeptCopy } from './copies'
import type { Interval } from './workspace-record'

/** The index of git, which every `git status` rewrites; it only counts together with other changes. */
const isLookedAt = (path: string): boolean => /(?:^|\/)\.git\/(?:worktrees\/[^/]+\/)?index$/.test(path)

/**
 * Adds what a call did to the files that were copied before it. The copy has their earlier content even where the
 * record of the workspace has none. Files outside the workspace are listed by absolute path.
 */
export async function addCopied(
  { files }: Pick<Interval, 'files'>,
  root: string,
  callId: string,
  copy: KeptCopy,
  copies: Pick<Copies, 'keepNow'>,
): Promise<void> {
  const changed: ReceiptFile[] = []
  for (const [whole, before] of copy) {
    const after =
      before.kind === 'folder' ? folderAt(whole) : await copies.keepNow(callId, whole).catch(() => unreadable)
    if (isSame(before, after)) continue
    const inner = relative(root, whole)
    changed.push({ path: inner.startsWith('..') ? whole : inner, before, after })
  }
  const matters = changed.some(({ path }) => !isLookedAt(path))
  for (const file of changed) {
    if (!matters) continue
    files.set(file.path, file)
    openFolders(files, file.path)
  }
}

const folderAt = (path: string): FileImage | null => {
  const entry = entryAt(path)
  return entry?.kind === 'folder' ? { kind: 'folder', mode: entry.mode, size: 0 } : null
}

const unreadable: FileImage = { kind: 'other', mode: 0, size: 0, unkept: 'unreadable' }

const isSame = (before: FileImage, after: FileImage | null): boolean =>
  after !== null && before.kind === after.kind && before.hash === after.hash && before.target === after.target

/** Makes folders restorable whose content was not recorded, so that they exist before the copied files in them. */
function openFolders(files: Interval['files'], path: string): void {
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    const folder = files.get(path.slice(0, slash))
    if (folder?.before?.unkept !== 'sealed') continue
    const { unkept: _, ...before } = folder.before
    files.set(folder.path, { ...folder, before })
  }
}
