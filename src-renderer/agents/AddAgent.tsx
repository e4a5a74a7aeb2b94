import { type FormEvent, useId, useState } from 'react'
import { described } from '../page/FormRow'
import { call } from '../state/bridge'
import { applyEvents, getState, useDeckhand } from '../state/store'
import { Button, Dialog } from '../ui'
import { agentIdError } from './agent-words'

export function AddAgent({ onAdded, onClose }: { onAdded: (id: string) => void; onClose: () => void }) {
  const ids = { id: useId(), name: useId(), form: useId() }
  const taken = useDeckhand((state) => state.agents)?.map((agent) => agent.id) ?? []
  const [id, setId] = useState('')
  const [name, setName] = useState('')
  const [error, setError] = useState<string | undefined>(undefined)

  const add = (event: FormEvent) => {
    event.preventDefault()
    const wrong = agentIdError(id.trim(), taken)
    setError(wrong)
    if (wrong) return
    call('agent.create', { id: id.trim(), ...(name.trim() ? { name: name.trim() } : {}) }).then(
      (agent) => {
        const others = (getState().agents ?? []).filter((entry) => entry.id !== agent.id)
        applyEvents([{ type: 'agents', agents: [...others, agent] }])
        onAdded(agent.id)
        onClose()
      },
      (reason: Error) => setError(reason.message),
    )
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Add an agent"
      size="small"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={ids.form}>
            Add
          </Button>
        </>
      }
    >
      <form id={ids.form} className="agents-form" onSubmit={add} noValidate>
        <label htmlFor={ids.id}>Short name</label>
        <input
          className="ui-input page-mono"
          placeholder="research"
          spellCheck={false}
          value={id}
          onChange={(event) => setId(event.target.value)}
          {...described(ids.id, error)}
        />
        {error && (
          <p className="page-error" id={`${ids.id}-error`} role="alert">
            {error}
          </p>
        )}
        <label htmlFor={ids.name}>Name</label>
        <input
          id={ids.name}
          className="ui-input"
          placeholder="The Librarian"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <p className="page-hint">
          It gets a folder with its own SOUL.md, IDENTITY.md and the rest, ready to be changed.
        </p>
      </form>
    </Dialog>
  )
}
