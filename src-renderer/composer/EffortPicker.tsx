import { Brain, ChevronDown } from 'lucide-react'
import type { Effort } from '../../src-preload/contract/models'
import { effortsOf } from '../state/models'
import { setEffort } from '../state/session-actions'
import { useDeckhand } from '../state/store'
import { Menu, MenuItem, MenuLabel } from '../ui'

const labels: Record<Effort, string> = {
  none: 'None',
  minimal: 'Minimal',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  xhigh: 'Very high',
  max: 'Maximum',
}

/** How hard the model thinks, for models with such levels. */
export function EffortPicker({ sessionId }: { sessionId: string }) {
  const model = useDeckhand((state) => state.sessions[sessionId]?.model ?? '')
  const chosen = useDeckhand((state) => state.sessions[sessionId]?.effort ?? null)
  const efforts = useDeckhand((state) => effortsOf(state.providers, model))
  if (efforts.length === 0) return null
  // A level that was chosen for another model does not apply here.
  const effort = chosen && efforts.includes(chosen) ? chosen : null
  const label = effort ? labels[effort] : 'Default'
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className="composer-pick" aria-label={`Effort: ${label}`}>
          <Brain size={14} aria-hidden />
          <span className="ui-cut composer-pick-text">{label}</span>
          <ChevronDown size={13} aria-hidden />
        </button>
      }
    >
      <MenuLabel>Thinking effort</MenuLabel>
      <MenuItem checked={effort === null} onSelect={() => setEffort(sessionId, null)}>
        Model default
      </MenuItem>
      {efforts.map((each) => (
        <MenuItem key={each} checked={each === effort} onSelect={() => setEffort(sessionId, each)}>
          {labels[each]}
        </MenuItem>
      ))}
    </Menu>
  )
}
