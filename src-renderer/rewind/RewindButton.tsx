import { History } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Message } from '../../src-preload/contract/messages'
import { isBusy } from '../state/sessions'
import { useDeckhand } from '../state/store'
import { IconButton } from '../ui'

const RewindDialog = lazy(() => import('./RewindDialog').then((module) => ({ default: module.RewindDialog })))

/** Goes back to a message; hidden while the session is working. */
export function RewindButton({ message }: { message: Message }) {
  const [open, setOpen] = useState(false)
  const busy = useDeckhand((state) => isBusy(state.sessions[message.sessionId]))
  if (busy) return null
  return (
    <>
      <IconButton light label="Go back to here…" icon={<History size={14} />} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <RewindDialog message={message} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
