import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isShortcut } from '../state/shortcuts'
import { Button } from '../ui'
import type { UserEvent } from './use-guard'

interface NoteLineProps {
  /** What the line is for. */
  label: string
  /** The label of the button that sends it. */
  button: string
  kind: 'danger' | 'primary'
  disabled: boolean
  onSend: (event: UserEvent, note: string) => void
  onCancel: () => void
}

/** A note to the model that goes with an answer. Both Enter and the key that allows send it. */
export function NoteLine({ label, button, kind, disabled, onSend, onCancel }: NoteLineProps) {
  const [note, setNote] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const send = (event: UserEvent) => {
    if (note.trim()) onSend(event, note.trim())
  }
  return (
    <form
      className="approval-note"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        send(event.nativeEvent)
      }}
    >
      <input
        ref={field}
        className="ui-input"
        aria-label={label}
        placeholder={label}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={(event) => {
          if (!isShortcut('allow', event)) return
          event.preventDefault()
          event.stopPropagation()
          send(event.nativeEvent)
        }}
      />
      <Button kind={kind} type="submit" disabled={disabled || note.trim() === ''}>
        {button}
      </Button>
      <Button kind="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}
