import type { receiptCalls } from '../../src-preload/contract/receipt-calls'
import type { Engine } from '../engine'
import { type HandlersFor, nothing } from './handlers'

/** What calls have changed and left running, and the way back. */
export function receiptHandlers({ receipts }: Engine): HandlersFor<typeof receiptCalls> {
  return {
    'receipt.list': ({ sessionId }) => receipts.list(sessionId).map((receipt) => ({ type: 'receipt', receipt })),
    'receipt.get': ({ callId }) => receipts.get(callId),
    'receipt.diff': ({ callId, path }) => receipts.diff(callId, path),
    'receipt.preview': ({ callId, direction, paths }) => receipts.preview(callId, direction, paths),
    'receipt.undo': ({ callId, direction, force, paths }) => receipts.undo(callId, direction, force, paths),
    'receipt.kept': () => receipts.kept(),
    'receipt.forget': () => nothing(receipts.forget()),
  }
}
