import { Command } from 'cmdk'
import { Bot, Check, Plus } from 'lucide-react'
import { type AgentOnMachine, hostedModel } from '../../src-preload/contract/hosted'
import { tokens } from '../state/format'
import { guide } from '../state/models'
import { showPage } from '../state/navigate'
import { useDeckhand } from '../state/store'

/** Every model of every provider in one list that filters as you type, including the offline guide. */
export function ModelList({ model, choose }: { model: string; choose: (id: string) => void }) {
  const providers = useDeckhand((state) => state.providers)
  const agents = useDeckhand((state) => state.hostedAgents)
  return (
    <Command label="Models">
      <Command.Input className="composer-models-input" placeholder="Find a model" autoFocus />
      <Command.List className="composer-models-list">
        <Command.Empty className="composer-models-none">No matching model.</Command.Empty>
        {providers.map((provider) => (
          <Command.Group
            key={provider.id}
            heading={`${provider.name}${provider.detected ? ' (found on this computer)' : ''}`}
          >
            {provider.models.map((entry) => (
              <Command.Item
                key={entry.id}
                value={`${entry.name} ${entry.id}`}
                className="ui-menu-item"
                onSelect={() => choose(entry.id)}
              >
                <span className="ui-menu-icon">{entry.id === model && <Check size={14} aria-label="chosen" />}</span>
                <span className="ui-menu-text">{entry.name}</span>
                {entry.contextWindow > 0 && <span className="ui-menu-hint">{tokens(entry.contextWindow)}</span>}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
        <AgentItems agents={agents} model={model} choose={choose} />
        <Command.Group heading="Built in">
          <Command.Item value="Offline guide" className="ui-menu-item" onSelect={() => choose(guide)}>
            <span className="ui-menu-icon">{model === guide && <Check size={14} aria-label="chosen" />}</span>
            <span className="ui-menu-text">
              Offline guide
              <span className="ui-menu-hint">Follows simple rules. Not a model.</span>
            </span>
          </Command.Item>
          <Command.Item value="Add a model provider" className="ui-menu-item" onSelect={() => showPage('settings')}>
            <span className="ui-menu-icon">
              <Plus size={14} aria-hidden />
            </span>
            <span className="ui-menu-text">Add a model…</span>
          </Command.Item>
        </Command.Group>
      </Command.List>
    </Command>
  )
}

/** Hosted agents that were found on this computer, offered beside the models. */
function AgentItems({
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
