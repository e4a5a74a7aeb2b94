import { expect, test } from 'vitest'
import type { ReceiptSummary } from '../../src-preload/contract/receipts'
import { receiptWords } from './receipt-words'

const receipt: ReceiptSummary = {
  callId: 'c',
  sessionId: 's',
  workspace: '/w',
  gist: 'make',
  at: 0,
  state: 'done',
  created: 0,
  changed: 0,
  deleted: 0,
  undone: 0,
  folders: 0,
  processes: [],
  ports: [],
  notes: [],
}

test('says in one line what a call did and left behind', () => {
  const words = (patch: Partial<ReceiptSummary>): string => receiptWords({ ...receipt, ...patch })
  expect(words({ changed: 3, created: 1 })).toBe('3 files changed, 1 created')
  expect(words({ deleted: 1 })).toBe('1 file deleted')
  expect(
    words({
      created: 1,
      processes: [{ pid: 7, command: 'vite' }],
      ports: [{ port: 5173, open: false }],
    }),
  ).toBe('1 file created · 1 process left running · port 5173 open')
  expect(words({ changed: 2, undone: 1 })).toBe('2 files changed · 1 undone')
  expect(words({ changed: 2, undone: 2 })).toBe('2 files changed · undone')
  expect(words({ notes: ['Only some files are watched.'] })).toBe('No changes seen')
  expect(words({ state: 'incomplete' })).toContain('Changes unknown')
})
