import type { Attachment } from '../../src-preload/contract/messages'
import { bytes } from '../state/format'
import { hasPile } from '../state/marks'
import { setAttachments, setDraft } from '../state/message-actions'
import { getState } from '../state/store'
import { toast } from '../state/toasts'

const largestText = 1_000_000
const largestPaste = 30_000_000
/** Beyond this the message box gets slow: it is measured again with every key. */
const longestInBox = 50_000
const largestImage = 20_000_000
const most = 20

type Reading = { attachment: Attachment } | { problem: string }

/** A file as an attachment: an image as base64, anything else as text; or the reason why it cannot be one. */
export async function readFile(file: File): Promise<Reading> {
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(file.type)) {
    if (file.size > largestImage) return { problem: `${file.name} is larger than 20 MB.` }
    const data = toBase64(new Uint8Array(await file.arrayBuffer()))
    return { attachment: { name: file.name || 'pasted image', mimeType: file.type, data } }
  }
  if (file.size > largestText)
    return {
      problem: `${file.name} is larger than 1 MB. Put its path in the message so that it can be read from disk.`,
    }
  const text = await file.text()
  if (text.includes('\0')) return { problem: `${file.name} is neither text nor an image.` }
  return { attachment: { name: file.name, mimeType: file.type || 'text/plain', data: text } }
}

/**
 * Attaches a pasted text as a file if the message box should not hold it, since drawing it would freeze the window.
 * Returns false if the box can take it.
 */
export function attachLongPaste(sessionId: string, draft: string, pasted: string): boolean {
  if (draft.length + pasted.length <= longestInBox && !hasPile(pasted)) return false
  const files = getState().attachments[sessionId] ?? []
  if (pasted.length > largestPaste) {
    const text = 'This text is larger than 30 MB and was not pasted. Save it as a file and put its path in the message.'
    toast({ kind: 'error', text })
  } else if (files.length >= most) toast({ kind: 'error', text: `A message can have at most ${most} files.` })
  else {
    setAttachments(sessionId, [...files, { name: 'Pasted text.txt', mimeType: 'text/plain', data: pasted }])
    toast({ kind: 'info', text: `The pasted text (${bytes(pasted.length)}) was attached as a file.` })
  }
  return true
}

/** Adds files to the session's next message. A folder has no content, so its path is added to the text. */
export async function attach(sessionId: string, files: readonly File[]): Promise<void> {
  const readings = await Promise.all(files.map((file) => readFile(file).catch(() => pathInstead(sessionId, file))))
  addAttachments(
    sessionId,
    readings.flatMap((reading) => (reading && 'attachment' in reading ? [reading.attachment] : [])),
  )
  for (const reading of readings) if (reading && 'problem' in reading) toast({ kind: 'error', text: reading.problem })
}

export function addAttachments(sessionId: string, added: readonly Attachment[]): void {
  const all = [...(getState().attachments[sessionId] ?? []), ...added]
  setAttachments(sessionId, all.slice(0, most))
  if (all.length > most) toast({ kind: 'error', text: `A message can have at most ${most} files.` })
}

function pathInstead(sessionId: string, file: File): Reading | null {
  const path = window.deckhand.pathForFile(file)
  if (!path) return { problem: `${file.name} could not be read.` }
  const draft = getState().drafts[sessionId] ?? ''
  setDraft(sessionId, draft ? `${draft} ${path}` : path)
  return null
}

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  // In slices, since the whole array would be too many arguments for one call.
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(binary)
}
