import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Rule } from '../../../src-preload/contract/approval'
import { createFixture, type Fixture } from '../fixture'
import type { Access, OfferedRule } from '../types'
import { backtestOffer, type PastDecision } from './past'

let fixture: Fixture
beforeEach(() => {
  fixture = createFixture()
  const scripts = { build: 'node scripts/build.mjs', lint: 'eslint .', test: 'vitest run', release: 'npm publish' }
  fixture.write('package.json', JSON.stringify({ scripts }, null, 2))
  fixture.write('scripts/build.mjs', 'console.log(1)\n')
  execFileSync('git', ['init', '-q', '.'], { cwd: fixture.workspace })
})
afterEach(() => fixture.remove())

const isFamily = ({ matches }: OfferedRule): boolean =>
  matches.some(({ kind }) => kind === 'family' || kind === 'files')

const sentenceFor = (command: string): string | undefined => fixture.command(command).offers.find(isFamily)?.sentence

const rulesOf = (offer: OfferedRule, action: Rule['action'] = 'exec'): Rule[] =>
  offer.matches.map((match, index) => ({
    id: `r${index}`,
    scope: offer.scope,
    subject: fixture.workspace,
    verdict: 'allow',
    action,
    match,
    sentence: offer.sentence,
    createdAt: 0,
    expiresAt: null,
    lastUsedAt: null,
    useCount: 0,
  }))

test.each([
  [
    'npm run lint',
    'Always allow `npm run` with any script of package.json (`build`, `lint` and `test`, except `release`) in this workspace while the scripts and the files they name are unchanged',
  ],
  ["git commit -m 'x'", 'Always allow `git commit` with a message in this workspace while the repository has no hooks'],
  [
    "git add -A && git commit -m 'x'",
    'Always allow `git add` of files and `git commit` with a message in this workspace while the repository has no hooks',
  ],
  ['git commit', undefined],
  ['npm run release', undefined],
  ["git commit -m 'x' && git push", undefined],
])('the widest rule for %s says what it covers', (command, sentence) => {
  expect(sentenceFor(command)).toBe(sentence)
})

test('a file of the workspace offers its folder, and the rule holds for what is in it', () => {
  const offer = fixture.path('src/app.ts', 'write').offers.find(isFamily)
  expect(offer?.sentence).toBe(
    'Always allow creating and changing any file in `src/`, but not deleting, in this workspace',
  )
  const rules = offer ? rulesOf(offer, 'write') : []
  expect(fixture.path('src/new/one.ts', 'write', 'safe', rules)).toMatchObject({ verdict: 'allow', ruleIds: ['r0'] })
  expect(fixture.path('src/app.ts', 'delete', 'safe', rules).verdict).toBe('ask')
  expect(fixture.path('README.md', 'write', 'safe', rules).verdict).toBe('ask')
  // It opens no folder to commands.
  expect(fixture.command('touch src/app.ts', 'safe', {}, rules).verdict).toBe('ask')
})

test('a rule for the scripts holds until one of them changes; then the card shows the difference', () => {
  const offer = fixture.command('npm run lint').offers.find(isFamily)
  const rules = offer ? rulesOf(offer) : []
  expect(fixture.command('npm run build', 'safe', {}, rules)).toMatchObject({ verdict: 'allow', ruleIds: ['r0'] })
  fixture.write('scripts/build.mjs', 'console.log(2)\n')
  expect(fixture.command('npm test', 'safe', {}, rules)).toMatchObject({
    verdict: 'ask',
    reason: 'scripts/build.mjs has changed since you allowed this',
    changed: [{ name: 'scripts/build.mjs', before: 'console.log(1)\n', after: 'console.log(2)\n' }],
  })
})

test('a family is held against what the user was asked before', () => {
  const access: Access = {
    action: 'exec',
    node: 'local',
    cwd: fixture.workspace,
    workspace: fixture.workspace,
    command: 'npm run lint',
  }
  const asked = (command: string, answer: 'allow' | 'deny'): PastDecision => ({
    action: 'exec',
    workspace: fixture.workspace,
    sessionId: 'other',
    targets: fixture.command(command).asking ?? [],
    answer,
  })
  const past = [
    asked('npm run build', 'allow'),
    asked('npm test', 'deny'),
    asked('npm run release', 'allow'),
    asked("git commit -m 'x'", 'allow'),
  ]
  const offer = fixture.command('npm run lint').offers.find(isFamily)
  const tested = offer && backtestOffer(offer, access, fixture.policy('safe'), fixture.files, past)
  expect(tested).toEqual({ total: 4, matched: 2, refused: 1 })
})

test('a family of one workspace means nothing in another', () => {
  const offer = fixture.command("git commit -m 'x'").offers.find(isFamily)
  const rules = offer ? rulesOf(offer) : []
  expect(fixture.command("git commit -m 'y'", 'safe', {}, rules).verdict).toBe('allow')
  const elsewhere = rules.map((rule) => ({ ...rule, subject: '/somewhere/else' }))
  expect(fixture.command("git commit -m 'y'", 'safe', {}, elsewhere).verdict).toBe('ask')
})
