import { useState } from 'react'
import type { KeptSize } from '../../src-preload/contract/receipts'
import { Confirm } from '../page/Confirm'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { bytes } from '../state/format'
import { attempt } from '../state/toasts'
import { Button } from '../ui'
import { useFound } from './Section'

/** How much is stored of files that commands have changed, with a button to delete it. */
export function KeptForUndo() {
  const [kept, setKept] = useState<KeptSize | null>(null)
  const [asking, setAsking] = useState(false)
  const asked = useAsk(() => call('receipt.kept', {}).then(setKept))
  const found = useFound('Undo history', 'earlier versions of files receipts')
  if (!found) return null
  return (
    <div className="settings-field">
      <div className="settings-words">
        <span>Undo history</span>
        <p className="settings-hint">
          {asked.problem || (kept ? `Using ${bytes(kept.bytes)} of ${bytes(kept.limit)}.` : '…')} Earlier versions of
          files that commands changed, kept for 30 days and readable only by you. Files that look secret are never kept.
        </p>
      </div>
      <Button disabled={!kept || kept.bytes === 0} onClick={() => setAsking(true)}>
        Clear…
      </Button>
      <Confirm
        open={asking}
        title="Clear undo history?"
        action="Clear"
        onConfirm={() => attempt(call('receipt.forget', {}).then(asked.again))}
        onClose={() => setAsking(false)}
      >
        You will no longer be able to undo past changes. The list of changes stays.
      </Confirm>
    </div>
  )
}
