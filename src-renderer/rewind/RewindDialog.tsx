import { useState } from 'react'
import type { Message } from '../../src-preload/contract/messages'
import type { RewindPreview, RewindScope, RewindStep } from '../../src-preload/contract/rewind'
import { Diff } from '../chat/Diff'
import { messageText } from '../chat/message-text'
import { Choice } from '../page/Choice'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { count, visible } from '../state/format'
import { setDraft } from '../state/message-actions'
import { useDeckhand } from '../state/store'
import { announce, toast } from '../state/toasts'
import { Button, Dialog } from '../ui'
import { confirmWords, problemWords, scopesOf } from './rewind-words'
import '../receipts/receipts.css'
import './rewind.css'

interface RewindDialogProps {
  message: Message
  onClose: () => void
}

/** Shows what going back to a message would change, and does it. Asks about files that something else has changed. */
export function RewindDialog({ message, onClose }: RewindDialogProps) {
  const { id: messageId, sessionId } = message
  const [preview, setPreview] = useState<RewindPreview | null>(null)
  const [chosen, setChosen] = useState<RewindScope | null>(null)
  const [forced, setForced] = useState<ReadonlySet<RewindStep>>(new Set())
  const [busy, setBusy] = useState(false)
  const asked = useAsk(() => call('rewind.preview', { sessionId, messageId }).then(setPreview))
  const scopes = preview ? scopesOf(preview) : []
  const scope = chosen ?? scopes[0]?.value ?? 'chat'
  const steps = preview && scope !== 'chat' ? preview.steps : []
  const ready = steps.filter(({ problem }) => !problem)
  const held = steps.filter(({ problem }) => problem)
  const files = ready.length + held.filter((step) => forced.has(step)).length
  const messages = preview && scope !== 'files' ? preview.messages : 0

  const go = () => {
    setBusy(true)
    const choices = held.filter((step) => forced.has(step)).map(({ workspace, path }) => ({ workspace, path }))
    call('rewind.go', { sessionId, messageId, scope, forced: choices }).then(
      () => {
        announce('Went back')
        if (scope !== 'files' && message.role === 'user') offerAgain(sessionId, messageText(message))
        onClose()
      },
      (error: Error) => {
        setBusy(false)
        toast({ kind: 'error', text: error.message })
      },
    )
  }

  const toggle = (step: RewindStep) => {
    const next = new Set(forced)
    if (!next.delete(step)) next.add(step)
    setForced(next)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={message.role === 'user' ? 'Go back to before this message?' : 'Go back to after this answer?'}
      size="large"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={files + messages === 0 || busy} onClick={go}>
            {confirmWords(messages, files)}
          </Button>
        </>
      }
    >
      <div className="ui-column receipt-preview">
        <Loaded asked={asked} ready={preview !== null} what="The preview" small>
          {scopes.length > 1 && <Choice label="What goes back" value={scope} options={scopes} onChange={setChosen} />}
          {messages > 0 && (
            <p>
              {count(messages, 'message')} will be removed from this chat. Undo brings {messages === 1 ? 'it' : 'them'}{' '}
              back.
            </p>
          )}
          {ready.length > 0 && <Diff files={ready.map(({ diff }) => diff)} />}
          {held.map((step) => (
            <Held
              key={`${step.workspace}/${step.path}`}
              step={step}
              on={forced.has(step)}
              onToggle={() => toggle(step)}
            />
          ))}
          {scope !== 'chat' && <Stays preview={preview} />}
          {scopes.length === 0 && preview && <p>Nothing has changed since.</p>}
        </Loaded>
      </div>
    </Dialog>
  )
}

/** Puts the text of the removed message into the composer, to be edited and sent again, unless there is a draft. */
function offerAgain(sessionId: string, text: string): void {
  if (!useDeckhand.getState().drafts[sessionId]?.trim()) setDraft(sessionId, text)
}

function Held({ step, on, onToggle }: { step: RewindStep; on: boolean; onToggle: () => void }) {
  return (
    <section className="ui-column receipt-held" aria-label={`Conflict: ${step.path}`}>
      <p>
        <code>{visible(step.path)}</code> {step.problem && problemWords[step.problem]}
      </p>
      {step.canForce && (
        <>
          <Diff files={[step.diff]} />
          <label className="receipt-force">
            <input type="checkbox" checked={on} onChange={onToggle} />
            Restore it anyway. The current version is kept, and Undo brings it back.
          </label>
        </>
      )}
    </section>
  )
}

function Stays({ preview }: { preview: RewindPreview | null }) {
  return (
    <ul className="ui-column rewind-stays" aria-label="What does not go back">
      {preview?.stays.map((sentence) => (
        <li key={sentence}>{visible(sentence)}</li>
      ))}
      <li>Files outside the workspace, other machines, and anything sent or published stay as they are.</li>
    </ul>
  )
}
