import { expect, test } from 'vitest'
import type { LossGroup } from '../../src-preload/contract/losses'
import { groupWords, moreWords, ownerWords } from './loss-words'

const group = (kind: LossGroup['kind'], count: number, atLeast?: true): LossGroup => ({
  kind,
  count,
  items: [{ name: 'a' }, { name: 'b' }].slice(0, count),
  ...(atLeast && { atLeast }),
})

test('groups say what they hold, and how much is not named', () => {
  expect(groupWords(group('changes', 1))).toBe('Uncommitted changes in 1 file')
  expect(groupWords(group('changes', 3, true))).toBe('Uncommitted changes in at least 3 files')
  expect(groupWords(group('ignored', 1216))).toBe('1,216 files that git ignores')
  expect(groupWords(group('stash', 1))).toBe('1 stash')
  expect(groupWords(group('file', 20_000, true))).toBe('At least 20,000 files')
  expect(moreWords(group('file', 2))).toBe('')
  expect(moreWords(group('file', 216))).toBe('and 214 more')
  expect(moreWords(group('file', 216, true))).toBe('and at least 214 more')
})

test('owners are the user, this session, or another by its title', () => {
  const now = 1_000_000
  const title = (id: string) => ({ s2: 'Fix the build', s3: '' })[id]
  const words = (owner: Parameters<typeof ownerWords>[0]) => ownerWords(owner, 's1', title, now)
  expect(words({ by: 'user', since: now - 5 * 60_000 })).toBe('yours, 5 min ago')
  expect(words({ by: 'session', sessionId: 's1' })).toBe('from this session')
  expect(words({ by: 'session', sessionId: 's2' })).toBe('from “Fix the build”')
  expect(words({ by: 'session', sessionId: 's3' })).toBe('from “New session”')
  expect(words({ by: 'session', sessionId: 's4' })).toBe('from a deleted session')
})
