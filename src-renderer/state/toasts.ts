import { setState } from './store'
import type { Toast } from './view'

/** What the user is told in passing: toasts, and what a screen reader says. */

let lastToast = 0

export function toast(entry: Omit<Toast, 'id'>): void {
  lastToast += 1
  const id = lastToast
  setState((state) => ({ toasts: [...state.toasts.slice(-3), { ...entry, id }] }))
}

export const dismissToast = (id: number) =>
  setState((state) => ({ toasts: state.toasts.filter((entry) => entry.id !== id) }))

/** Waits for something whose failure the user should hear about; never rejects. */
export function attempt(work: Promise<unknown>): Promise<void> {
  return work.then(
    () => undefined,
    (error: Error) => toast({ kind: 'error', text: error.message }),
  )
}

export const announce = (announcement: string) => setState({ announcement })
