import { type FormEvent, useId, useState } from 'react'
import { described } from '../page/FormRow'
import { Button, Dialog } from '../ui'
import { filePathError } from './agent-words'

/** Asks for the name of a file; it is there once something was saved into it. */
export function NewFile({ onNamed, onClose }: { onNamed: (path: string) => void; onClose: () => void }) {
  const id = useId()
  const form = useId()
  const [path, setPath] = useState('')
  const [error, setError] = useState<string | undefined>(undefined)
  const finish = (event: FormEvent) => {
    event.preventDefault()
    const wrong = filePathError(path.trim())
    setError(wrong)
    if (wrong) return
    onNamed(path.trim())
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="New file"
      size="small"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form}>
            Write it
          </Button>
        </>
      }
    >
      <form id={form} className="agents-form" onSubmit={finish} noValidate>
        <label htmlFor={id}>Name</label>
        <input
          className="ui-input page-mono"
          placeholder="PROJECTS.md"
          spellCheck={false}
          value={path}
          onChange={(event) => setPath(event.target.value)}
          {...described(id, error)}
        />
        {error && (
          <p className="page-error" id={`${id}-error`} role="alert">
            {error}
          </p>
        )}
      </form>
    </Dialog>
  )
}
