import { type KeyboardEvent, type RefObject, useRef } from 'react'
import { flushSync } from 'react-dom'
import { call } from '../state/bridge'
import { setDraft } from '../state/message-actions'
import { attempt } from '../state/toasts'

interface Recalled {
  sent: string[]
  at: number
}

/**
 * ↑ in an empty message box brings back the last message sent, and ↑ again the one before; ↓ goes the other way. This
 * works only while the box holds what was brought back, unchanged.
 */
export function useRecall(
  sessionId: string,
  text: string,
  field: RefObject<HTMLTextAreaElement | null>,
): (event: KeyboardEvent) => boolean {
  const recalled = useRef<Recalled | null>(null)

  const show = ({ sent, at }: Recalled): void => {
    recalled.current = at < 0 ? null : { sent, at }
    const words = sent[at] ?? ''
    flushSync(() => setDraft(sessionId, words))
    field.current?.setSelectionRange(words.length, words.length)
  }

  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return false
    const held = recalled.current
    const going = held && held.sent[held.at] === text ? held : null
    if (event.key === 'ArrowDown') {
      if (!going) return false
      show({ ...going, at: going.at - 1 })
      return true
    }
    if (going) {
      if (going.at + 1 < going.sent.length) show({ ...going, at: going.at + 1 })
      return true
    }
    if (text !== '') return false
    attempt(
      call('message.sent', { sessionId }).then((sent) => {
        if (sent.length > 0 && field.current?.value === '') show({ sent, at: 0 })
      }),
    )
    return true
  }
}
