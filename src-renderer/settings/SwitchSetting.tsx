import { useId } from 'react'
import type { Settings } from '../../src-preload/contract/settings'
import { useDeckhand } from '../state/store'
import { Switch } from '../ui'
import { Field } from './Field'
import { useSaving } from './use-setting'

type SwitchKey = { [Key in keyof Settings]: Settings[Key] extends boolean ? Key : never }[keyof Settings]

export function SwitchSetting({ setting, label, hint }: { setting: SwitchKey; label: string; hint: string }) {
  const id = useId()
  const on = useDeckhand((state) => state.settings?.[setting] ?? false)
  const [saving, save] = useSaving(setting)
  return (
    <Field id={id} label={label} hint={hint} saving={saving}>
      <Switch id={id} checked={on} onChange={save} />
    </Field>
  )
}
