import { waitingCount } from '../state/sessions'
import { useDeckhand } from '../state/store'

/** Tells screen readers what is otherwise only visible: work that starts, ends or waits. */
export function StatusLine() {
  const announcement = useDeckhand((state) => state.announcement)
  const waiting = useDeckhand(waitingCount)
  const status = useDeckhand((state) => (state.selectedId ? state.sessions[state.selectedId]?.status : undefined))
  return (
    <div className="sr-only" role="status" aria-live="polite">
      <p>{status ? statusWords[status] : ''}</p>
      <p>{waiting > 0 ? `${waiting} waiting for your answer` : ''}</p>
      <p>{announcement}</p>
    </div>
  )
}

const statusWords = {
  idle: 'Ready',
  running: 'Working',
  waiting: 'Waiting for your answer',
  interrupted: 'The last turn was interrupted',
}
