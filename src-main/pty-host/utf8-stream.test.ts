import { expect, it } from 'vitest'
import { createUtf8Stream } from './utf8-stream'

const bytes = Buffer.from('aé漢😀z')

it('decodes characters that are cut anywhere', () => {
  for (let one = 0; one <= bytes.length; one++) {
    for (let two = one; two <= bytes.length; two++) {
      const stream = createUtf8Stream()
      const parts = [bytes.subarray(0, one), bytes.subarray(one, two), bytes.subarray(two)]
      expect(parts.map((part) => stream.push(part)).join('')).toBe('aé漢😀z')
    }
  }
})

it('goes on elsewhere from the midst of a character', () => {
  const stream = createUtf8Stream()
  stream.push(Buffer.from('漢').subarray(0, 2))
  const fork = stream.fork()
  const rest = Buffer.from('漢!').subarray(2)
  expect([stream.push(rest), fork.push(rest)]).toEqual(['漢!', '漢!'])
})

it('shows bytes that are no text as such and never waits for them', () => {
  const stream = createUtf8Stream()
  expect(stream.push(Buffer.from([0xff, 0x80, 0x80, 0x80, 0x80]))).toBe('\ufffd'.repeat(5))
  expect(stream.push(Buffer.from('ok'))).toBe('ok')
})
