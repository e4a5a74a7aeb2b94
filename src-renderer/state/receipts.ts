import { load } from './load'

/** Reads what the calls of a session have changed. */
export const loadReceipts = (sessionId: string): Promise<void> => load('receipt.list', { sessionId })
