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
    `ls | awk '{print $2}'`,
    `ls | awk -F: '{print $1, $NF}'`,
    `ps aux | awk 'NR>1 {print $2 "-" $11}'`,
    `ps aux | grep node | awk '/node /{print $2}'`,
    'ls | sed 1d',
    'ls | sed -n 2,3p',
    `ls | sed 's/a[0-9]*b/c/g'`,
  ])('%s runs', (command) => expect(verdict(command)).toBe('allow'))

  test.each([
    `ls | awk '{print $2 > "x"}'`,
    `ls | awk '{print $2 | "sh"}'`,
    `ls | awk '{print $2}; BEGIN {system("id")}'`,
    `ls | awk '{print "a\\" $2}'`,
    `ls | awk '{print $2}' a.txt`,
    `ls | awk '{print $2}' -f x`,
    `ls | awk -f x '{print $2}'`,
    `ls | awk -v x=1 '{print $2}'`,
    'ls | sed 1d a.txt',
    'ls | sed -i 1d',
    'ls | sed 1w x',
    `ls | sed 's/a/b/e'`,
    `ls | sed 's/a/b/w x'`,
    `ls | sed 's/[/]/b/w x/g'`,
    `ls | sed 's/a/b/;1e id'`,
    `ls | sed 's/a/b\\\n/;e id/'`,
    `ls | sed -e 1d -e '1e id'`,
    `ls | sed --expression='1e id'`,
    'ls | sed 1r/etc/passwd',
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
