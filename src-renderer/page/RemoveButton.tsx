import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '../ui'
import { Confirm } from './Confirm'

interface RemoveButtonProps {
  name: string
  onRemove: () => void
  /** What else is removed with it. */
  children: ReactNode
}

/** Removes something after the user has confirmed it. */
export function RemoveButton({ name, onRemove, children }: RemoveButtonProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <IconButton
        light
        kind="danger"
        label={`Remove ${name}`}
        icon={<Trash2 size={14} />}
        onClick={() => setAsking(true)}
      />
      <Confirm
        open={asking}
        title={`Remove ${name}?`}
        action="Remove"
        onClose={() => setAsking(false)}
        onConfirm={onRemove}
      >
        {children}
      </Confirm>
    </>
  )
}
