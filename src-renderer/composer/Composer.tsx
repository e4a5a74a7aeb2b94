import { ArrowUp, Square } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { sendDraft, setDraft, stopTurn } from '../state/message-actions'
import { isBusy } from '../state/sessions'
import { isShortcut, keyLabels } from '../state/shortcuts'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { IconButton } from '../ui'
import { AttachButton, AttachmentChips } from './Attachments'
import { attach, attachLongPaste } from './attachments'
import { ContextMeter } from './ContextMeter'
import { EffortPicker } from './EffortPicker'
import { FolderButton } from './FolderButton'
import { HostedLine, HostedOptions } from './HostedOptions'
import { MentionMenu, mentionList, mentionOption } from './MentionMenu'
import { ModelPicker } from './ModelPicker'
import { ModePicker, ModeWarning } from './ModePicker'
import { Queue } from './Queue'
import { SandboxSwitch } from './SandboxSwitch'
import { Silence } from './Silence'
import { SlashMenu, slashList, slashOption } from './SlashMenu'
import { StoppedLine } from './StoppedLine'
import { TodoPanel } from './TodoPanel'
import { type Mentions, useMentions } from './use-mentions'
import { useRecall } from './use-recall'
import { type Slash, useSlash } from './use-slash'
import './composer.css'
import './slash.css'

export function Composer({ sessionId }: { sessionId: string }) {
  const busy = useDeckhand((state) => isBusy(state.sessions[sessionId]))
  return (
    <section className="composer" aria-label="Message">
      <Silence sessionId={sessionId} />
      <TodoPanel sessionId={sessionId} />
      <StoppedLine sessionId={sessionId} />
      <HostedLine sessionId={sessionId} />
      <Queue sessionId={sessionId} />
      <ModeWarning sessionId={sessionId} />
      <div className="composer-box">
        <AttachmentChips sessionId={sessionId} />
        <Draft sessionId={sessionId} busy={busy} />
        <div className="composer-bar">
          <div className="ui-row composer-picks">
            <AttachButton sessionId={sessionId} />
            <ModelPicker sessionId={sessionId} />
            <EffortPicker sessionId={sessionId} />
            <HostedOptions sessionId={sessionId} />
            <ModePicker sessionId={sessionId} />
            <SandboxSwitch sessionId={sessionId} />
            <FolderButton sessionId={sessionId} />
          </div>
          <ContextMeter sessionId={sessionId} />
          {busy && (
            <IconButton
              label="Stop"
              shortcut="stop"
              side="top"
              className="composer-stop"
              icon={<Square size={13} fill="currentcolor" />}
              onClick={() => stopTurn(sessionId)}
            />
          )}
          <SendButton sessionId={sessionId} busy={busy} />
        </div>
      </div>
    </section>
  )
}

const busyHint = () => `Enter to queue, ${keyLabels('steer').join('+')} to send now`

function Draft({ sessionId, busy }: { sessionId: string; busy: boolean }) {
  const text = useDeckhand((state) => state.drafts[sessionId] ?? '')
  const field = useRef<HTMLTextAreaElement>(null)
  const slash = useSlash(sessionId, text)
  const mentions = useMentions(sessionId, text, field)
  const recall = useRecall(sessionId, text, field)
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (slash.onKeyDown(event) || mentions.onKeyDown(event) || recall(event)) {
      event.preventDefault()
      return
    }
    const steer = isShortcut('steer', event)
    if (!steer && !isShortcut('send', event)) return
    event.preventDefault()
    sendDraft(sessionId, steer && busy ? 'steer' : 'send')
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length > 0) {
      event.preventDefault()
      attempt(attach(sessionId, files))
    } else if (attachLongPaste(sessionId, text, event.clipboardData.getData('text/plain'))) event.preventDefault()
  }
  return (
    <>
      <SlashMenu slash={slash} />
      <MentionMenu mentions={mentions} />
      <textarea
        ref={field}
        className="composer-text"
        data-composer
        rows={1}
        aria-label="Message to Deckhand"
        aria-autocomplete="list"
        {...listAttributes(slash, mentions)}
        placeholder={busy ? busyHint() : 'Ask Deckhand to do something'}
        value={text}
        onChange={(event) => setDraft(sessionId, event.target.value)}
        onSelect={mentions.onCaret}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </>
  )
}

/** The entry of the open list that Enter chooses, for screen readers. */
function listAttributes(slash: Slash, mentions: Mentions) {
  if (slash.matches.length > 0) return { 'aria-controls': slashList, 'aria-activedescendant': slashOption(slash.at) }
  if (mentions.items.length > 0)
    return { 'aria-controls': mentionList, 'aria-activedescendant': mentionOption(mentions.at) }
  return {}
}

function SendButton({ sessionId, busy }: { sessionId: string; busy: boolean }) {
  const empty = useDeckhand(
    (state) => !state.drafts[sessionId]?.trim() && (state.attachments[sessionId]?.length ?? 0) === 0,
  )
  return (
    <IconButton
      label={busy ? 'Queue' : 'Send'}
      shortcut="send"
      side="top"
      kind="primary"
      disabled={empty}
      icon={<ArrowUp size={16} />}
      onClick={() => sendDraft(sessionId, 'send')}
    />
  )
}
