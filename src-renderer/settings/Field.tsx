import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFound } from './Section'
import type { Saving } from './use-setting'

interface FieldProps {
  /** The id of the control inside. */
  id: string
  label: string
  hint?: ReactNode
  error?: string | undefined
  saving?: Saving
  children: ReactNode
}

/** A setting on one row: its label, its hint, and the result of saving it. */
export function Field({ id, label, hint, error, saving, children }: FieldProps) {
  const found = useFound(label, typeof hint === 'string' ? hint : undefined)
  if (!found) return null
  const failure = error ?? (saving?.state === 'failed' ? saving.message : undefined)
  return (
    <div className="settings-field">
      <div className="settings-words">
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p className="settings-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
        {failure && (
          <p className="settings-error" id={`${id}-error`} role="alert">
            {failure}
          </p>
        )}
      </div>
      <div className="ui-row settings-control">
        <span className="settings-saved" role="status">
          {saving?.state === 'saved' && (
            <>
              <Check size={13} aria-hidden /> Saved
            </>
          )}
        </span>
        {children}
      </div>
    </div>
  )
}
