import { Command } from 'cmdk'
import { Check, ChevronDown, Plus } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { call } from '../state/bridge'
import { tokens } from '../state/format'
import { loadAgents } from '../state/hosted'
import { guide, modelName } from '../state/models'
import { focusComposer, showPage } from '../state/navigate'
import { setModel } from '../state/session-actions'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { AgentItems } from './AgentItems'

/** Every model of every provider in one list that filters as you type, the offline guide among them. */
export function ModelPicker({ sessionId }: { sessionId: string }) {
  const [open, setOpen] = useState(false)
  const model = useDeckhand((state) => state.sessions[sessionId]?.model ?? guide)
  const providers = useDeckhand((state) => state.providers)
  const agents = useDeckhand((state) => state.hostedAgents)
  const name = modelName(providers, model, agents)
  const choose = (id: string) => {
    setOpen(false)
    setModel(sessionId, id)
    focusComposer()
  }
  const show = (shown: boolean) => {
    setOpen(shown)
    if (!shown) return
    // A server may have been started since, or an agent installed.
    attempt(call('provider.detect', {}))
    loadAgents()
  }
  return (
    <Popover.Root open={open} onOpenChange={show}>
      <Popover.Trigger className="composer-pick" aria-label={`Model: ${name}`}>
        <span className="composer-pick-text">{name}</span>
        <ChevronDown size={13} aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="ui-menu composer-models"
          aria-label="Models"
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
        >
          <Command label="Models">
            <Command.Input className="composer-models-input" placeholder="Find a model" />
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
                      <span className="ui-menu-icon">
                        {entry.id === model && <Check size={14} aria-label="chosen" />}
                      </span>
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
                <Command.Item
                  value="Add a model provider"
                  className="ui-menu-item"
                  onSelect={() => showPage('settings')}
                >
                  <span className="ui-menu-icon">
                    <Plus size={14} aria-hidden />
                  </span>
                  <span className="ui-menu-text">Add a model…</span>
                </Command.Item>
              </Command.Group>
            </Command.List>
          </Command>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
