import type { ReactNode } from 'react'
import { Button, Dialog } from '../ui'

interface ConfirmProps {
  open: boolean
  title: string
  /** The label of the button that does it: "Revoke". */
  action: string
  /** The label of the button that cancels. */
  keep?: string
  onConfirm: () => void
  onClose: () => void
  /** What will happen. */
  children: ReactNode
}

/** Asks before something that cannot be undone. */
export function Confirm({ open, title, action, keep = 'Cancel', onConfirm, onClose, children }: ConfirmProps) {
  const confirm = () => {
    onClose()
    onConfirm()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      size="small"
      actions={
        <>
          <Button onClick={onClose}>{keep}</Button>
          <Button kind="danger" onClick={confirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
