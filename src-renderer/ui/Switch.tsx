import { useAtOnce } from './use-at-once'

interface SwitchProps {
  checked: boolean
  /** Saves the value. The new one is shown at once, while the returned promise is pending. */
  onChange: (checked: boolean) => Promise<void> | void
  /** The accessible name; give `id` instead where a visible label points at it. */
  label?: string
  id?: string
}

/** On or off, at once. */
export function Switch({ checked, onChange, label, id }: SwitchProps) {
  const [shown, choose] = useAtOnce(checked, onChange)
  return (
    <input
      id={id}
      type="checkbox"
      role="switch"
      className="ui-switch"
      aria-label={label}
      aria-checked={shown}
      checked={shown}
      onChange={(event) => choose(event.target.checked)}
    />
  )
}
