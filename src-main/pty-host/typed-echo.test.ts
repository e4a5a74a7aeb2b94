import { expect, test } from 'vitest'
import { createTypedEcho } from './typed-echo'

const after = (output: string, ...texts: string[]): string[] => {
  const told: string[] = []
  const echo = createTypedEcho((text) => told.push(text))
  echo.began()
  for (const text of texts) echo.typed(text)
  echo.output(Buffer.from(output))
  echo.end()
  return told
}

test('what a program draws is told, also by a line editor that draws more', () => {
  expect(after('ls -la\r\n', 'ls -la\n')).toEqual(['ls -la\n'])
  expect(
    after('\x1b[32ml\x1b[0m\b\x1b[32mls\x1b[0m \x1b]0;title\x07-\x1b[90mlh\x1b[39m\b\b-la\r\n', 'ls -la\n'),
  ).toEqual(['ls -la\n'])
  expect(after('', '<Up>^C<Tab>\n')).toEqual(['<Up>^C<Tab>\n'])
  expect(after('naïve 日本\r\n', 'naïve 日本\n')).toEqual(['naïve 日本\n'])
})

test('what it hides, or draws dots for, is not', () => {
  expect(after('********\r\n', 'hunter22\n')).toEqual([''])
  expect(after('\r\n', 'hunter22\n')).toEqual([''])
  expect(after('', '')).toEqual([''])
})

test('keys that are pressed while earlier ones are looked at keep their own echo', () => {
  const told: string[] = []
  const echo = createTypedEcho((text) => told.push(text))
  echo.began()
  echo.output(Buffer.from('A'))
  echo.typed('A')
  echo.began()
  echo.output(Buffer.from('da'))
  echo.end()
  echo.typed('da\n')
  echo.output(Buffer.from('\r\n'))
  echo.end()
  expect(told).toEqual(['A', 'da\n'])
})
