interface SwitchProps {
  checked: boolean
  onChange: (checked: boolean) => void
  /** The accessible name; give `id` instead where a visible label points at it. */
  label?: string
  id?: string
  disabled?: boolean
}

/** On or off, at once. */
export function Switch({ checked, onChange, label, id, disabled = false }: SwitchProps) {
  return (
    <input
      id={id}
      type="checkbox"
      role="switch"
      className="ui-switch"
      aria-label={label}
      aria-checked={checked}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}
