import { useState } from 'react'
import type { ShipPlan, ShipWish } from '../../src-preload/contract/review'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { visible } from '../state/format'
import { toast } from '../state/toasts'
import { Button, Dialog, Scroll } from '../ui'

interface ShipDialogProps {
  sessionId: string
  wish: ShipWish
  onClose: () => void
  onStarted: (processId: string) => void
}

const titles = { commit: 'Commit', push: 'Push', 'pull-request': 'Open a pull request' }
const verbs = { commit: 'Commit', push: 'Push', 'pull-request': 'Open pull request' }

/** Shows what would be run, what it does, and the gate's decision; then runs exactly that. */
export function ShipDialog({ sessionId, wish, onClose, onStarted }: ShipDialogProps) {
  const [plan, setPlan] = useState<ShipPlan | null>(null)
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const asked = useAsk(() => call('review.plan', { sessionId, wish }).then(setPlan))
  const ready = plan !== null && !plan.obstacle && (!plan.typedWord || typed === plan.typedWord)
  const go = () => {
    if (!plan) return
    setBusy(true)
    call('review.run', { planId: plan.id, typed }).then(onStarted, (error: Error) => {
      setBusy(false)
      toast({ kind: 'error', text: error.message })
      asked.again()
    })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={titles[wish.kind]}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={!ready || busy} onClick={go}>
            {verbs[wish.kind]}
          </Button>
        </>
      }
    >
      <Loaded asked={asked} ready={plan !== null} what="What would happen" small>
        {plan && (
          <div className="ui-column review-plan">
            {plan.effects.map((effect) => (
              <p key={effect}>{visible(effect)}</p>
            ))}
            <Scroll className="review-command" label="Command">
              {visible(plan.command)}
            </Scroll>
            {plan.warnings.map((warning) => (
              <p key={warning} className="review-warning">
                {visible(warning)}
              </p>
            ))}
            {plan.obstacle ? (
              <p className="review-warning" role="alert">
                {visible(plan.obstacle)}
              </p>
            ) : (
              plan.reason && <p className="review-hint">Approval check: {visible(plan.reason)}</p>
            )}
            {plan.typedWord && (
              <label className="ui-column review-typed">
                Type “{plan.typedWord}” to confirm
                <input className="review-input" value={typed} onChange={(event) => setTyped(event.target.value)} />
              </label>
            )}
            <p className="review-hint">Runs in a terminal in this session.</p>
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}
