import { type ReactNode, useState } from 'react'
import type { BackendChoices, BackendPlace } from '../../src-preload/contract/backends'
import { Form } from '../page/Form'
import { FormRow } from '../page/FormRow'
import { TextRow } from '../page/TextRow'
import { useAsk } from '../page/use-ask'
import { useDraft } from '../page/use-draft'
import { call } from '../state/bridge'
import { useDeckhand } from '../state/store'
import { toast } from '../state/toasts'
import { Switch } from '../ui'
import { type PlaceDraft, placeErrors, placeOf } from './place-words'
import { Suggestions } from './Suggestions'

const TMUX_ID = 'place-tmux'

interface AddPlaceProps {
  kind: BackendPlace['kind']
  /** Chooses another kind. */
  head: ReactNode
  onClose: () => void
}

/** The form for a place that programs of this machine lead to. It is kept once it has answered. */
export function AddPlace({ kind, head, onClose }: AddPlaceProps) {
  const taken = useDeckhand((state) => state.nodes)?.map((node) => node.id) ?? []
  const [choices, setChoices] = useState<BackendChoices | null>(null)
  const asked = useAsk(async () => setChoices(await call('backend.choices', {})))
  const start: PlaceDraft = {
    kind,
    name: '',
    host: '',
    port: '',
    container: '',
    distribution: '',
    session: '',
    tmux: false,
  }
  const { draft, errors, report, change, attempt } = useDraft(start, (now) => placeErrors({ ...now, kind }, taken))

  const add = () =>
    attempt(
      'Connecting…',
      () =>
        call('backend.add', {
          place: placeOf({ ...draft, kind }),
          ...(draft.name.trim() && { id: draft.name.trim() }),
        }),
      (id) => {
        toast({ kind: 'info', text: `${id} is connected.` })
        onClose()
        return null
      },
    )

  return (
    <Form label="Add a node" submit="Connect" report={report} onSubmit={add} onCancel={onClose}>
      {head}
      {kind === 'ssh' && (
        <>
          <TextRow
            label="Host"
            mono
            placeholder="me@server"
            hint="user@host, or a name from ~/.ssh/config. Uses your keys and your ssh-agent, as in any terminal."
            error={errors.host}
            value={draft.host}
            onChange={(host) => change({ host })}
          >
            <Suggestions
              label="Hosts from ~/.ssh/config"
              names={choices?.sshHosts ?? []}
              onPick={(host) => change({ host })}
            />
          </TextRow>
          <TextRow
            label="Port"
            mono
            inputMode="numeric"
            placeholder="22"
            error={errors.port}
            value={draft.port}
            onChange={(port) => change({ port })}
          />
        </>
      )}
      {kind === 'container' && (
        <>
          <TextRow
            label="Container"
            mono
            placeholder="web"
            hint={containerHint(choices, asked.busy)}
            error={errors.container}
            value={draft.container}
            onChange={(container) => change({ container })}
          >
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
      )}
      {kind === 'wsl' && (
        <TextRow
          label="Distribution"
          mono
          placeholder="Ubuntu"
          hint="A Linux distribution that is installed in WSL. It starts when Deckhand connects."
          error={errors.distribution}
          value={draft.distribution}
          onChange={(distribution) => change({ distribution })}
        >
          <Suggestions
            label="Installed distributions"
            names={choices?.distributions ?? []}
            onPick={(distribution) => change({ distribution })}
          />
        </TextRow>
      )}
      {kind === 'local' && (
        <TextRow
          label="Session"
          mono
          placeholder="buddy-…"
          hint={
            choices && !choices.tmux
              ? 'tmux is not installed on this machine. Install it first.'
              : 'Its terminals keep running while Deckhand is closed, and you can attach to them from any terminal. Leave empty for a default name.'
          }
          error={errors.session}
          value={draft.session}
          onChange={(session) => change({ session })}
        />
      )}
      <TextRow
        label="Name"
        placeholder="Same as the host"
        hint="The name that you and the agent use."
        error={errors.name}
        value={draft.name}
        onChange={(name) => change({ name })}
      />
    </Form>
  )
}

function containerHint(choices: BackendChoices | null, busy: boolean): string {
  if (!choices)
    return busy ? 'Looking for running containers…' : 'Use podman:name or kubectl:name to choose the engine.'
  if (choices.engines.length === 0) return 'docker, podman and kubectl were not found on this machine.'
  return `A running container. Found: ${choices.engines.join(', ')}.`
}
