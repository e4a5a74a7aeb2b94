import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { described, FormRow } from './FormRow'

interface TextRowProps
  extends Pick<
    InputHTMLAttributes<HTMLInputElement>,
    'type' | 'placeholder' | 'inputMode' | 'disabled' | 'autoComplete'
  > {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: ReactNode
  error?: string | undefined
  /** For a name, an address or a command: anything that is not prose. */
  mono?: boolean
  /** More content below the field. */
  children?: ReactNode
}

/** A text field with its label, hint and error. */
export function TextRow({ label, value, onChange, hint, error, mono = false, children, ...input }: TextRowProps) {
  const id = useId()
  return (
    <FormRow id={id} label={label} hint={hint} error={error}>
      <input
        className={`ui-input ${mono ? 'page-mono' : ''}`}
        spellCheck={!mono}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        {...input}
        {...described(id, error, hint !== undefined)}
      />
      {children}
    </FormRow>
  )
}

interface AreaRowProps extends Pick<TextRowProps, 'label' | 'value' | 'onChange' | 'hint' | 'error'> {
  className?: string
}

/** A field for several lines of names, addresses or code. */
export function AreaRow({ label, value, onChange, hint, error, className = '' }: AreaRowProps) {
  const id = useId()
  return (
    <FormRow id={id} label={label} hint={hint} error={error}>
      <textarea
        className={`page-textarea page-mono ${className}`}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        {...described(id, error, hint !== undefined)}
      />
    </FormRow>
  )
}
