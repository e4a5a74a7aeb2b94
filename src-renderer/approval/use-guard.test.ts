import { expect, test } from 'vitest'
import { ARMING_MS, isMeant } from './use-guard'

test('only a fresh event of the user, on a card that was there to be read, is meant', () => {
  expect([
    isMeant({ isTrusted: true }, ARMING_MS),
    isMeant({ isTrusted: true }, ARMING_MS - 1),
    isMeant({ isTrusted: false }, 10_000),
    isMeant({ isTrusted: true, repeat: true }, 10_000),
    isMeant({ isTrusted: true, repeat: false }, 10_000),
  ]).toEqual([true, false, false, false, true])
})
