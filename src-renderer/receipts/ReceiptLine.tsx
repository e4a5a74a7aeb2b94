import { ChevronRight, FileDiff } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useExpanded } from '../chat/use-expanded'
import { useDeckhand } from '../state/store'
import { Skeleton } from '../ui'
import { receiptWords } from './receipt-words'
import './receipts.css'

const ReceiptBody = lazy(() => import('./ReceiptBody').then((module) => ({ default: module.ReceiptBody })))

/** Below the line of a call: what it changed and left running, with undo inside. */
export function ReceiptLine({ callId }: { callId: string }) {
  const receipt = useDeckhand((state) => state.receipts[callId])
  const [open, toggle] = useExpanded(`receipt-${callId}`)
  if (!receipt) return null
  const bodyId = `receipt-${callId}`
  return (
    <div className="receipt">
      <button type="button" className="receipt-line" aria-expanded={open} aria-controls={bodyId} onClick={toggle}>
        <ChevronRight className="ui-chevron" size={13} aria-hidden />
        <FileDiff className="receipt-icon" size={13} aria-hidden />
        <span>{receiptWords(receipt)}</span>
      </button>
      <div id={bodyId} hidden={!open}>
        {open && (
          <Suspense fallback={<Skeleton rows={2} />}>
            <ReceiptBody summary={receipt} />
          </Suspense>
        )}
      </div>
    </div>
  )
}
