import { useEffect, useState } from 'react'
import type { Settings } from '../../src-preload/contract/settings'
import { call } from '../state/bridge'

export type Saving = { state: 'idle' } | { state: 'saving' } | { state: 'saved' } | { state: 'failed'; message: string }

/** Saves one setting at once and reports the result; a success disappears after a moment. */
export function useSaving<Key extends keyof Settings>(key: Key): [Saving, (value: Settings[Key]) => Promise<void>] {
  const [saving, setSaving] = useState<Saving>({ state: 'idle' })

  useEffect(() => {
    if (saving.state !== 'saved') return
    const timer = setTimeout(() => setSaving({ state: 'idle' }), 2000)
    return () => clearTimeout(timer)
  }, [saving])

  const save = (value: Settings[Key]) => {
    setSaving({ state: 'saving' })
    return call('settings.update', { [key]: value }).then(
      () => setSaving({ state: 'saved' }),
      (error: Error) => setSaving({ state: 'failed', message: error.message }),
    )
  }
  return [saving, save]
}
