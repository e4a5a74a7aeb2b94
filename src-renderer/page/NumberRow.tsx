import { type ReactNode, useId } from 'react'
import { described, FormRow } from './FormRow'

interface NumberRowProps {
  label: string
  /** What it counts, after the field. */
  unit: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  hint?: ReactNode
  error?: string | undefined
}

/** A number that may be left empty. */
export function NumberRow({ label, unit, placeholder, value, onChange, hint, error }: NumberRowProps) {
  const id = useId()
  return (
    <FormRow id={id} label={label} hint={hint} error={error}>
      <div className="ui-row page-inline">
        <input
          className="ui-input page-short"
          inputMode="decimal"
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...described(id, error, hint !== undefined)}
        />
        <span>{unit}</span>
      </div>
    </FormRow>
  )
}
