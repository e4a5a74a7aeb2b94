import { useAtOnce } from './use-at-once'

interface SwitchProps {
  checked: boolean
  /** Saves the value. The new one is shown at once, while the returned promise is pending. */
  onChange: (checked: boolean) => Promise<void> | void
  /** The accessible name; use `id` instead if there is a visible label. */
  label?: string
  id?: string
}

/** A switch that shows the new value at once. */
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
