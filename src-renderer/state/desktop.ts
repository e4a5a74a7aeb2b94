import { call } from './bridge'
import { announce, attempt, toast } from './toasts'

/** Requests to the operating system. */

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
