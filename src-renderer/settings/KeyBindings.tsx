import { RotateCcw } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import {
  conflictOf,
  labelsOf,
  pressedKeys,
  type ShortcutGroup,
  type ShortcutId,
  shortcutIds,
  shortcuts,
} from '../state/shortcuts'
import { Button, IconButton, Kbd } from '../ui'
import { Section, useFound } from './Section'
import { useSaving } from './use-setting'

const groups: readonly ShortcutGroup[] = ['General', 'Chat', 'Approvals', 'Terminals']

/** All keyboard shortcuts, to view and change. */
export function KeyBindings({ bindings }: { bindings: Record<string, string> }) {
  const [saving, save] = useSaving('keyBindings')
  return (
    <Section id="keys" title="Key bindings">
      {groups.map((group) => (
        <section key={group} className="ui-column settings-keys" aria-label={group}>
          <h3>{group}</h3>
          {shortcutIds
            .filter((id) => shortcuts[id].group === group)
            .map((id) => (
              <KeyRow
                key={id}
                id={id}
                changed={Object.hasOwn(bindings, id)}
                onChange={(keys) => {
                  const { [id]: _, ...others } = bindings
                  void save(keys === null || keys === shortcuts[id].keys ? others : { ...others, [id]: keys })
                }}
              />
            ))}
        </section>
      ))}
      {saving.state === 'failed' && (
        <p className="settings-error" role="alert">
          {saving.message}
        </p>
      )}
    </Section>
  )
}

interface KeyRowProps {
  id: ShortcutId
  changed: boolean
  /** `null` restores the default keys. */
  onChange: (keys: string | null) => void
}

function KeyRow({ id, changed, onChange }: KeyRowProps) {
  const { label } = shortcuts[id]
  const [listening, setListening] = useState(false)
  const [problem, setProblem] = useState('')
  const found = useFound(label)
  if (!found) return null
  const onKeyDown = (event: KeyboardEvent) => {
    if (!listening) return
    if (event.key === 'Tab') return setListening(false)
    event.preventDefault()
    event.stopPropagation()
    const keys = pressedKeys(event)
    if (keys === null) return
    setListening(false)
    if (keys === 'Escape') return setProblem('')
    const taken = conflictOf(id, keys)
    setProblem(taken ? `${labelsOf(keys).join('+')} is already used by “${shortcuts[taken].label}”.` : '')
    if (!taken) onChange(keys)
  }
  return (
    <div className="settings-field settings-key">
      <div className="settings-words">
        <span>{label}</span>
        {problem && (
          <p className="settings-error" role="alert">
            {problem}
          </p>
        )}
      </div>
      <div className="ui-row settings-control">
        {listening ? <span className="settings-hint">Press the new keys…</span> : <Kbd id={id} />}
        {changed && (
          <IconButton light label={`Reset ${label}`} icon={<RotateCcw size={14} />} onClick={() => onChange(null)} />
        )}
        <Button
          kind="quiet"
          aria-label={`Change keys for ${label}`}
          aria-pressed={listening}
          onClick={() => {
            setProblem('')
            setListening(!listening)
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setListening(false)}
        >
          {listening ? 'Cancel' : 'Change'}
        </Button>
      </div>
    </div>
  )
}
