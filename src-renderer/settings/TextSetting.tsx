import type { Settings } from '../../src-preload/contract/settings'
import { useDeckhand } from '../state/store'
import { type LineProps, SavedLine } from './SavedLine'
import { useSaving } from './use-setting'

type TextKey = { [Key in keyof Settings]: string extends Settings[Key] ? Key : never }[keyof Settings]

interface TextSettingProps extends LineProps {
  setting: TextKey
  /** Shown instead of the stored value. */
  stored?: string
  /** If left empty, the old value stays. */
  needed?: boolean
}

export function TextSetting({ setting, stored, needed = false, ...line }: TextSettingProps) {
  const kept = useDeckhand((state) => state.settings?.[setting] ?? '')
  const [saving, save] = useSaving(setting)
  const onSave = (text: string) => {
    if (text !== '' || !needed) save(text)
  }
  return <SavedLine {...line} stored={stored ?? kept} saving={saving} onSave={onSave} />
}
