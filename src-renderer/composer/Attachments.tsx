import { FileText, Paperclip, Plug, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { bytes, visible } from '../state/format'
import { load } from '../state/load'
import { setAttachments } from '../state/message-actions'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { IconButton, Menu, MenuItem } from '../ui'
import { attach } from './attachments'

const ResourceDialog = lazy(async () => ({ default: (await import('./ResourceDialog')).ResourceDialog }))

export function AttachButton({ sessionId }: { sessionId: string }) {
  const input = useRef<HTMLInputElement>(null)
  const [choosing, setChoosing] = useState(false)
  const known = useDeckhand((state) => state.mcp !== null)
  const servers = useDeckhand((state) => state.mcp?.some(({ state: now }) => now === 'ready') ?? false)
  useEffect(() => {
    if (!known) attempt(load('mcp.list', {}))
  }, [known])
  const chooseFiles = () => input.current?.click()
  const button = (onClick?: () => void) =>
    onClick ? (
      <IconButton label="Attach files" side="top" icon={<Paperclip size={15} />} onClick={onClick} />
    ) : (
      <IconButton light label="Attach files" icon={<Paperclip size={15} />} />
    )
  return (
    <>
      {servers ? (
        <Menu side="top" trigger={button()}>
          <MenuItem icon={<FileText size={14} />} onSelect={chooseFiles}>
            Files…
          </MenuItem>
          <MenuItem icon={<Plug size={14} />} onSelect={() => setChoosing(true)}>
            From an MCP server…
          </MenuItem>
        </Menu>
      ) : (
        button(chooseFiles)
      )}
      <Suspense>{choosing && <ResourceDialog sessionId={sessionId} onClose={() => setChoosing(false)} />}</Suspense>
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
          <li key={`${at} ${attachment.name}`} className="ui-row composer-chip">
            {image ? (
              <img src={`data:${attachment.mimeType};base64,${attachment.data}`} alt="" />
            ) : (
              <FileText size={14} aria-hidden />
            )}
            <span className="ui-cut composer-chip-name">{visible(attachment.name)}</span>
            <span className="ui-quiet composer-chip-size">
              {bytes(image ? Math.round(attachment.data.length * 0.75) : attachment.data.length)}
            </span>
            <IconButton label={`Remove ${attachment.name}`} icon={<X size={12} />} onClick={() => remove(at)} />
          </li>
        )
      })}
    </ul>
  )
}
