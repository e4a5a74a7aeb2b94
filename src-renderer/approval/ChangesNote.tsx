import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../ui'
import type { Deed } from './use-guard'

interface ChangesNoteProps {
  disabled: boolean
  onSend: (deed: Deed, note: string) => void
  onCancel: () => void
}

/** What should be different in a plan. */
export function ChangesNote({ disabled, onSend, onCancel }: ChangesNoteProps) {
  const [note, setNote] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (note.trim()) onSend(event.nativeEvent, note.trim())
  }
  return (
    <form className="approval-note" onSubmit={submit}>
      <input
        ref={field}
        className="ui-input"
        aria-label="What should change"
        placeholder="What should change"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button kind="primary" type="submit" disabled={disabled || note.trim() === ''}>
        Send
      </Button>
      <Button kind="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}
