import type { ReactNode } from 'react'
import { visible } from '../state/format'
import { Button, Dialog } from '../ui'
import '../page/page.css'
import './trust.css'

export type TrustVerdict = 'trust' | 'later' | 'never'

interface TrustDialogProps {
  title: string
  /** The folder's file that names what would run. */
  file: string
  /** The label of the button that allows it. */
  trust: string
  /** What would run, verbatim. */
  children: ReactNode
  /** With which rights it runs, and when the user is asked again. */
  hint: string
  onAnswer: (verdict: TrustVerdict) => void
  onClose: () => void
}

/** What a folder wants to run, and whether it may. */
export function TrustDialog({ title, file, trust, children, hint, onAnswer, onClose }: TrustDialogProps) {
  const answer = (verdict: TrustVerdict) => {
    onClose()
    onAnswer(verdict)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button kind="quiet" onClick={() => answer('never')}>
            Never for this folder
          </Button>
          <Button onClick={() => answer('later')}>Not now</Button>
          <Button kind="primary" onClick={() => answer('trust')}>
            {trust}
          </Button>
        </>
      }
    >
      <div className="ui-column trust-dialog">
        <code className="trust-file">{visible(file)}</code>
        {children}
        <p className="page-hint">{hint}</p>
      </div>
    </Dialog>
  )
}
