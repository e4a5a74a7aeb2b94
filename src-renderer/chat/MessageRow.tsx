import { Pencil, RefreshCw } from 'lucide-react'
import { memo, useState } from 'react'
import type { Message } from '../../src-preload/contract/messages'
import { ErrorBoundary } from '../layout/ErrorBoundary'
import { RewindButton } from '../rewind/RewindButton'
import { hasPile } from '../state/marks'
import { branch, regenerate } from '../state/message-actions'
import { modelName } from '../state/models'
import { isBusy } from '../state/sessions'
import { useDeckhand } from '../state/store'
import { Button, IconButton, When } from '../ui'
import { CopyButton } from './CodeBlock'
import { hasText, messageText } from './message-text'
import { PartView } from './Parts'
import { SendElsewhere } from './SendElsewhere'
import { useFoldedAway } from './use-fold'

interface MessageRowProps {
  sessionId: string
  /** Its position in the loaded transcript. */
  at: number
  flash: boolean
}

export const MessageRow = memo(function MessageRow({ sessionId, at, flash }: MessageRowProps) {
  const message = useDeckhand((state) => state.transcripts[sessionId]?.messages[at])
  const sameSpeaker = useDeckhand((state) => {
    const messages = state.transcripts[sessionId]?.messages
    return messages?.[at - 1]?.role === messages?.[at]?.role
  })
  const last = useDeckhand((state) => state.transcripts[sessionId]?.messages.length === at + 1)
  const foldedAway = useFoldedAway(message)
  // A row without height would confuse the list, so there is always an element.
  if (!message) return <div className="chat-gone" />
  if (foldedAway) return <div className="chat-folded" data-message={message.id} />
  return (
    <article
      className={`chat-message chat-message-${message.role}`}
      data-message={message.id}
      data-flash={flash || undefined}
      data-continued={sameSpeaker || undefined}
      data-begins-in-call={message.parts[0]?.type === 'call' || undefined}
      data-ends-in-call={message.parts.at(-1)?.type === 'call' || undefined}
      aria-label={speakers[message.role]}
      aria-busy={message.streaming || undefined}
    >
      {!sameSpeaker && message.role === 'assistant' && <Speaker message={message} />}
      <ErrorBoundary what="this message">
        {message.role === 'user' ? <UserMessage message={message} /> : <Parts message={message} />}
      </ErrorBoundary>
      {message.role === 'assistant' && !message.streaming && hasText(message) && (
        <div className="ui-row ui-quiet chat-actions">
          <CopyButton text={() => messageText(message)} label="Copy message" />
          {last ? <Regenerate sessionId={sessionId} /> : <RewindButton message={message} />}
        </div>
      )}
    </article>
  )
})

const speakers = { user: 'You', assistant: 'Deckhand', system: 'Notice' }

function Speaker({ message }: { message: Message }) {
  const providers = useDeckhand((state) => state.providers)
  const agents = useDeckhand((state) => state.hostedAgents)
  return (
    <header className="ui-quiet chat-speaker">
      <span className="chat-speaker-name">Deckhand</span>
      {message.model && <span>{modelName(providers, message.model, agents)}</span>}
      <When time={message.createdAt} />
    </header>
  )
}

function Parts({ message }: { message: Message }) {
  if (message.streaming && message.parts.length === 0)
    return (
      <p className="ui-row chat-thinking" role="status" aria-label="Deckhand is thinking">
        <span />
        <span />
        <span />
      </p>
    )
  return message.parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
    <PartView key={index} part={part} message={message} index={index} />
  ))
}

function UserMessage({ message }: { message: Message }) {
  const [editing, setEditing] = useState(false)
  if (editing) return <EditMessage message={message} onDone={() => setEditing(false)} />
  return (
    <>
      <div className="chat-user">
        {message.steer && <span className="ui-quiet">sent while it was working</span>}
        <Parts message={message} />
      </div>
      <div className="ui-row ui-quiet chat-actions">
        <CopyButton text={() => messageText(message)} label="Copy message" />
        {!hasPile(messageText(message)) && (
          <IconButton light label="Edit in a new branch" icon={<Pencil size={14} />} onClick={() => setEditing(true)} />
        )}
        <SendElsewhere message={message} />
        <RewindButton message={message} />
        <When time={message.createdAt} />
      </div>
    </>
  )
}

/** Continues from a past message in a new session, so that what followed it here is kept. */
function EditMessage({ message, onDone }: { message: Message; onDone: () => void }) {
  const [text, setText] = useState(() => messageText(message))
  const submit = () => {
    if (!text.trim()) return
    branch(message.sessionId, message.id, text)
    onDone()
  }
  return (
    <form
      className="ui-column chat-edit"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <textarea
        aria-label="Edit the message"
        value={text}
        // biome-ignore lint/a11y/noAutofocus: the user just asked to edit it
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing))
            return
          event.preventDefault()
          if (event.key === 'Enter') submit()
          else onDone()
        }}
      />
      <div className="ui-row chat-edit-actions">
        <span>Continues from here in a new session.</span>
        <Button onClick={onDone}>Cancel</Button>
        <Button kind="primary" type="submit">
          Branch
        </Button>
      </div>
    </form>
  )
}

function Regenerate({ sessionId }: { sessionId: string }) {
  const busy = useDeckhand((state) => isBusy(state.sessions[sessionId]))
  if (busy) return null
  return <IconButton light label="Regenerate" icon={<RefreshCw size={14} />} onClick={() => regenerate(sessionId)} />
}
