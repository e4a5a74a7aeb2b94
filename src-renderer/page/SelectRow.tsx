import { type ReactNode, useId } from 'react'
import { Select, type SelectProps } from '../ui/Select'
import { FormRow } from './FormRow'

interface SelectRowProps<Value extends string> extends Pick<SelectProps<Value>, 'value' | 'options' | 'onChange'> {
  label: string
  hint?: ReactNode
  error?: string | undefined
}

/** A select with its label, hint and error. */
export function SelectRow<Value extends string>({ label, hint, error, ...choice }: SelectRowProps<Value>) {
  const id = useId()
  return (
    <FormRow id={id} label={label} hint={hint} error={error}>
      <Select id={id} {...choice} />
    </FormRow>
  )
}
