import { Bot, ChevronDown, KeyRound } from 'lucide-react'
import { useEffect } from 'react'
import { type HostedOption, hostedAgentOf } from '../../src-preload/contract/hosted'
import { chooseOption, loadAgents, loadHosted, openAgent, signIn } from '../state/hosted'
import { useDeckhand } from '../state/store'
import { Button, Menu, MenuItem, MenuLabel } from '../ui'

/** What can be chosen for the hosted agent of this session: its modes, models and options. */
export function HostedOptions({ sessionId }: { sessionId: string }) {
  const hosted = useDeckhand((state) => hostedAgentOf(state.sessions[sessionId]?.model ?? '') !== null)
  const info = useDeckhand((state) => state.hosted[sessionId])
  useEffect(() => {
    if (!hosted) return
    loadAgents()
    loadHosted(sessionId)
  }, [hosted, sessionId])
  if (!hosted) return null
  if (!info || (info.state === 'off' && info.options.length === 0))
    return (
      <button type="button" className="composer-pick" onClick={() => openAgent(sessionId)}>
        <Bot size={14} aria-hidden />
        <span className="ui-cut composer-pick-text">Start agent</span>
      </button>
    )
  return info.options.slice(0, 4).map((option) => <OptionPick key={option.id} sessionId={sessionId} option={option} />)
}

function OptionPick({ sessionId, option }: { sessionId: string; option: HostedOption }) {
  const { id, name, current, choices } = option
  const label = choices.find(({ value }) => value === current)?.name ?? current
  return (
    <Menu
      wide
      side="top"
      trigger={
        <button type="button" className="composer-pick" aria-label={`Agent’s ${name}: ${label}`}>
          <span className="ui-cut composer-pick-text">{label}</span>
          <ChevronDown size={13} aria-hidden />
        </button>
      }
    >
      <MenuLabel>{name}</MenuLabel>
      {choices.slice(0, 100).map((choice) => (
        <MenuItem
          key={choice.value}
          checked={choice.value === current}
          hint={choice.description || undefined}
          onSelect={() => chooseOption(sessionId, id, choice.value)}
        >
          {choice.name}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** Why the agent of this session cannot continue, and what to do about it. */
export function HostedLine({ sessionId }: { sessionId: string }) {
  const hosted = useDeckhand((state) => hostedAgentOf(state.sessions[sessionId]?.model ?? '') !== null)
  const info = useDeckhand((state) => state.hosted[sessionId])
  if (!hosted || !info) return null
  if (info.state === 'read-only')
    return <p className="ui-row ui-cut composer-line composer-line-text">{info.problem}</p>
  if (info.state !== 'signed-out') return null
  return (
    <p className="ui-row composer-line">
      <KeyRound size={13} aria-hidden />
      <span className="ui-cut composer-line-text">{info.name} wants you to sign in.</span>
      {info.signIns.map((way) => (
        <Button key={way.id} kind="quiet" onClick={() => signIn(sessionId, way.id)}>
          {way.name}
          {way.terminal && ' (in a terminal)'}
        </Button>
      ))}
    </p>
  )
}
