import { Globe, ShieldCheck, ShieldOff } from 'lucide-react'
import { hostedAgentOf } from '../../src-preload/contract/hosted'
import { visible } from '../state/format'
import { allowHost, setCage } from '../state/hosted'
import { useDeckhand } from '../state/store'
import { Menu, MenuItem, MenuLabel } from '../ui'

const mostHosts = 6

/** Shows in the header of a session whether its agent runs in the sandbox, and lets the user change that. */
export function AgentCage({ sessionId }: { sessionId: string }) {
  const agent = useDeckhand((state) => hostedAgentOf(state.sessions[sessionId]?.model ?? ''))
  const info = useDeckhand((state) => state.hosted[sessionId])
  if (agent === null || info?.agent !== agent || !info.cage) return null
  const { caged, name, cage } = info
  const label = caged ? 'Agent sandboxed' : 'Agent not sandboxed'
  const Icon = caged ? ShieldCheck : ShieldOff
  return (
    <Menu
      wide
      trigger={
        <button type="button" className="ui-row chat-header-detail chat-header-button" aria-label={label} title={label}>
          <Icon size={13} aria-hidden />
          <span className="chat-header-words">
            {label}
            {cage.refused.length > 0 && ` · ${cage.refused.length} blocked`}
          </span>
        </button>
      }
    >
      <MenuLabel>
        {caged ? `${name} can change this folder and its own login, and reach its model` : cage.note}
      </MenuLabel>
      <MenuItem
        checked={caged}
        disabled={!cage.can}
        hint={caged ? `Connects to: ${hostList(cage.hosts)}` : 'Takes effect when the agent next starts'}
        onSelect={() => setCage(agent, !caged)}
      >
        Run {name} in the sandbox
      </MenuItem>
      {cage.refused.map((host) => (
        <MenuItem
          key={host}
          icon={<Globe size={14} />}
          hint="The agent tried to connect there"
          onSelect={() => allowHost(agent, host)}
        >
          Allow {visible(host)}
        </MenuItem>
      ))}
    </Menu>
  )
}

function hostList(hosts: readonly string[]): string {
  if (hosts.length === 0) return 'models on this computer'
  const more = hosts.length - mostHosts
  return `${hosts.slice(0, mostHosts).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
