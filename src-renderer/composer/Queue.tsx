import { CornerDownRight, Pencil, X } from 'lucide-react'
import { useState } from 'react'
import type { QueuedMessage } from '../../src-preload/contract/messages'
import { count } from '../state/format'
import { hasPile } from '../state/marks'
import { editQueued, removeQueued, steerQueued } from '../state/message-actions'
import { useDeckhand } from '../state/store'
import { Button, IconButton } from '../ui'

/** Messages that wait for the running turn to end, in the order in which they will be sent. */
export function Queue({ sessionId }: { sessionId: string }) {
  const queue = useDeckhand((state) => state.queues[sessionId])
  if (!queue?.length) return null
  return (
    <ol className="composer-queue" aria-label={`${count(queue.length, 'message')} queued`}>
      {queue.map((entry) => (
        <QueuedRow key={entry.id} entry={entry} />
      ))}
    </ol>
  )
}

function QueuedRow({ entry }: { entry: QueuedMessage }) {
  const [editing, setEditing] = useState(false)
  const finish = (text: string) => {
    setEditing(false)
    if (text.trim() && text !== entry.text) editQueued(entry.sessionId, entry.id, text)
  }
  return (
    <li className="composer-queued">
      <span className="composer-queued-mark">queued</span>
      {editing ? (
        <textarea
          className="composer-queued-edit"
          aria-label="Edit the queued message"
          defaultValue={entry.text}
          // biome-ignore lint/a11y/noAutofocus: the user just asked to edit it
          autoFocus
          onBlur={(event) => finish(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.value = entry.text
            if (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey)) return
            event.preventDefault()
            event.currentTarget.blur()
          }}
        />
      ) : (
        <span className="ui-cut composer-queued-text">
          {entry.text}
          {entry.attachments.length > 0 && ` (${count(entry.attachments.length, 'file')})`}
        </span>
      )}
      {!editing && (
        <>
          <Button
            kind="quiet"
            icon={<CornerDownRight size={13} />}
            onClick={() => steerQueued(entry.sessionId, entry.id)}
          >
            Send now
          </Button>
          {!hasPile(entry.text) && (
            <IconButton label="Edit" icon={<Pencil size={13} />} onClick={() => setEditing(true)} />
          )}
          <IconButton label="Remove" icon={<X size={14} />} onClick={() => removeQueued(entry.sessionId, entry.id)} />
        </>
      )}
    </li>
  )
}
