import { z } from 'zod'
import { call, id, none, read } from './call'
import type { FileDiff } from './file-diff'
import type { KeptSize, Receipt, ReceiptsEvent, UndoResult, UndoStep } from './receipts'

const path = z.string().min(1).max(4096)
const which = z.strictObject({
  callId: id,
  direction: z.enum(['undo', 'redo']),
  /** Left out: every file that can be and that nothing else may have changed. */
  paths: z.array(path).min(1).max(5000).optional(),
})

/** What calls have changed and left running, and the way back. */
export const receiptCalls = {
  /** Of a session, one each, oldest first. */
  'receipt.list': read<ReceiptsEvent[]>()(() => z.strictObject({ sessionId: id })),
  'receipt.get': read<Receipt | null>()(() => z.strictObject({ callId: id })),
  /** What the call did to one file. */
  'receipt.diff': read<FileDiff>()(() => z.strictObject({ callId: id, path })),
  'receipt.preview': read<UndoStep[]>()(which),
  /** `force`: also those that were changed since, whose present content is kept for the way back. */
  'receipt.undo': call<UndoResult>()(() => which.extend({ force: z.boolean() }), 'Undo or redo what a call changed?'),
  'receipt.kept': read<KeptSize>()(none),
  /** Forgets what is kept of files; nothing before now can be undone afterwards. */
  'receipt.forget': call<null>()(none, 'Forget what is kept for undo?'),
} as const
