import { call } from './bridge'
import { applyEvents } from './store'

/** Reads what the calls of a session have changed. */
export async function loadReceipts(sessionId: string): Promise<void> {
  const receipts = await call('receipt.list', { sessionId })
  applyEvents(receipts.map((receipt) => ({ type: 'receipt', receipt })))
}
