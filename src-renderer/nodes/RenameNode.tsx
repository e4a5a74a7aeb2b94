import { type FormEvent, useId, useState } from 'react'
import type { NodeInfo } from '../../src-preload/contract/nodes'
import { described } from '../page/FormRow'
import { call } from '../state/bridge'
import { useDeckhand } from '../state/store'
import { Button, Dialog } from '../ui'
import { nodeNameError } from './node-words'

export function RenameNode({ node, onClose }: { node: NodeInfo; onClose: () => void }) {
  const id = useId()
  const form = useId()
  const taken = useDeckhand((state) => state.nodes)?.map((entry) => entry.id) ?? []
  const [name, setName] = useState(node.id)
  const [error, setError] = useState<string | undefined>(undefined)

  const rename = (event: FormEvent) => {
    event.preventDefault()
    const newId = name.trim()
    if (newId === node.id) return onClose()
    const wrong = nodeNameError(newId, taken)
    setError(wrong)
    if (wrong) return
    call('node.rename', { id: node.id, newId }).then(onClose, (reason: Error) => setError(reason.message))
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Rename ${node.id}`}
      size="small"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form}>
            Rename
          </Button>
        </>
      }
    >
      <form id={form} className="nodes-rename" onSubmit={rename} noValidate>
        <label htmlFor={id}>Name</label>
        <input
          className="ui-input"
          spellCheck={false}
          value={name}
          onChange={(event) => setName(event.target.value)}
          {...described(id, error, true)}
        />
        {error && (
          <p className="page-error" id={`${id}-error`} role="alert">
            {error}
          </p>
        )}
        <p className="page-hint" id={`${id}-hint`}>
          Tools and paths of this node are called by its name from now on. Rules that you kept stay as they are.
        </p>
      </form>
    </Dialog>
  )
}
