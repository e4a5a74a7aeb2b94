import { ChevronDown, ClipboardList, Eye, FolderCheck, Hand, ShieldCheck, TriangleAlert } from 'lucide-react'
import { hostedAgentOf } from '../../src-preload/contract/hosted'
import { modeLabel, sessionModes } from '../state/modes'
import { setMode } from '../state/session-actions'
import { useDeckhand } from '../state/store'
import { Button, Menu, MenuItem, MenuLabel } from '../ui'

const icons = {
  plan: ClipboardList,
  'read-only': Eye,
  ask: Hand,
  safe: ShieldCheck,
  workspace: FolderCheck,
  all: TriangleAlert,
}

export function ModePicker({ sessionId }: { sessionId: string }) {
  const mode = useDeckhand((state) => state.sessions[sessionId]?.mode ?? 'safe')
  // A hosted agent has its own way to plan.
  const hosted = useDeckhand((state) => hostedAgentOf(state.sessions[sessionId]?.model ?? '') !== null)
  const offered = hosted ? sessionModes.filter(({ value }) => value !== 'plan') : sessionModes
  const Icon = icons[mode]
  return (
    <Menu
      wide
      side="top"
      trigger={
        <button
          type="button"
          className="composer-pick"
          data-danger={mode === 'all' || undefined}
          aria-label={`Approval: ${modeLabel(mode)}`}
        >
          <Icon size={14} aria-hidden />
          <span className="ui-cut composer-pick-text">{modeLabel(mode)}</span>
          <ChevronDown size={13} aria-hidden />
        </button>
      }
    >
      <MenuLabel>What runs without asking</MenuLabel>
      {offered.map((entry) => (
        <MenuItem
          key={entry.value}
          checked={entry.value === mode}
          hint={entry.hint}
          danger={entry.value === 'all'}
          onSelect={() => setMode(sessionId, entry.value)}
        >
          {entry.label}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** Shown while approvals are off. */
export function ModeWarning({ sessionId }: { sessionId: string }) {
  const dangerous = useDeckhand((state) => state.sessions[sessionId]?.mode === 'all')
  if (!dangerous) return null
  return (
    <div className="composer-warning" role="note">
      <TriangleAlert size={14} aria-hidden />
      <span>Approvals are off. Commands run right away.</span>
      <Button kind="quiet" onClick={() => setMode(sessionId, 'safe')}>
        Turn back on
      </Button>
    </div>
  )
}
