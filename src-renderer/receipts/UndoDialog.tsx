import { useId, useState } from 'react'
import type { UndoStep } from '../../src-preload/contract/receipts'
import { Diff } from '../chat/Diff'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { useBusy } from '../page/use-busy'
import { call } from '../state/bridge'
import { count, visible } from '../state/format'
import { announce, toast } from '../state/toasts'
import { Button, Dialog } from '../ui'
import { problemWords } from './receipt-words'

export interface UndoWish {
  direction: 'undo' | 'redo'
  /** By default everything that can be undone. */
  paths?: string[]
}

interface UndoDialogProps {
  callId: string
  wish: UndoWish
  onClose: () => void
}

/**
 * Shows what undoing would do to each file now, and does it. Files that were changed since need an extra confirmation.
 */
export function UndoDialog({ callId, wish, onClose }: UndoDialogProps) {
  const { direction } = wish
  const [steps, setSteps] = useState<UndoStep[] | null>(null)
  const [force, setForce] = useState(false)
  const [busy, run] = useBusy()
  const forceId = useId()
  const asked = useAsk(() => call('receipt.preview', { callId, ...wish }).then(setSteps))
  const ready = steps?.filter(({ problem }) => !problem) ?? []
  const held = steps?.filter(({ problem }) => problem) ?? []
  const forcible = held.filter(({ canForce }) => canForce)
  const number = ready.length + (force ? forcible.length : 0)
  const verb = direction === 'undo' ? 'Undo' : 'Redo'

  const go = () => {
    run(
      call('receipt.undo', { callId, ...wish, force }).then(({ done, left }) => {
        announce(`${count(done.length, 'file')} ${direction === 'undo' ? 'undone' : 'redone'}`)
        if (left.length > held.length - (force ? forcible.length : 0))
          toast({ kind: 'error', text: `${count(left.length, 'file')} could not be restored. Try again.` })
        onClose()
      }),
    )
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={direction === 'undo' ? 'Undo these changes?' : 'Redo these changes?'}
      size="large"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={number === 0 || busy} onClick={go}>
            {verb} {number > 0 && count(number, 'file')}
          </Button>
        </>
      }
    >
      <div className="ui-column receipt-preview">
        <Loaded asked={asked} ready={steps !== null} what="The preview" small>
          {ready.length > 0 && <Diff files={ready.map(({ diff }) => diff)} />}
          {held.map((step) => (
            <section key={step.path} className="ui-column receipt-held" aria-label={`Conflict: ${step.path}`}>
              <p>
                <code>{visible(step.path)}</code> {step.problem && problemWords[step.problem]}
              </p>
              {step.canForce && <Diff files={[step.diff]} />}
            </section>
          ))}
          {forcible.length > 0 && (
            <label className="receipt-force" htmlFor={forceId}>
              <input
                id={forceId}
                type="checkbox"
                checked={force}
                onChange={(event) => setForce(event.target.checked)}
              />
              Undo {forcible.length === 1 ? 'the file' : 'the files'} changed since as well. What is there now is kept:
              Redo brings it back.
            </label>
          )}
          {steps?.length === 0 && <p>There is nothing to {direction} here.</p>}
        </Loaded>
      </div>
    </Dialog>
  )
}
