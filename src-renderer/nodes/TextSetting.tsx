import { useId, useState } from 'react'
import { Field } from '../settings/Field'
import { useSaving } from '../settings/use-setting'
import { useDeckhand } from '../state/store'

type TextName = 'gatewayHost' | 'gatewayCertificate' | 'gatewayKey'

/** A line of text that is saved when it is left or Enter is pressed. An address cannot be emptied; a file can. */
export function TextSetting({ setting, label, hint }: { setting: TextName; label: string; hint: string }) {
  const id = useId()
  const stored = useDeckhand((state) => state.settings?.[setting] ?? '')
  const [draft, setDraft] = useState<string | null>(null)
  const [saving, save] = useSaving(setting)
  const finish = () => {
    const text = draft?.trim()
    if (text !== undefined && text !== stored && (text !== '' || setting !== 'gatewayHost')) save(text)
    setDraft(null)
  }
  return (
    <Field id={id} label={label} hint={hint} saving={saving}>
      <input
        id={id}
        className="ui-input page-mono"
        spellCheck={false}
        aria-describedby={`${id}-hint`}
        value={draft ?? stored}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => event.key === 'Enter' && finish()}
      />
    </Field>
  )
}
