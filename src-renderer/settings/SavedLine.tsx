import { useId, useState } from 'react'
import { Field } from './Field'
import type { Saving } from './use-setting'

export interface LineProps {
  label: string
  hint: string
  placeholder?: string | undefined
  mono?: boolean | undefined
  /** What is wrong with a text, or undefined. */
  problem?: ((text: string) => string | undefined) | undefined
}

interface SavedLineProps extends LineProps {
  stored: string
  saving: Saving
  onSave: (text: string) => void
}

/** A text field that is saved when it loses focus or Enter is pressed, unless its text is invalid. */
export function SavedLine({ label, hint, placeholder, mono, problem, stored, saving, onSave }: SavedLineProps) {
  const id = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const finish = () => {
    const text = (draft ?? stored).trim()
    const wrong = text === stored ? undefined : problem?.(text)
    setError(wrong)
    if (wrong) return
    setDraft(null)
    if (text !== stored) onSave(text)
  }
  return (
    <Field id={id} label={label} hint={hint} error={error} saving={saving}>
      <input
        id={id}
        className={mono ? 'ui-input page-mono' : 'ui-input'}
        spellCheck={false}
        placeholder={placeholder}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : `${id}-hint`}
        value={draft ?? stored}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => event.key === 'Enter' && finish()}
      />
    </Field>
  )
}
