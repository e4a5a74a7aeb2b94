import { call } from './bridge'
import { load } from './load'
import { getState } from './store'
import { attempt, toast } from './toasts'

/** Asked only once: what the machine supports does not change while the window is open. */
let asked = false

export function loadSandbox(): void {
  if (asked || getState().sandbox) return
  asked = true
  load('sandbox.status', {}).catch((error: Error) => {
    asked = false
    toast({ kind: 'error', text: error.message })
  })
}

export const setSandbox = (id: string, sandbox: boolean) => attempt(call('session.update', { id, sandbox }))
export const runOutside = (callId: string) => attempt(call('sandbox.runOutside', { callId }))
export const startTrial = (questionId: string) => attempt(call('trial.start', { questionId }))
export const discardTrial = (questionId: string) => attempt(call('trial.discard', { questionId }))
