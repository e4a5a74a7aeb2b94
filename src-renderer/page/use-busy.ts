import { useState } from 'react'
import { toast } from '../state/toasts'

/** Runs something that closes the dialog it was started from. If it fails, the error is shown and the dialog can be used again. */
export function useBusy(): [busy: boolean, run: (work: Promise<unknown>) => void] {
  const [busy, setBusy] = useState(false)
  const run = (work: Promise<unknown>) => {
    setBusy(true)
    work.catch((error: Error) => {
      setBusy(false)
      toast({ kind: 'error', text: error.message })
    })
  }
  return [busy, run]
}
