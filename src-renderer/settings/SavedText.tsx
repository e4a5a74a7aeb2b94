import { useId, useState } from 'react'
import { Field } from './Field'
import { useSaving } from './use-setting'

interface SavedTextProps {
  setting: 'networkProxy' | 'networkProxyUser' | 'certificateFile'
  label: string
  hint: string
  placeholder?: string
  stored: string
  /** What is wrong with a text, in words. */
  problem?: (text: string) => string | undefined
}

/** A setting of one line of text, which may be empty; saved when it is left or Enter is pressed. */
export function SavedText({ setting, label, hint, placeholder, stored, problem }: SavedTextProps) {
  const id = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const [saving, save] = useSaving(setting)
  const finish = () => {
    const text = (draft ?? stored).trim()
    if (text === stored) {
      setDraft(null)
      setError(undefined)
      return
    }
    const wrong = problem?.(text)
    setError(wrong)
    if (wrong) return
    setDraft(null)
    save(text)
  }
  return (
    <Field id={id} label={label} hint={hint} error={error} saving={saving}>
      <input
        id={id}
        className="ui-input page-mono"
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
