import './page.css'
import { type ReactNode, useId } from 'react'
import { Button, Dialog } from '../ui'

interface DialogFormProps {
  title: string
  /** The label of the button that submits it. */
  submit: string
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A form of a field or two in a dialog. */
export function DialogForm({ title, submit, onSubmit, onClose, children }: DialogFormProps) {
  const id = useId()
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      size="small"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={id}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="ui-column page-dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
        noValidate
      >
        {children}
      </form>
    </Dialog>
  )
}
