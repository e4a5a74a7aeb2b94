import { ScrollText } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazily } from '../layout/lazily'
import { useDeckhand } from '../state/store'
import { filesLabel } from './instruction-words'
import './instructions.css'

const InstructionsDialog = lazily(async () => (await import('./InstructionsDialog')).InstructionsDialog)

/** Names the instructions of a session in its header; a click shows them. */
export function InstructionsChip({ sessionId }: { sessionId: string }) {
  const view = useDeckhand((state) => state.instructions[sessionId])
  const [open, setOpen] = useState(false)
  if (!view || (view.files.length === 0 && view.state !== 'off')) return null
  const label = view.files.length === 0 ? 'Instructions off' : filesLabel(view.files)
  return (
    <>
      <button
        type="button"
        className="ui-row chat-header-detail instructions-chip"
        title="Instructions that the agent gets"
        aria-label={`Instructions: ${label}`}
        onClick={() => setOpen(true)}
      >
        <ScrollText size={13} aria-hidden /> {label}
      </button>
      {open && (
        <Suspense>
          <InstructionsDialog view={view} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
