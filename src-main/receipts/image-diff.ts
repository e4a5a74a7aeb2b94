import type { FileDiff } from '../../src-preload/contract/file-diff'
import type { FileImage } from '../../src-preload/contract/receipts'
import { fileDiff } from '../changes/file-diff'
import type { Image } from '../changes/put'
import { decodeText } from '../changes/text-encoding'

/** What was at a path, and its content if known. */
export interface Shown extends Pick<FileImage, 'kind' | 'mode' | 'size' | 'unkept'> {
  content: Image | null
}

/** The diff to show: content that is not text is described in one line, as are changed permissions. */
export function imageDiff(path: string, before: Shown | null, after: Shown | null): FileDiff {
  const modes = before && after && before.kind === after.kind && before.mode !== after.mode
  const text = (shown: Shown | null): string | null =>
    shown && (modes ? `(permissions ${shown.mode.toString(8)})\n` : '') + wordsOf(shown)
  return fileDiff(path, text(before), text(after))
}

function wordsOf({ kind, size, unkept, content }: Shown): string {
  if (content?.kind === 'link') return `(link to ${content.target})\n`
  if (kind === 'folder') return unkept === 'sealed' ? '(folder, not looked into)\n' : '(folder)\n'
  if (content?.kind === 'file') return decodeText(content.data)?.text ?? `(${bytes(size)} that are no text)\n`
  return unkept ? `(${bytes(size)}, not kept: ${reasons[unkept]})\n` : `(${bytes(size)}, not kept any more)\n`
}

const bytes = (size: number): string => (size === 1 ? '1 byte' : `${size.toLocaleString('en')} bytes`)

export const reasons: Record<NonNullable<FileImage['unkept']>, string> = {
  large: 'too large',
  secret: 'it looks like a secret',
  full: 'too much is kept of this workspace already',
  late: 'there was not time for it',
  sealed: 'made by tools, or ignored',
  unreadable: 'it could not be read',
}
