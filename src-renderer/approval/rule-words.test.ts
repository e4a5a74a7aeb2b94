import { expect, test } from 'vitest'
import type { Rule } from '../../src-preload/contract/approval'
import { filterRules, pastWords, scopeWords, widerWords } from './rule-words'

const rule = (id: string, more: Partial<Rule>): Rule => ({
  id,
  scope: 'everywhere',
  subject: '',
  verdict: 'allow',
  action: 'exec',
  match: { kind: 'argv', argv: ['true'] },
  sentence: id,
  createdAt: 1,
  expiresAt: null,
  lastUsedAt: null,
  useCount: 0,
  ...more,
})
const name = {
  session: (id: string) => `Session ${id}`,
  process: (id: string) => (id === 'p' ? 'python3' : undefined),
}

test('each scope says where it holds', () => {
  expect([
    scopeWords(rule('a', { scope: 'process', subject: 'p' }), name),
    scopeWords(rule('a', { scope: 'process', subject: 'q' }), name),
    scopeWords(rule('a', { scope: 'session', subject: '7' }), name),
    scopeWords(rule('a', { scope: 'workspace', subject: '/home/ada/shop' }), name),
    scopeWords(rule('a', {}), name),
  ]).toEqual(['the process “python3”', 'a deleted process', 'the session “Session 7”', '~/shop', 'everywhere'])
})

test('the filter wants every word somewhere, and the latest used come first', () => {
  const rules = [
    rule('npm', { sentence: 'Allow “npm test”', lastUsedAt: 5 }),
    rule('git', { sentence: 'Allow “git add”', lastUsedAt: 9 }),
    rule('net', { sentence: 'Never connect', verdict: 'deny', createdAt: 7 }),
  ]
  const found = (filter: string) => filterRules(rules, filter, name).map((each) => each.id)
  expect([found(''), found('ALLOW everywhere'), found('npm allow'), found('deny'), found('npm git')]).toEqual([
    ['git', 'net', 'npm'],
    ['git', 'net', 'npm'].filter((id) => id !== 'net'),
    ['npm'],
    ['net'],
    [],
  ])
})

test('the past of a rule is told in numbers', () => {
  expect([
    pastWords({ total: 60, matched: 41, refused: 1 }, 'everywhere'),
    pastWords({ total: 60, matched: 2, refused: 0 }, 'workspace'),
    pastWords({ total: 1, matched: 0, refused: 0 }, 'session'),
    pastWords({ total: 1, matched: 1, refused: 0 }, 'session'),
  ]).toEqual([
    'Would have matched 41 of your last 60 approvals, 1 of which you denied',
    'Would have matched 2 of your last 60 approvals in this workspace',
    'Would not have matched your last approval in this session',
    'Would have matched your last approval in this session',
  ])
})

test('the wider answer says what it covers', () => {
  const words = (scope: 'session' | 'process', sentence: string) => widerWords({ scope, sentence })
  expect(words('session', 'Allow `npm test` in this session while `package.json` is unchanged')).toBe(
    'For this session, allows `npm test` while `package.json` is unchanged, and nothing else.',
  )
  expect(words('session', 'Allow `git fetch` and `ls` in this session')).toBe(
    'For this session, allows `git fetch` and `ls`, and nothing else.',
  )
  expect(words('process', 'Allow typing anything into this program until it exits')).toBe(
    'Until it exits, allows typing anything into this program.',
  )
})
