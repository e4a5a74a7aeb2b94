import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isShortcut } from '../state/shortcuts'
import { Button } from '../ui'
import type { UserEvent } from './use-guard'

interface EditCommandProps {
  command: string
  disabled: boolean
  onAllow: (event: UserEvent, command: string) => void
  onCancel: () => void
}

/** Edits the command before it is allowed. */
export function EditCommand({ command, disabled, onAllow, onCancel }: EditCommandProps) {
  const [text, setText] = useState(command)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(command.length, command.length)
  }, [command])
  const unusable = disabled || text.trim() === '' || text === command

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isShortcut('allow', event)) return
    event.preventDefault()
    event.stopPropagation()
    if (!unusable) onAllow(event.nativeEvent, text)
  }
  return (
    <div className="ui-column approval-edit">
      <textarea
        ref={field}
        aria-label="The command to run instead"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="ui-row approval-actions">
        <Button kind="primary" shortcut="allow" disabled={unusable} onClick={(event) => onAllow(event, text)}>
          Run this instead
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <span className="ui-quiet approval-hint">The model is told that you changed it.</span>
      </div>
    </div>
  )
}
