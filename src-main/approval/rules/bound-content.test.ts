import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Rule } from '../../../src-preload/contract/approval'
import { createFixture, type Fixture } from '../fixture'
import type { OfferedRule } from '../types'

let fixture: Fixture
beforeEach(() => {
  fixture = createFixture()
  fixture.write('package.json', JSON.stringify({ scripts: { test: 'node scripts/run.mjs --all', lint: 'eslint .' } }))
  fixture.write('scripts/run.mjs', 'console.log(1)\n')
  fixture.write('Makefile', 'all:\n\techo hi\n')
})
afterEach(() => fixture.remove())

const ruleOf = ({ matches, sentence }: OfferedRule): Rule => ({
  id: 'r',
  scope: 'workspace',
  subject: fixture.workspace,
  verdict: 'allow',
  action: 'exec',
  match: matches[0] as Rule['match'],
  sentence,
  createdAt: 0,
  expiresAt: null,
  lastUsedAt: null,
  useCount: 0,
})

const allowed = (command: string): Rule => {
  const offer = fixture.command(command).offers.find(({ scope }) => scope === 'workspace')
  if (!offer) throw new Error('no rule was offered')
  return ruleOf(offer)
}

test.each([
  ['npm test', 'Always allow `npm test` in this workspace while `scripts.test` and `scripts/run.mjs` are unchanged'],
  ['npm run lint', 'Always allow `npm run lint` in this workspace while `scripts.lint` is unchanged'],
  ['pnpm lint', 'Always allow `pnpm lint` in this workspace while `scripts.lint` is unchanged'],
  [
    'node scripts/run.mjs',
    'Always allow `node scripts/run.mjs` in this workspace while `scripts/run.mjs` is unchanged',
  ],
  ['make all', 'Always allow `make all` in this workspace while `Makefile` is unchanged'],
  ['npm outdated', 'Always allow `npm outdated` in this workspace'],
])('the rule for %s says what it depends on', (command, sentence) => {
  expect(allowed(command).sentence).toBe(sentence)
})

describe('a permission for a script', () => {
  test('holds while the script is the same', () => {
    const rule = allowed('npm test')
    expect(fixture.command('npm test', 'safe', {}, [rule])).toMatchObject({ verdict: 'allow', ruleId: 'r' })
    fixture.write('package.json', JSON.stringify({ name: 'other', scripts: { test: 'node scripts/run.mjs --all' } }))
    expect(fixture.command('npm test', 'safe', {}, [rule]).verdict).toBe('allow')
  })

  test('asks with the difference when the script, a file that it names or a step before it has changed', () => {
    const rule = allowed('npm test')
    fixture.write('scripts/run.mjs', 'steal()\n')
    expect(fixture.command('npm test', 'safe', {}, [rule])).toMatchObject({
      verdict: 'ask',
      reason: 'scripts/run.mjs has changed since you allowed this',
      changed: [{ name: 'scripts/run.mjs', before: 'console.log(1)\n', after: 'steal()\n' }],
    })
    fixture.write('scripts/run.mjs', 'console.log(1)\n')
    const scripts = { pretest: 'curl evil', test: 'node scripts/run.mjs --all' }
    fixture.write('package.json', JSON.stringify({ scripts }))
    expect(fixture.command('npm test', 'safe', {}, [rule])).toMatchObject({
      verdict: 'ask',
      changed: [{ name: 'scripts.pretest', before: null, after: 'curl evil' }],
    })
  })

  test('is not touched by a change elsewhere', () => {
    const rule = allowed('make all')
    fixture.write('a.txt', 'changed\n')
    expect(fixture.command('make all', 'safe', {}, [rule]).verdict).toBe('allow')
  })
})
