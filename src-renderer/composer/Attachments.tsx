import { FileText, Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { attempt, setAttachments } from '../state/actions'
import { bytes, visible } from '../state/format'
import { useDeckhand } from '../state/store'
import { IconButton } from '../ui'
import { attach } from './attachments'

export function AttachButton({ sessionId }: { sessionId: string }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        label="Attach files"
        side="top"
        icon={<Paperclip size={15} />}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          attempt(attach(sessionId, [...(event.target.files ?? [])]))
          event.target.value = ''
        }}
      />
    </>
  )
}

export function AttachmentChips({ sessionId }: { sessionId: string }) {
  const attachments = useDeckhand((state) => state.attachments[sessionId])
  if (!attachments?.length) return null
  const remove = (at: number) => setAttachments(sessionId, attachments.toSpliced(at, 1))
  return (
    <ul className="composer-chips" aria-label="Attached files">
      {attachments.map((attachment, at) => {
        const image = attachment.mimeType.startsWith('image/')
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be attached twice
          <li key={`${at} ${attachment.name}`} className="composer-chip">
            {image ? (
              <img src={`data:${attachment.mimeType};base64,${attachment.data}`} alt="" />
            ) : (
              <FileText size={14} aria-hidden />
            )}
            <span className="composer-chip-name">{visible(attachment.name)}</span>
            <span className="composer-chip-size">
              {bytes(image ? Math.round(attachment.data.length * 0.75) : attachment.data.length)}
            </span>
            <IconButton label={`Remove ${attachment.name}`} icon={<X size={12} />} onClick={() => remove(at)} />
          </li>
        )
      })}
    </ul>
  )
}
