import { ScrollText } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { lazily } from '../layout/lazily'
import { useDeckhand } from '../state/store'
import { Button } from '../ui'
import { decideInstructions, lookAtInstructions } from './instruction-actions'
import { filesLabel } from './instruction-words'
import './instructions.css'

const InstructionsDialog = lazily(async () => (await import('./InstructionsDialog')).InstructionsDialog)

/** Says that the folder of a session brings instructions, until the user has said what they are worth. */
export function InstructionsNotice({ sessionId }: { sessionId: string }) {
  const folder = useDeckhand((state) => state.sessions[sessionId]?.workspace)
  const status = useDeckhand((state) => state.sessions[sessionId]?.status)
  const view = useDeckhand((state) => state.instructions[sessionId])
  const [open, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder, and a turn that may have changed it
  useEffect(() => lookAtInstructions(sessionId), [sessionId, folder, status])

  if (view?.state !== 'new' || view.folder !== folder) return null
  const names = filesLabel(view.files.filter(({ source }) => source === 'folder'))
  return (
    <div className="instructions-notice" role="status">
      <ScrollText size={14} aria-hidden />
      <span>
        This folder brings instructions for the agent: {names}. Not confirmed yet, so they are only information.
      </span>
      <Button onClick={() => setOpen(true)}>Show</Button>
      <Button onClick={() => decideInstructions(view, true)}>Follow them</Button>
      <Button kind="quiet" onClick={() => decideInstructions(view, false)}>
        Do not use
      </Button>
      {open && (
        <Suspense>
          <InstructionsDialog view={view} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
