import { Send } from 'lucide-react'
import { useState } from 'react'
import { call } from '../state/bridge'
import { count } from '../state/format'
import { useDeckhand } from '../state/store'
import { attempt, toast } from '../state/toasts'
import { Button } from '../ui'

/** The comments that are not sent yet, with a button that sends them all as one message. */
export function CommentsBar({ sessionId }: { sessionId: string }) {
  const waiting = useDeckhand((state) => state.reviewComments[sessionId]?.length ?? 0)
  const [note, setNote] = useState('')
  if (waiting === 0) return null
  const send = () =>
    attempt(
      call('review.send', { sessionId, note }).then(() => {
        setNote('')
        toast({ kind: 'info', text: `Sent ${count(waiting, 'comment')}` })
      }),
    )
  return (
    <form
      className="review-bar"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <input
        className="review-input"
        aria-label="Message to send with the comments"
        placeholder="Message (optional)"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button kind="primary" type="submit" icon={<Send size={14} />}>
        Send {count(waiting, 'comment')}
      </Button>
    </form>
  )
}
