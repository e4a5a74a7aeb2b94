import { useId, useState } from 'react'
import type { Settings } from '../../src-preload/contract/settings'
import { useDeckhand } from '../state/store'
import { Field } from './Field'
import { useSaving } from './use-setting'

interface TextSettingProps {
  setting: 'interfaceFont' | 'codeFont' | 'terminalShell' | 'editorCommand'
  label: string
  hint: string
}

/** A line of text that is saved when it is left or Enter is pressed. */
export function TextSetting({ setting, label, hint }: TextSettingProps) {
  const id = useId()
  const stored = useDeckhand((state) => state.settings?.[setting] ?? '')
  const [draft, setDraft] = useState<string | null>(null)
  const [saving, save] = useSaving(setting)
  const finish = () => {
    if (draft !== null && draft.trim() !== stored) void save(draft.trim() as Settings[typeof setting])
    setDraft(null)
  }
  return (
    <Field id={id} label={label} hint={hint} saving={saving}>
      <input
        id={id}
        className="ui-input"
        spellCheck={false}
        aria-describedby={`${id}-hint`}
        value={draft ?? stored}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finish()
        }}
      />
    </Field>
  )
}
