import { expect, test } from 'vitest'
import { cleanPaste } from './input'

test('a paste cannot end its own brackets or press hidden keys', () => {
  expect(cleanPaste('echo a\x1b[201~\nrm -rf x\x03\x9b201~')).toBe('echo a[201~\nrm -rf x201~')
})

test('what can be read stays as it is', () => {
  expect(cleanPaste('tab\there\r\n  emoji 👩‍🚀 é 漢字')).toBe('tab\there\r\n  emoji 👩‍🚀 é 漢字')
})
