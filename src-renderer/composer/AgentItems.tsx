import { Command } from 'cmdk'
import { Bot, Check } from 'lucide-react'
import { type AgentOnMachine, hostedModel } from '../../src-preload/contract/hosted'

/** Agents of other makers, offered beside the models: those that were found on this computer. */
export function AgentItems({
  agents,
  model,
  choose,
}: {
  agents: readonly AgentOnMachine[] | null
  model: string
  choose(model: string): void
}) {
  const found = (agents ?? []).filter(({ command }) => command !== null)
  if (found.length === 0) return null
  return (
    <Command.Group heading="Agents on this computer">
      {found.map(({ id, name }) => (
        <Command.Item
          key={id}
          value={`agent ${name} ${id}`}
          className="ui-menu-item"
          onSelect={() => choose(hostedModel(id))}
        >
          <span className="ui-menu-icon">
            {hostedModel(id) === model ? <Check size={14} aria-label="chosen" /> : <Bot size={14} aria-hidden />}
          </span>
          <span className="ui-menu-text">{name}</span>
        </Command.Item>
      ))}
    </Command.Group>
  )
}
