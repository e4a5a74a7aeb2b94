import { Bot, Split } from 'lucide-react'
import { useState } from 'react'
import { hostedAgentOf, hostedModel } from '../../src-preload/contract/hosted'
import type { Message } from '../../src-preload/contract/messages'
import { loadAgents } from '../state/hosted'
import { branch } from '../state/message-actions'
import { useDeckhand } from '../state/store'
import { IconButton, Menu, MenuItem, MenuLabel } from '../ui'
import { messageText } from './message-text'

const mostModels = 8

/** Sends the same message to another model or agent, in a separate session. */
export function SendElsewhere({ message }: { message: Message }) {
  const own = useDeckhand((state) => state.sessions[message.sessionId]?.model ?? '')
  const agents = useDeckhand((state) => state.hostedAgents)
  const providers = useDeckhand((state) => state.providers)
  const [asked, setAsked] = useState(false)
  const found = (agents ?? []).filter(({ id, command }) => command !== null && id !== hostedAgentOf(own))
  const models = providers.flatMap((provider) => provider.models).filter(({ id }) => id !== own)
  if (found.length === 0 && models.length === 0) return null
  const send = (model: string) => branch(message.sessionId, message.id, messageText(message), model)
  return (
    <Menu
      trigger={
        <IconButton
          light
          label="Send to another agent too"
          icon={<Split size={14} />}
          onClick={() => {
            if (!asked) loadAgents()
            setAsked(true)
          }}
        />
      }
    >
      <MenuLabel>Send this to another agent too</MenuLabel>
      {found.map(({ id, name }) => (
        <MenuItem key={id} icon={<Bot size={14} />} onSelect={() => send(hostedModel(id))}>
          {name}
        </MenuItem>
      ))}
      {models.slice(0, mostModels).map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => send(id)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  )
}
