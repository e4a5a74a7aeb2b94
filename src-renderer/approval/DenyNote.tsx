import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isShortcut } from '../state/shortcuts'
import { Button } from '../ui'
import type { Deed } from './use-guard'

interface DenyNoteProps {
  disabled: boolean
  onDeny: (deed: Deed, note: string) => void
  onCancel: () => void
}

/** A line for the model that goes with a no. */
export function DenyNote({ disabled, onDeny, onCancel }: DenyNoteProps) {
  const [note, setNote] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (note.trim()) onDeny(event.nativeEvent, note.trim())
  }
  return (
    <form className="approval-note" onSubmit={submit}>
      <input
        ref={field}
        className="ui-input"
        aria-label="Why not, or what to do instead"
        placeholder="Why not, or what to do instead"
        value={note}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={(event) => {
          if (!isShortcut('allow', event)) return
          event.preventDefault()
          event.stopPropagation()
          if (note.trim()) onDeny(event.nativeEvent, note.trim())
        }}
      />
      <Button kind="danger" type="submit" disabled={disabled || note.trim() === ''}>
        Deny
      </Button>
      <Button kind="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}
