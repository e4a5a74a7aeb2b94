import { expect, it } from 'vitest'
import { isCmd, isPowerShell, lineOf, quoteWord } from './command-line'

/** The documented rules of CommandLineToArgvW: how a program splits a line. */
function readLine(line: string): string[] {
  const words: string[] = []
  let word: string | null = null
  let quoted = false
  for (let at = 0; at < line.length; ) {
    const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0
    const next = line[at + slashes]
    if (slashes > 0) {
      word ??= ''
      word += '\\'.repeat(next === '"' ? slashes >> 1 : slashes)
      at += slashes
      if (next === '"' && slashes % 2 === 1) {
        word += '"'
        at++
      }
    } else if (next === '"') {
      word ??= ''
      quoted = !quoted
      at++
    } else if (!quoted && next !== undefined && /\s/.test(next)) {
      if (word !== null) words.push(word)
      word = null
      at++
    } else {
      word = (word ?? '') + (next ?? '')
      at++
    }
  }
  return word === null ? words : [...words, word]
}

it.each([
  [['plain', 'two words', '']],
  [['C:\\Program Files\\x\\', 'C:\\x\\', 'C:\\']],
  [['say "hi"', '\\"', '\\\\"', 'a\\\\b', 'tab\there', 'line\nbreak']],
  [['"', '\\', '\\\\', 'trailing space ', '%PATH%', '^&|<>', 'ünïcödé 🦀']],
])('a program reads %j as it was', (words) => {
  expect(readLine(lineOf(['program.exe', ...words]))).toEqual(words)
})

it('leaves words alone that need no quotes', () => {
  expect(['-x', 'a\\b', '/c'].map(quoteWord)).toEqual(['-x', 'a\\b', '/c'])
})

it('gives a command to cmd as it was typed', () => {
  const line = lineOf(['C:\\Windows\\System32\\cmd.exe', '/d', '/s', '/c', 'echo "a b" & dir "C:\\x y"'])
  expect(line).toBe('/d /s /c "echo "a b" & dir "C:\\x y""')
  expect(lineOf(['cmd', '/k'])).toBe('/k')
})

it('knows the two shells by any spelling', () => {
  expect(['cmd', 'CMD.EXE', 'C:\\Windows\\system32\\cmd.exe', 'C:/x/cmd.com'].every(isCmd)).toBe(true)
  expect(['pwsh', 'PowerShell.exe', 'C:\\Program Files\\PowerShell\\7\\pwsh.exe'].every(isPowerShell)).toBe(true)
  expect(['cmder', '/bin/bash', 'pwsh-preview.ps1', ''].filter((name) => isCmd(name) || isPowerShell(name))).toEqual([])
})
