import { expect, it } from 'vitest'
import { skipToMark } from './remote-shell'

const token = 'a1b2c3'

it('gives what comes after the mark, however the output is cut', () => {
  const said = Buffer.from(`Welcome!\n${token}\nwords\n${token}\n`)
  for (let size = 1; size <= said.length; size++) {
    const output = skipToMark(token)
    const got: Buffer[] = []
    for (let at = 0; at < said.length; at += size) got.push(output(said.subarray(at, at + size)))
    expect(Buffer.concat(got).toString()).toBe(`words\n${token}\n`)
  }
})

it('keeps no more of a long greeting than it needs', () => {
  const output = skipToMark(token)
  const line = Buffer.from(`${'x'.repeat(1023)}\n`)
  for (let count = 0; count < 5000; count++) expect(output(line).length).toBe(0)
  expect(output(Buffer.from(`\n${token}\nwords`)).toString()).toBe('words')
})
