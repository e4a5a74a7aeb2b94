import { setState } from './store'
import type { Toast } from './view'

/** Short notices for the user: toasts, and announcements for screen readers. */

let lastToast = 0

export function toast(entry: Omit<Toast, 'id'>): void {
  lastToast += 1
  const id = lastToast
  setState((state) => ({ toasts: [...state.toasts.slice(-3), { ...entry, id }] }))
}

export const dismissToast = (id: number) =>
  setState((state) => ({ toasts: state.toasts.filter((entry) => entry.id !== id) }))

/** Waits for something and shows an error as a toast; never rejects. */
export function attempt(work: Promise<unknown>): Promise<void> {
  return work.then(
    () => undefined,
    (error: Error) => toast({ kind: 'error', text: error.message }),
  )
}

export const announce = (announcement: string) => setState({ announcement })
