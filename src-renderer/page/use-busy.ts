import { useState } from 'react'
import { toast } from '../state/toasts'

/** Does something that closes what it was asked from: busy until then, and again free when it fails, which is told. */
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
