import { expect, it } from 'vitest'
import { messageOf } from './failures'

it('says what lies behind an address that nothing answers at', () => {
  const deep = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:9') })
  expect(messageOf(new Error('The probe failed', { cause: deep }))).toBe(
    'The probe failed (connect ECONNREFUSED 127.0.0.1:9)',
  )
  // Of several addresses, all refused: without words of its own.
  const all = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' })
  expect(messageOf(new TypeError('fetch failed', { cause: all }))).toBe('fetch failed (ECONNREFUSED)')
  expect(messageOf(new Error('Alone'))).toBe('Alone')
})
