import { Command } from 'cmdk'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { commands } from '../state/commands'
import { relativeTime } from '../state/format'
import { guide } from '../state/models'
import { modes } from '../state/modes'
import { openOverlay, selectSession } from '../state/navigate'
import { setMode, setModel } from '../state/session-actions'
import { sortedSessions } from '../state/sessions'
import { useDeckhand } from '../state/store'
import { Dialog, Kbd } from '../ui'
import { matchScore } from './match-score'
import './palette.css'

/** Commands and sessions by name. As `sessions` it only lists sessions, for switching quickly. */
export function Palette() {
  const overlay = useDeckhand((state) => state.overlay)
  const only = overlay === 'sessions'
  const title = only ? 'Switch session' : 'Command palette'
  return (
    <Dialog open={overlay === 'palette' || only} onClose={() => openOverlay(null)} title={title} bare>
      <Command label={title} loop className="palette" filter={matchScore}>
        <Command.Input className="palette-input" placeholder={only ? 'Find a session…' : 'Type a command…'} autoFocus />
        <Command.List className="palette-list">
          <Command.Empty className="palette-none">No matches.</Command.Empty>
          {!only && <Actions />}
          <Sessions />
          {!only && <Choices />}
        </Command.List>
      </Command>
    </Dialog>
  )
}

function Actions() {
  return (
    <Command.Group heading="Commands">
      {commands
        .filter((command) => command.when?.() ?? true)
        .map((command) => (
          <Item key={command.label} name={command.label} words={command.words} run={command.run}>
            <span className="ui-cut palette-label">{command.label}</span>
            {command.shortcut && <Kbd id={command.shortcut} />}
          </Item>
        ))}
    </Command.Group>
  )
}

function Sessions() {
  const sessions = useDeckhand((state) => state.sessions)
  return (
    <Command.Group heading="Sessions">
      {sortedSessions(sessions)
        .slice(0, 200)
        .map((session) => (
          <Item
            key={session.id}
            name={`${session.title || 'New session'} ${session.id}`}
            run={() => selectSession(session.id)}
          >
            <span className="ui-cut palette-label">{session.title || 'New session'}</span>
            <span className="palette-hint">{relativeTime(session.updatedAt, Date.now())}</span>
          </Item>
        ))}
    </Command.Group>
  )
}

/** Modes and models for the open session. */
function Choices() {
  const session = useDeckhand((state) => (state.selectedId ? state.sessions[state.selectedId] : undefined))
  const providers = useDeckhand((state) => state.providers)
  if (!session) return null
  const models = [
    ...providers.flatMap((provider) => provider.models.map((model) => ({ ...model, from: provider.name }))),
    { id: guide, name: 'Offline guide', from: 'built in' },
  ]
  return (
    <>
      <Command.Group heading="Approval mode">
        {modes.map((mode) => (
          <Item key={mode.value} name={`Mode ${mode.label}`} run={() => setMode(session.id, mode.value)}>
            <span className="ui-cut palette-label">Mode: {mode.label}</span>
            {session.mode === mode.value && <Check size={14} aria-label="chosen" />}
          </Item>
        ))}
      </Command.Group>
      <Command.Group heading="Model">
        {models.map((model) => (
          <Item key={model.id} name={`Model ${model.name} ${model.id}`} run={() => setModel(session.id, model.id)}>
            <span className="ui-cut palette-label">Model: {model.name}</span>
            <span className="palette-hint">{model.from}</span>
            {session.model === model.id && <Check size={14} aria-label="chosen" />}
          </Item>
        ))}
      </Command.Group>
    </>
  )
}

interface ItemProps {
  name: string
  /** Other words for it. */
  words?: string | undefined
  run: () => void
  children: ReactNode
}

function Item({ name, words, run, children }: ItemProps) {
  const choose = () => {
    openOverlay(null)
    // After the dialog has returned the focus, or it would take it away again.
    setTimeout(run)
  }
  return (
    <Command.Item value={name} keywords={words === undefined ? [] : [words]} onSelect={choose} className="palette-item">
      {children}
    </Command.Item>
  )
}
