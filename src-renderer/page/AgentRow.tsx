import { useEffect } from 'react'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { SelectRow } from './SelectRow'

interface AgentRowProps {
  label: string
  value: string
  onChange: (agentId: string) => void
}

/** Chooses an agent; hidden if there is only one. */
export function AgentRow({ label, value, onChange }: AgentRowProps) {
  const agents = useDeckhand((state) => state.agents)
  useEffect(() => {
    attempt(load('agent.list', {}))
  }, [])
  if (!agents || agents.length < 2) return null
  return (
    <SelectRow
      label={label}
      value={value}
      options={agents.map((agent) => ({ value: agent.id, label: agent.name }))}
      onChange={onChange}
    />
  )
}
