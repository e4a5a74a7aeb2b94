import { ScrollText } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { FolderNotice } from '../folder-notices/folder-notice'
import { useLookedAtFolder } from '../folder-notices/use-trust-notice'
import { lazily } from '../layout/lazily'
import { useDeckhand } from '../state/store'
import { Button } from '../ui'
import { decideInstructions, lookAtInstructions } from './instruction-actions'
import { filesLabel } from './instruction-words'

const InstructionsDialog = lazily(async () => (await import('./InstructionsDialog')).InstructionsDialog)

/** The notice that the session's folder has instructions, until the user has decided whether to use them. */
export function useInstructionsNotice(sessionId: string): FolderNotice | null {
  const folder = useLookedAtFolder(sessionId, lookAtInstructions)
  const view = useDeckhand((state) => state.instructions[sessionId])
  const [open, setOpen] = useState(false)

  if (view?.state !== 'new' || view.folder !== folder) return null
  const names = filesLabel(view.files.filter(({ source }) => source === 'folder'))
  return {
    id: 'instructions',
    icon: <ScrollText size={14} aria-hidden />,
    brief: `instructions (${names})`,
    words: `This folder includes instructions for the agent: ${names}. Until you confirm them, they count only as information.`,
    runs: false,
    actions: (
      <>
        <Button onClick={() => setOpen(true)}>Show</Button>
        <Button onClick={() => decideInstructions(view, true)}>Follow them</Button>
        <Button kind="quiet" onClick={() => decideInstructions(view, false)}>
          Ignore them
        </Button>
      </>
    ),
    dialog: open && (
      <Suspense>
        <InstructionsDialog view={view} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  }
}
