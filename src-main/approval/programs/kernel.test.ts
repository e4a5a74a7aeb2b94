import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decide } from '../decide'
import { createFixture, type Fixture } from '../fixture'
import { kernelPrograms } from './kernel'
import { factsOf } from './registry'

/** Options that may be given without a question, as its record lists them. */
const listed = (program: string): string => {
  const reads = factsOf(program)?.reads
  return typeof reads === 'object' ? (reads.short ?? '').replaceAll(':', '') : ''
}
const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** They print their words, whatever these are, or take no options. */
const wordsOnly = new Set(['echo', ':', 'true', 'false', 'exit'])

describe('without a cage', () => {
  let fixture: Fixture
  beforeAll(() => {
    fixture = createFixture()
  })
  afterAll(() => fixture.remove())
  const verdict = (command: string): string =>
    decide(
      {
        ...{ action: 'exec', node: 'local', cwd: fixture.workspace, workspace: fixture.workspace },
        ...{ command, cageable: true },
      },
      { ...fixture.policy('safe'), cage: false },
      fixture.files,
    ).verdict

  test.each(kernelPrograms.filter((name) => !wordsOnly.has(name)))('%s takes no option that is not listed', (name) => {
    const known = listed(name)
    const table = typeof factsOf(name)?.reads === 'object'
    const tried = [
      ...['--no-such-option', '--no-such-option=x', '--exec=x', '--files0-from=x', '--config=x'],
      ...(table ? letters.filter((letter) => !known.includes(letter)).map((letter) => `-${letter}`) : []),
      ...(table ? letters.filter((letter) => !known.includes(letter)).map((letter) => `-${letter}x`) : []),
    ]
    expect(tried.filter((option) => verdict(`${name} ${option} a.txt`) === 'allow')).toEqual([])
  })

  test.each([
    'awk 1 a.txt',
    'jq . a.json',
    'sed -n 1p a.txt',
    'find .',
    'rg x',
    'strings a.txt',
    'npm ls',
    'foo',
    'xxd a.txt',
  ])('%s asks', (command) => expect(verdict(command)).toBe('ask'))

  test.each(['ls -la', 'cat a.txt | head -3', 'grep -rn x src', 'git status', 'wc -l *.txt', 'echo hello'])(
    '%s runs',
    (command) => expect(verdict(command)).toBe('allow'),
  )
})
