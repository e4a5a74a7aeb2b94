import { call } from './bridge'
import { announce, attempt, toast } from './toasts'

/** What is asked of the system that the window runs on. */

export function copyText(text: string, what = 'Copied'): void {
  attempt(call('app.copy', { text }).then(() => announce(what)))
}

export function openLink(url: string): void {
  attempt(
    call('app.openLink', { url }).then((opened) => {
      if (!opened) toast({ kind: 'error', text: 'Only web links can be opened.' })
    }),
  )
}
