import { useState } from 'react'
import { DialogForm } from '../page/DialogForm'
import { TextRow } from '../page/TextRow'
import { filePathError } from './agent-words'

/** Asks for the name of a file; the file exists once it is saved. */
export function NewFile({ onNamed, onClose }: { onNamed: (path: string) => void; onClose: () => void }) {
  const [path, setPath] = useState('')
  const [error, setError] = useState<string | undefined>(undefined)
  const finish = () => {
    const wrong = filePathError(path.trim())
    setError(wrong)
    if (wrong) return
    onNamed(path.trim())
    onClose()
  }
  return (
    <DialogForm title="New file" submit="Create" onSubmit={finish} onClose={onClose}>
      <TextRow label="Name" mono placeholder="PROJECTS.md" error={error} value={path} onChange={setPath} />
    </DialogForm>
  )
}
