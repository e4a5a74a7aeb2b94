import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { useAtOnce } from './use-at-once'

export interface SelectProps<Value extends string> {
  value: Value
  /** Saves the value. The new one is shown at once, while the returned promise is pending. */
  onChange: (value: Value) => Promise<void> | void
  options: readonly { value: Value; label: string; hint?: string }[]
  /** The accessible name; use `id` instead if there is a visible label. */
  label?: string
  id?: string
}

/** A choice from a list, each option with an optional explanation. */
export function Select<Value extends string>({ value, onChange, options, label, id }: SelectProps<Value>) {
  const [shown, choose] = useAtOnce(value, onChange)
  return (
    <Radix.Root
      value={shown}
      onValueChange={(next) => {
        const option = options.find(({ value }) => value === next)
        if (option) choose(option.value)
      }}
    >
      <Radix.Trigger className="ui-select" id={id} aria-label={label}>
        <Radix.Value />
        <ChevronDown size={14} aria-hidden />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="ui-menu" position="popper" sideOffset={6} collisionPadding={8}>
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item key={option.value} value={option.value} className="ui-menu-item">
                <span className="ui-menu-icon">
                  <Radix.ItemIndicator>
                    <Check size={14} />
                  </Radix.ItemIndicator>
                </span>
                <span className="ui-menu-text">
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                  {option.hint && <span className="ui-menu-hint">{option.hint}</span>}
                </span>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
