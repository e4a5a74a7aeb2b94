import { useState } from 'react'
import type { Worktree, WorktreeEnd, WorktreeEndPlan } from '../../src-preload/contract/worktrees'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { visible } from '../state/format'
import { announce, toast } from '../state/toasts'
import { Button, Dialog } from '../ui'

const names: Record<WorktreeEnd, string> = { merge: 'Merge', rebase: 'Rebase', keep: 'Keep', discard: 'Discard' }
const done: Record<WorktreeEnd, string> = { merge: 'Merged', rebase: 'Rebased', keep: 'Kept', discard: 'Discarded' }

/** The ways to end a work tree, with what each would do. */
export function EndWorktreeDialog({ worktree, onClose }: { worktree: Worktree; onClose: () => void }) {
  const { sessionId, branch, base, path, port } = worktree
  const [plans, setPlans] = useState<WorktreeEndPlan[] | null>(null)
  const [busy, setBusy] = useState(false)
  const asked = useAsk(() => call('worktree.plan', { sessionId }).then(setPlans))
  const finish = ({ end, stamp }: WorktreeEndPlan) => {
    setBusy(true)
    call('worktree.end', { sessionId, end, stamp }).then(
      () => {
        announce(`${done[end]} ${branch}`)
        onClose()
      },
      (error: Error) => {
        setBusy(false)
        toast({ kind: 'error', text: error.message })
        asked.again()
      },
    )
  }
  return (
    <Dialog open onClose={onClose} title={`Work tree ${branch}`} size="large">
      <p className="worktree-hint">
        From {base}, in {visible(path)}. Commands in it get PORT={port}.
      </p>
      <Loaded asked={asked} ready={plans !== null} what="What would happen" small>
        <ul className="worktree-ends">
          {plans?.map((plan) => (
            <li key={plan.end}>
              <div>
                {plan.effects.map((effect) => (
                  <p key={effect}>{visible(effect)}</p>
                ))}
                {plan.conflicts.length > 0 && (
                  <p className="worktree-warning">Conflicts: {plan.conflicts.join(', ')}</p>
                )}
                {[...plan.warnings, ...(plan.obstacle ? [plan.obstacle] : [])].map((warning) => (
                  <p key={warning} className="worktree-warning">
                    {visible(warning)}
                  </p>
                ))}
              </div>
              <Button
                kind={plan.end === 'discard' ? 'danger' : 'plain'}
                disabled={busy || plan.obstacle !== undefined}
                onClick={() => finish(plan)}
              >
                {names[plan.end]}
              </Button>
            </li>
          ))}
        </ul>
      </Loaded>
    </Dialog>
  )
}
