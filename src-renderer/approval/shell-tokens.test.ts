import { expect, test } from 'vitest'
import { shellTokens } from './shell-tokens'

const kinds = (command: string) =>
  shellTokens(command)
    .filter((token) => token.kind !== 'space')
    .map((token) => `${token.kind}:${token.text}`)

test('programs, flags, words and operators', () => {
  expect(kinds('npm test --watch=false 2>&1 | tee out.log && echo ok')).toEqual([
    'program:npm',
    'text:test',
    'flag:--watch=false',
    'operator:2>&1',
    'operator:|',
    'program:tee',
    'text:out.log',
    'operator:&&',
    'program:echo',
    'text:ok',
  ])
})

test('strings, variables and substitutions', () => {
  expect(kinds(`FOO=1 echo "a $b" 'c d' $HOME/x "$(id)" $(date -u)`)).toEqual([
    'variable:FOO=1',
    'program:echo',
    'string:"a $b"',
    "string:'c d'",
    'variable:$HOME',
    'text:/x',
    'string:"$(id)"',
    'operator:$(',
    'program:date',
    'flag:-u',
    'operator:)',
  ])
})

test('comments begin a word, a hash inside one does not', () => {
  expect(kinds('echo a#b # why')).toEqual(['program:echo', 'text:a#b', 'comment:# why'])
})

test('keywords are not programs', () => {
  expect(kinds('for f in *; do cat $f; done')).toEqual([
    'keyword:for',
    'program:f',
    'text:in',
    'text:*',
    'operator:;',
    'keyword:do',
    'program:cat',
    'variable:$f',
    'operator:;',
    'keyword:done',
  ])
})

test('every character comes back, whatever the command is', () => {
  const broken = [
    "echo 'open",
    'a "b',
    '`x',
    '${',
    '$(',
    'a\\',
    '\\\n',
    '|||',
    '<<<EOF\nx',
    '\u202e \0 \ud800',
    '$',
    '{a,b}',
  ]
  expect(
    broken.map((command) =>
      shellTokens(command)
        .map((token) => token.text)
        .join(''),
    ),
  ).toEqual(broken)
})

test('a long command does not take long', () => {
  const command = 'echo "$(a b c)" \'x\' $Y | '.repeat(4000)
  expect(shellTokens(command).length).toBeGreaterThan(30_000)
})
