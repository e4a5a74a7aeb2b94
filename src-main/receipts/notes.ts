import type { FileImage, ReceiptFile } from '../../src-preload/contract/receipts'
import { reasons } from './image-diff'
import { maxListed } from './limits'

/** Which of these changes cannot be undone, and why, in whole sentences. */
export function limitNotes(files: readonly ReceiptFile[]): string[] {
  const notes: string[] = []
  if (files.length > maxListed)
    notes.push(`${number(files.length)} files changed: only the first ${number(maxListed)} are listed.`)
  const unkept = new Map<NonNullable<FileImage['unkept']>, ReceiptFile[]>()
  for (const file of files) {
    const why = file.before?.unkept ?? file.after?.unkept
    if (why) unkept.set(why, [...(unkept.get(why) ?? []), file])
  }
  for (const [why, list] of unkept) notes.push(unkeptNote(why, list))
  if (files.some(({ shared }) => shared))
    notes.push(
      'Something else was changing files at the same time. Files it may have changed can only be undone one by one.',
    )
  return notes
}

function unkeptNote(why: NonNullable<FileImage['unkept']>, files: readonly ReceiptFile[]): string {
  const [first] = files
  const size = why === 'large' && first ? ` of ${megabytes(first)}` : ''
  const what = files.length === 1 && first ? `${first.path}${size} was` : `${number(files.length)} files were`
  return `${what} not kept (${reasons[why]}), so this change cannot be undone.`
}

const megabytes = ({ before, after }: ReceiptFile): string =>
  `${number(Math.ceil(Math.max(before?.size ?? 0, after?.size ?? 0) / 1024 / 1024))} MB`

const number = (value: number): string => value.toLocaleString('en')
