import { RadioGroup } from 'radix-ui'

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** A choice between two or three options, all of them visible. */
export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <RadioGroup.Root
      className="page-choice"
      aria-label={label}
      value={value}
      orientation="horizontal"
      onValueChange={(next) => {
        const option = options.find(({ value }) => value === next)
        if (option) onChange(option.value)
      }}
    >
      {options.map((option) => (
        <RadioGroup.Item key={option.value} value={option.value}>
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
