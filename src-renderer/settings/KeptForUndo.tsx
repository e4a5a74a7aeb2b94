import { useState } from 'react'
import type { KeptSize } from '../../src-preload/contract/receipts'
import { Confirm } from '../page/Confirm'
import { useAsk } from '../page/use-ask'
import { attempt } from '../state/actions'
import { call } from '../state/bridge'
import { bytes } from '../state/format'
import { Button } from '../ui'

/** How much is kept of files that commands have changed, and a way to be rid of it. */
export function KeptForUndo() {
  const [kept, setKept] = useState<KeptSize | null>(null)
  const [asking, setAsking] = useState(false)
  const asked = useAsk(() => call('receipt.kept', {}).then(setKept))
  return (
    <div className="settings-field">
      <div className="settings-words">
        <span>Kept for undo</span>
        <p className="settings-hint">
          {asked.problem || (kept ? `${bytes(kept.bytes)} of at most ${bytes(kept.limit)}.` : '…')} What files were
          before commands changed them, for 30 days and readable by you alone. Files that look secret are not kept.
        </p>
      </div>
      <Button disabled={!kept || kept.bytes === 0} onClick={() => setAsking(true)}>
        Forget it
      </Button>
      <Confirm
        open={asking}
        title="Forget what is kept for undo?"
        action="Forget"
        onConfirm={() => attempt(call('receipt.forget', {}).then(asked.again))}
        onClose={() => setAsking(false)}
      >
        Nothing that commands and edits have changed so far can be undone afterwards. The list of changes stays.
      </Confirm>
    </div>
  )
}
