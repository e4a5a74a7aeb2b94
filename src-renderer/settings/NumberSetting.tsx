import { useEffect, useId, useRef, useState } from 'react'
import type { Settings } from '../../src-preload/contract/settings'
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
  /** Multiplies the stored value for display; 100 shows a share as percent. */
  factor?: number
}

const PAUSE = 600

/** A number that is saved when it is valid and typing pauses. */
export function NumberSetting({ setting, label, hint, unit, factor = 1, ...bounds }: NumberSettingProps) {
  const id = useId()
  const stored = useDeckhand((state) => state.settings?.[setting] ?? 0)
  const shown = String(Number((stored * factor).toFixed(4)))
  const [draft, setDraft] = useState<string | null>(null)
  const [saving, save] = useSaving(setting)
  const error = draft === null ? undefined : numberError(draft, bounds)

  const unsaved = useRef<(() => void) | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the pause anew
  useEffect(() => {
    unsaved.current = null
    if (draft === null || error || draft === shown) return
    unsaved.current = () => {
      unsaved.current = null
      save(Number(draft) / factor)
    }
    const timer = setTimeout(() => unsaved.current?.(), PAUSE)
    return () => clearTimeout(timer)
  }, [draft])
  // If the page is left during the pause, what was typed is still saved.
  useEffect(() => () => unsaved.current?.(), [])

  const onBlur = () => {
    unsaved.current?.()
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
