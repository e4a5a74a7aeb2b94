import { expect, it } from 'vitest'
import { createTypedKeys } from './typed-keys'

function told(...pieces: string[]): string[] {
  const texts: string[] = []
  const keys = createTypedKeys((text) => texts.push(text))
  for (const piece of pieces) keys.add(piece)
  keys.flush()
  return texts
}

it.each([
  ['a line', ['ls', ' -l', '\r'], ['ls -l\n']],
  ['corrections', ['lx', '\x7f', 's\r'], ['ls\n']],
  ['control keys', ['\x03', '\x04'], ['^C^D']],
  ['arrows and the like', ['\x1b[A', '\x1bOB', '\x1b[3~', '\x1b'], ['<Up><Down><Delete><Esc>']],
  ['a key that has no name here', ['\x1b[15;5~x'], ['<Key>x']],
  ['a paste, without its brackets', ['\x1b[200~two\rlines\x1b[201~'], ['two\nlines']],
  ['backspace after a key', ['\x1b[A', '\x7f'], ['<Up><Backspace>']],
  ['tabs', ['cd sr\t'], ['cd sr<Tab>']],
  ['characters outside the first plane', ['😀x\x7f\x7fok'], ['ok']],
  ['nothing for mouse and focus', ['\x1b[<0;10;10M', '\x1b[M !!', '\x1b[I', '\x1b[O'], []],
])('tells %s', (_name, pieces, expected) => {
  expect(told(...pieces)).toEqual(expected)
})

it('keeps it short', () => {
  expect(told('x'.repeat(100_000))[0]).toHaveLength(501)
})

it('tells of a hidden line only that there was one', () => {
  const texts: string[] = []
  const keys = createTypedKeys((text) => texts.push(text))
  keys.add('visible')
  keys.addSecret('hun')
  keys.addSecret('ter2\r')
  expect(texts).toEqual(['visible', ''])
})
