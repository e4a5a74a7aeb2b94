import { useEffect, useId, useState } from 'react'
import type { Settings } from '../../src-preload/contract/protocol'
import { useDeckhand } from '../state/store'
import { Field } from './Field'
import { type NumberBounds, numberError } from './number-setting'
import { useSaving } from './use-setting'

type NumberKey = { [Key in keyof Settings]: Settings[Key] extends number ? Key : never }[keyof Settings]

interface NumberSettingProps extends NumberBounds {
  setting: NumberKey
  label: string
  hint: string
  unit?: string
  /** How many of the shown unit make one of the stored; 100 shows a share as percent. */
  factor?: number
}

const PAUSE = 600

/** A number that is saved as soon as it is right and typing pauses. */
export function NumberSetting({ setting, label, hint, unit, factor = 1, ...bounds }: NumberSettingProps) {
  const id = useId()
  const stored = useDeckhand((state) => state.settings?.[setting] ?? 0)
  const shown = String(Math.round(stored * factor * 100) / 100)
  const [draft, setDraft] = useState<string | null>(null)
  const [saving, save] = useSaving(setting)
  const error = draft === null ? undefined : numberError(draft, bounds)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the pause anew
  useEffect(() => {
    if (draft === null || error || draft === shown) return
    const timer = setTimeout(() => save(Number(draft) / factor), PAUSE)
    return () => clearTimeout(timer)
  }, [draft])

  const onBlur = () => {
    if (draft !== null && !error && draft !== shown) save(Number(draft) / factor)
    if (!error) setDraft(null)
  }

  return (
    <Field id={id} label={label} hint={hint} error={error} saving={saving}>
      <input
        id={id}
        className="ui-input settings-number"
        inputMode="decimal"
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : `${id}-hint`}
        value={draft ?? shown}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={onBlur}
      />
      {unit && <span className="settings-unit">{unit}</span>}
    </Field>
  )
}
