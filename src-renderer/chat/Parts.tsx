import { ChevronRight, CircleAlert, FileText, RotateCcw } from 'lucide-react'
import { memo } from 'react'
import type { Message, Notice, Part } from '../../src-preload/contract/messages'
import { bytes, duration, visible } from '../state/format'
import { retry, undoCompaction, undoRewind } from '../state/message-actions'
import { focusProcess, openSettings } from '../state/navigate'
import { isBusy } from '../state/sessions'
import { useDeckhand } from '../state/store'
import { Button, Scroll } from '../ui'
import { Markdown } from './Markdown'
import { noticeWords } from './notice-words'
import { Picture } from './Picture'
import { PlainText } from './PlainText'
import { ToolCard } from './ToolCard'
import { useExpanded } from './use-expanded'

/** One part of a message, by its kind. */
export const PartView = memo(function PartView({
  part,
  message,
  index,
}: {
  part: Part
  message: Message
  index: number
}) {
  const id = `${message.id}:${index}`
  switch (part.type) {
    case 'text':
      if (message.role === 'user') return <PlainText id={id} text={part.text} />
      return <Markdown id={id} text={part.text} streaming={message.streaming && index === message.parts.length - 1} />
    case 'reasoning':
      return <Reasoning id={id} part={part} streaming={message.streaming && index === message.parts.length - 1} />
    case 'image':
      return <Picture src={`data:${part.mimeType};base64,${part.data}`} name={visible(part.name ?? 'Image')} />
    case 'file':
      return <FilePart id={id} part={part} />
    case 'call':
      return <ToolCard sessionId={message.sessionId} callId={part.callId} />
    case 'error':
      return <ErrorPart error={part.error} sessionId={message.sessionId} />
    case 'notice':
      return <NoticePart id={id} notice={part.notice} message={message} />
  }
})

function Reasoning({
  id,
  part,
  streaming,
}: {
  id: string
  part: Extract<Part, { type: 'reasoning' }>
  streaming: boolean
}) {
  const [open, toggle] = useExpanded(id)
  const title = streaming ? 'Thinking…' : part.durationMs ? `Thought for ${duration(part.durationMs)}` : 'Thought'
  return (
    <div>
      <button type="button" className="ui-row chat-fold" aria-expanded={open} onClick={toggle}>
        <ChevronRight size={14} aria-hidden />
        <span>{title}</span>
        {streaming && !open && <span className="ui-cut chat-reasoning-tail">{lastLine(part.text)}</span>}
      </button>
      {open && <div className="chat-reasoning-text">{part.text}</div>}
    </div>
  )
}

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)?.slice(-120) ?? ''

function FilePart({ id, part }: { id: string; part: Extract<Part, { type: 'file' }> }) {
  const [open, toggle] = useExpanded(id)
  return (
    <div>
      <button type="button" className="chat-chip" aria-expanded={open} title={part.path} onClick={toggle}>
        <FileText size={14} aria-hidden />
        <span className="ui-cut chat-chip-name">{visible(part.name)}</span>
        <span className="chat-chip-size">{bytes(part.text.length)}</span>
      </button>
      {open && (
        <Scroll className="chat-tool-scroll" label={part.name}>
          <PlainText id={id} text={part.text} />
        </Scroll>
      )}
    </div>
  )
}

function ErrorPart({ error, sessionId }: { error: Extract<Part, { type: 'error' }>['error']; sessionId: string }) {
  const aboutKeys = error.kind === 'auth' || error.kind === 'quota' || error.kind === 'model-not-found'
  const aboutNetwork = error.kind === 'proxy' || error.kind === 'certificate'
  return (
    <div className="chat-error" role="alert">
      <CircleAlert size={16} aria-hidden />
      <div className="chat-error-words">
        <p>{error.message}</p>
        {error.hint && <p className="chat-error-hint">{error.hint}</p>}
        <div className="chat-error-actions">
          {error.retryable && (
            <Button icon={<RotateCcw size={14} />} onClick={() => retry(sessionId)}>
              Try again
            </Button>
          )}
          {aboutKeys && <Button onClick={() => openSettings('models')}>Open settings</Button>}
          {aboutNetwork && <Button onClick={() => openSettings('network')}>Network settings</Button>}
        </div>
      </div>
    </div>
  )
}

/** Continues a paused turn, as long as nothing else was said since. */
function Continue({ message: { sessionId, id } }: { message: Message }) {
  const possible = useDeckhand(
    (state) =>
      !isBusy(state.sessions[sessionId]) &&
      state.transcripts[sessionId]?.latest === true &&
      state.transcripts[sessionId].messages.at(-1)?.id === id,
  )
  if (!possible) return null
  return (
    <Button kind="quiet" onClick={() => retry(sessionId)}>
      Continue
    </Button>
  )
}

function UndoRewind({
  notice,
  message: { sessionId },
}: {
  notice: Extract<Notice, { kind: 'rewind' }>
  message: Message
}) {
  const busy = useDeckhand((state) => isBusy(state.sessions[sessionId]))
  if (busy) return null
  return (
    <Button kind="quiet" onClick={() => undoRewind(sessionId, notice.rewindId)}>
      Undo
    </Button>
  )
}

function NoticePart({ id, notice, message }: { id: string; notice: Notice; message: Message }) {
  const [open, toggle] = useExpanded(id)
  return (
    <div className="chat-notice">
      <p className="ui-row chat-notice-line">
        <span className="chat-notice-text">{noticeWords(notice)}</span>
        {'processId' in notice && (
          <Button kind="quiet" onClick={() => focusProcess(notice.processId)}>
            Show
          </Button>
        )}
        {notice.kind === 'limit' && <Continue message={message} />}
        {notice.kind === 'rewind' &&
          (notice.undone ? <span>undone</span> : <UndoRewind notice={notice} message={message} />)}
        {notice.kind === 'compaction' && (
          <>
            <Button kind="quiet" aria-expanded={open} onClick={toggle}>
              {open ? 'Hide summary' : 'Show summary'}
            </Button>
            {notice.undone ? (
              <span>undone</span>
            ) : (
              <Button kind="quiet" onClick={() => undoCompaction(message.sessionId, message.id)}>
                Undo
              </Button>
            )}
          </>
        )}
      </p>
      {open && notice.kind === 'compaction' && <div className="chat-notice-summary">{notice.summary}</div>}
    </div>
  )
}
