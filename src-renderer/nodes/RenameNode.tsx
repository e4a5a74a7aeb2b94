import { useState } from 'react'
import type { NodeInfo } from '../../src-preload/contract/nodes'
import { DialogForm } from '../page/DialogForm'
import { TextRow } from '../page/TextRow'
import { call } from '../state/bridge'
import { useDeckhand } from '../state/store'
import { nodeNameError } from './node-words'

export function RenameNode({ node, onClose }: { node: NodeInfo; onClose: () => void }) {
  const taken = useDeckhand((state) => state.nodes)?.map((entry) => entry.id) ?? []
  const [name, setName] = useState(node.id)
  const [error, setError] = useState<string | undefined>(undefined)

  const rename = () => {
    const newId = name.trim()
    if (newId === node.id) return onClose()
    const wrong = nodeNameError(newId, taken)
    setError(wrong)
    if (wrong) return
    call('node.rename', { id: node.id, newId }).then(onClose, (reason: Error) => setError(reason.message))
  }

  return (
    <DialogForm title={`Rename ${node.id}`} submit="Rename" onSubmit={rename} onClose={onClose}>
      <TextRow
        label="Name"
        hint="Tools and paths of this node will use the new name. Rules for commands on it are deleted."
        error={error}
        value={name}
        onChange={setName}
      />
    </DialogForm>
  )
}
