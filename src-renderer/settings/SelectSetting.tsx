import { type ReactNode, useId } from 'react'
import type { Settings } from '../../src-preload/contract/settings'
import { Select, type SelectProps } from '../ui/Select'
import { Field } from './Field'
import { useSaving } from './use-setting'

type ChoiceKey = { [Key in keyof Settings]: Settings[Key] extends string ? Key : never }[keyof Settings]

interface SelectSettingProps<Key extends ChoiceKey> {
  setting: Key
  label: string
  hint?: ReactNode
  error?: string | undefined
  value: Settings[Key]
  options: SelectProps<Settings[Key]>['options']
}

export function SelectSetting<Key extends ChoiceKey>(props: SelectSettingProps<Key>) {
  const { setting, label, hint, error, value, options } = props
  const id = useId()
  const [saving, save] = useSaving(setting)
  return (
    <Field id={id} label={label} hint={hint} error={error} saving={saving}>
      <Select id={id} value={value} options={options} onChange={save} />
    </Field>
  )
}
