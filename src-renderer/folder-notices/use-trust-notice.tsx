import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useDeckhand } from '../state/store'
import { Button } from '../ui'
import type { FolderNotice } from './folder-notice'

/** The session's folder. Main checks it again when it is another one, and after a turn that may have changed it. */
export function useLookedAtFolder(sessionId: string, look: (sessionId: string) => void): string | undefined {
  const folder = useDeckhand((state) => state.sessions[sessionId]?.workspace)
  const status = useDeckhand((state) => state.sessions[sessionId]?.status)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder, and a turn that may have changed it
  useEffect(() => look(sessionId), [sessionId, folder, status])
  return folder
}

/** The actions of a notice about programs: review them and decide, or postpone that. Until then none runs. */
export function useTrustOffer(): (
  dialog: (close: () => void) => ReactNode,
  putOff: () => void,
) => Pick<FolderNotice, 'runs' | 'actions' | 'dialog'> {
  const [open, setOpen] = useState(false)
  return (dialog, putOff) => ({
    runs: true,
    actions: (
      <>
        <Button onClick={() => setOpen(true)}>Review</Button>
        <Button kind="quiet" onClick={putOff}>
          Not now
        </Button>
      </>
    ),
    dialog: open && <Suspense>{dialog(() => setOpen(false))}</Suspense>,
  })
}
