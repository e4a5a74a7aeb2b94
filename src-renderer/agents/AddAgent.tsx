import { useState } from 'react'
import { DialogForm } from '../page/DialogForm'
import { TextRow } from '../page/TextRow'
import { call } from '../state/bridge'
import { useDeckhand } from '../state/store'
import { agentIdError } from './agent-words'

export function AddAgent({ onAdded, onClose }: { onAdded: (id: string) => void; onClose: () => void }) {
  const taken = useDeckhand((state) => state.agents)?.map((agent) => agent.id) ?? []
  const [id, setId] = useState('')
  const [name, setName] = useState('')
  const [error, setError] = useState<string | undefined>(undefined)

  const add = () => {
    const wrong = agentIdError(id.trim(), taken)
    setError(wrong)
    if (wrong) return
    call('agent.create', { id: id.trim(), ...(name.trim() ? { name: name.trim() } : {}) }).then(
      () => {
        onAdded(id.trim())
        onClose()
      },
      (reason: Error) => setError(reason.message),
    )
  }

  return (
    <DialogForm title="Add an agent" submit="Add" onSubmit={add} onClose={onClose}>
      <TextRow label="Short name" mono placeholder="research" error={error} value={id} onChange={setId} />
      <TextRow
        label="Name"
        placeholder="Librarian"
        hint="Creates a folder with its own SOUL.md, IDENTITY.md and other files, ready to edit."
        value={name}
        onChange={setName}
      />
    </DialogForm>
  )
}
