import type { BackendChoices, BackendPlace } from '../../src-preload/contract/backends'
import { FormRow } from '../page/FormRow'
import { TextRow } from '../page/TextRow'
import type { FieldOf } from '../page/use-draft'
import { Switch } from '../ui'
import type { ShellNodeDraft } from './shell-node-draft'

const TMUX_ID = 'place-tmux'
/** As many as fit below a field. */
const MOST_SUGGESTIONS = 12

interface ShellNodeFieldsProps {
  draft: ShellNodeDraft
  field: FieldOf<ShellNodeDraft>
  /** What this machine knows of; null until it has been looked up. */
  choices: BackendChoices | null
  looking: boolean
  change: (part: Partial<ShellNodeDraft>) => void
}

/** The fields for one kind of machine. */
export function ShellNodeFields({ kind, ...fields }: ShellNodeFieldsProps & { kind: BackendPlace['kind'] }) {
  if (kind === 'ssh') return <SshFields {...fields} />
  if (kind === 'container') return <ContainerFields {...fields} />
  if (kind === 'wsl') return <WslFields {...fields} />
  return <TmuxFields {...fields} />
}

function SshFields({ field, choices, change }: ShellNodeFieldsProps) {
  return (
    <>
      <TextRow
        label="Host"
        mono
        placeholder="me@server"
        hint="user@host, or a name from ~/.ssh/config. Uses your keys and your ssh-agent, as in any terminal."
        {...field('host')}
      >
        <Suggestions
          label="Hosts from ~/.ssh/config"
          names={choices?.sshHosts ?? []}
          onPick={(host) => change({ host })}
        />
      </TextRow>
      <TextRow label="Port" mono inputMode="numeric" placeholder="22" {...field('port')} />
    </>
  )
}

function ContainerFields({ draft, field, choices, looking, change }: ShellNodeFieldsProps) {
  return (
    <>
      <TextRow label="Container" mono placeholder="web" hint={containerHint(choices, looking)} {...field('container')}>
        <Suggestions
          label="Running containers"
          names={(choices?.containers ?? []).map(({ engine, name }) => `${engine}:${name}`)}
          onPick={(container) => change({ container })}
        />
      </TextRow>
      <FormRow
        id={TMUX_ID}
        label="tmux"
        hint="Terminals keep running while Deckhand is closed. The container must have tmux."
      >
        <Switch id={TMUX_ID} checked={draft.tmux} onChange={(tmux) => change({ tmux })} />
      </FormRow>
    </>
  )
}

function WslFields({ field, choices, change }: ShellNodeFieldsProps) {
  return (
    <TextRow
      label="Distribution"
      mono
      placeholder="Ubuntu"
      hint="A Linux distribution that is installed in WSL. It starts when Deckhand connects."
      {...field('distribution')}
    >
      <Suggestions
        label="Installed distributions"
        names={choices?.distributions ?? []}
        onPick={(distribution) => change({ distribution })}
      />
    </TextRow>
  )
}

function TmuxFields({ field, choices }: ShellNodeFieldsProps) {
  return (
    <TextRow
      label="Session"
      mono
      placeholder="buddy-…"
      hint={
        choices && !choices.tmux
          ? 'tmux is not installed on this machine. Install it first.'
          : 'Its terminals keep running while Deckhand is closed, and you can attach to them from any terminal. Leave empty for a default name.'
      }
      {...field('session')}
    />
  )
}

function containerHint(choices: BackendChoices | null, busy: boolean): string {
  if (!choices)
    return busy ? 'Looking for running containers…' : 'Use podman:name or kubectl:name to choose the engine.'
  if (choices.engines.length === 0) return 'docker, podman and kubectl were not found on this machine.'
  return `A running container. Found: ${choices.engines.join(', ')}.`
}

/** Names to pick with a click instead of typing them. */
function Suggestions({ label, names, onPick }: { label: string; names: string[]; onPick: (name: string) => void }) {
  if (names.length === 0) return null
  return (
    <ul className="nodes-suggestions" aria-label={label}>
      {names.slice(0, MOST_SUGGESTIONS).map((name) => (
        <li key={name}>
          <button type="button" onClick={() => onPick(name)}>
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}
