import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Rule, RuleMatch } from '../../src-preload/contract/protocol'
import { decide } from './decide'
import { createFixture, type Fixture } from './fixture'
import { placesOf } from './paths'
import { backtest } from './rules'

let fixture: Fixture
beforeAll(() => {
  fixture = createFixture()
  fixture.write('evil/package.json', '{}')
  fixture.write('.env')
  fixture.write('tool.sh')
})
afterAll(() => fixture.remove())

const rule = (match: RuleMatch, more: Partial<Rule> = {}): Rule => ({
  id: 'r1',
  scope: 'workspace',
  subject: fixture.workspace,
  verdict: 'allow',
  action: 'exec',
  match,
  sentence: 'Always allow it',
  createdAt: 0,
  expiresAt: null,
  lastUsedAt: null,
  useCount: 0,
  ...more,
})
const argv = (...words: string[]): RuleMatch => ({ kind: 'argv', argv: words })
const prefix = (...words: string[]): RuleMatch => ({ kind: 'prefix', argv: words })

describe('a rule for a command line', () => {
  const verdict = (command: string, ...rules: Rule[]): string => fixture.command(command, 'safe', {}, rules).verdict

  test('lets exactly that through and says so', () => {
    const decision = fixture.command('npm test', 'safe', {}, [rule(argv('npm', 'test'))])
    expect(decision).toMatchObject({ verdict: 'allow', ruleId: 'r1', ruleIds: ['r1'], reason: 'Always allow it' })
  })

  test.each([
    'npm test --prefix evil',
    'npm test --script-shell=./tool.sh',
    'npm test -- -u',
    'npm testx',
    'NODE_OPTIONS=-rx npm test',
    'npm test > ../out.txt',
    'npm test > out.txt',
    'npm test < /etc/passwd',
    'npm test | tee x',
    'npm test; touch x',
    'npm test &',
    'npm test $(touch x)',
    'cd evil && npm test',
    './npm test',
    'npm "test" "$x"',
  ])('does not speak for: %s', (command) => expect(verdict(command, rule(argv('npm', 'test')))).toBe('ask'))

  test('joins what is safe and what other rules allow', () => {
    const rules = [rule(argv('npm', 'test')), rule(argv('npm', 'run', 'build'), { id: 'r2' })]
    expect(fixture.command('ls && npm run build && npm test 2>&1 | tail -5', 'safe', {}, rules)).toMatchObject({
      verdict: 'allow',
      ruleIds: ['r2', 'r1'],
    })
    expect(verdict('npm run build && npm test && touch x', ...rules)).toBe('ask')
  })

  test('covers further words, but no options, behind a prefix', () => {
    const rules = [rule(prefix('cargo', 'test'))]
    expect(verdict('cargo test', ...rules)).toBe('allow')
    expect(verdict('cargo test parser', ...rules)).toBe('allow')
    expect(verdict('cargo test --config x', ...rules)).toBe('ask')
    expect(verdict('cargo test a=b', ...rules)).toBe('ask')
    expect(verdict('cargo test ../other', ...rules)).toBe('ask')
    expect(verdict('cargo test .env', ...rules)).toBe('ask')
    expect(verdict('cargo build', ...rules)).toBe('ask')
  })

  test.each(['git', 'npm', 'env', 'python3', 'bash', 'find', 'xargs', 'cat', 'make', 'tee', 'tar', 'touch', 'cargo'])(
    'reads a prefix of %s alone as the whole line',
    (program) => {
      expect(verdict(`${program} /etc/hostname`, rule(prefix(program)))).toBe('ask')
    },
  )

  test('holds for one program file', () => {
    const node = fixture.files.which('node')
    expect(verdict('node x.js', rule({ kind: 'argv', argv: ['node', 'x.js'], program: node ?? '' }))).toBe('allow')
    expect(verdict('node x.js', rule({ kind: 'argv', argv: ['node', 'x.js'], program: '/elsewhere/node' }))).toBe('ask')
  })

  test('holds in its scope and until it expires', () => {
    const match = argv('npm', 'test')
    expect(verdict('npm test', rule(match, { scope: 'session', subject: 'session' }))).toBe('allow')
    expect(verdict('npm test', rule(match, { scope: 'session', subject: 'other' }))).toBe('ask')
    expect(verdict('npm test', rule(match, { scope: 'process', subject: 'p1' }))).toBe('ask')
    expect(verdict('npm test', rule(match, { subject: '/other' }))).toBe('ask')
    expect(verdict('npm test', rule(match, { scope: 'everywhere', subject: '' }))).toBe('allow')
    expect(verdict('npm test', rule(match, { expiresAt: 999 }))).toBe('ask')
    expect(verdict('npm test', rule(match, { expiresAt: 1_001 }))).toBe('allow')
  })

  test('never speaks for what is dangerous, and a refusal wins', () => {
    expect(fixture.command('sudo id', 'safe', {}, [rule(argv('sudo', 'id'))])).toMatchObject({
      verdict: 'ask',
      typedWord: 'admin',
      offers: [],
    })
    const refusal = rule(prefix('npm'), { id: 'no', verdict: 'deny', sentence: 'Never npm' })
    expect(fixture.command('npm test', 'all', {}, [rule(argv('npm', 'test')), refusal])).toMatchObject({
      verdict: 'deny',
      ruleId: 'no',
    })
    expect(fixture.command('ls && npm ci', 'all', {}, [refusal]).verdict).toBe('deny')
  })

  test('is not consulted in a read-only session', () => {
    expect(fixture.command('npm test', 'read-only', {}, [rule(argv('npm', 'test'))])).toMatchObject({
      verdict: 'deny',
      reason: expect.stringContaining('read-only'),
    })
  })

  test('does not let a repository run its own programs', () => {
    mkdirSync(join(fixture.workspace, 'repo', '.git'), { recursive: true })
    writeFileSync(join(fixture.workspace, 'repo', '.git', 'config'), '[core] fsmonitor = ./x\n')
    const cwd = join(fixture.workspace, 'repo')
    const allowed = rule({ kind: 'argv', argv: ['git', 'status'], cwd })
    expect(fixture.command('git status', 'safe', { cwd }, [allowed]).verdict).toBe('ask')
  })
})

describe('the offers of a card', () => {
  test('name the command and the scope', () => {
    const { offers } = fixture.command('npm test')
    expect(offers.map(({ scope, sentence }) => [scope, sentence])).toEqual([
      ['session', 'Allow `npm test` in this session'],
      ['workspace', 'Always allow `npm test` in this workspace'],
      ['everywhere', 'Always allow `npm test` everywhere'],
    ])
    expect(fixture.command('cargo test parser').offers.map(({ sentence }) => sentence)).toContain(
      'Always allow `cargo test` followed by further words, but no further options, in this workspace',
    )
  })

  test.each([
    'npm test',
    'cargo test parser',
    'npm run build && npm test',
    'touch x',
    'python3 x.py',
    'cd src && make all',
  ])('do what they say: %s', (command) => {
    for (const { scope, matches, sentence } of fixture.command(command).offers) {
      const subject = { process: '', session: 'session', workspace: fixture.workspace, everywhere: '' }[scope]
      const rules = matches.map((match, index) => rule(match, { id: String(index), scope, subject, sentence }))
      expect(fixture.command(command, 'safe', {}, rules)).toMatchObject({ verdict: 'allow' })
    }
    expect(fixture.command(command).offers.length).toBeGreaterThan(0)
  })

  test.each(['npm test > x', 'X=1 npm test', 'npm test $(ls)', 'rm -rf /', 'cat .env', 'npm test &', 'ls \u202e'])(
    'are missing where no rule could hold: %s',
    (command) => expect(fixture.command(command).offers).toEqual([]),
  )
})

describe('rules for paths, hosts and tools', () => {
  test('a folder that may be read may not be written', () => {
    const reading = rule({ kind: 'path', path: fixture.outside, recursive: true }, { action: 'read' })
    const file = join(fixture.outside, 'plain.txt')
    expect(fixture.path(file, 'read', 'safe', [reading])).toMatchObject({ verdict: 'allow', ruleId: 'r1' })
    expect(fixture.path(file, 'write', 'safe', [reading]).verdict).toBe('ask')
    expect(fixture.path(`${fixture.outside}-not/x`, 'read', 'safe', [reading]).verdict).toBe('ask')
  })

  test('no path rule opens a secret', () => {
    const reading = rule({ kind: 'path', path: fixture.workspace, recursive: true }, { action: 'read' })
    expect(fixture.path('.env', 'read', 'safe', [reading])).toMatchObject({ verdict: 'ask', typedWord: 'secret' })
  })

  test('hosts, also after text from outside', () => {
    const access = {
      action: 'network' as const,
      node: 'local',
      cwd: fixture.workspace,
      workspace: fixture.workspace,
      hosts: ['api.example.com'],
    }
    const known = rule({ kind: 'host', host: '*.example.com' }, { action: 'network' })
    expect(decide(access, fixture.policy('safe'), fixture.files).verdict).toBe('ask')
    expect(decide(access, fixture.policy('all'), fixture.files).verdict).toBe('allow')
    expect(decide({ ...access, tainted: true }, fixture.policy('all'), fixture.files).verdict).toBe('ask')
    expect(decide({ ...access, tainted: true }, fixture.policy('all', [known]), fixture.files).verdict).toBe('allow')
    expect(
      decide({ ...access, hosts: ['example.com.evil.test'] }, fixture.policy('safe', [known]), fixture.files).verdict,
    ).toBe('ask')
  })

  test('tools by their key; never those that change the gate', () => {
    const access = {
      action: 'configure' as const,
      node: 'local',
      cwd: fixture.workspace,
      workspace: fixture.workspace,
      toolKey: 'schedule.add',
    }
    const known = rule({ kind: 'tool', key: 'schedule.add' }, { action: 'configure' })
    expect(decide(access, fixture.policy('safe'), fixture.files).verdict).toBe('ask')
    expect(decide(access, fixture.policy('safe', [known]), fixture.files).verdict).toBe('allow')
    expect(decide({ ...access, toolKey: 'approval.mode' }, fixture.policy('all'), fixture.files)).toMatchObject({
      verdict: 'ask',
      typedWord: 'settings',
    })
  })
})

test('a back-test tells what a rule would have answered', () => {
  const past = [
    ['npm test', 'allow'],
    ['npm test', 'deny'],
    ['npm run build', 'allow'],
    ['npm test && npm run build', 'allow'],
  ].map(([command, answer]) => ({
    action: 'exec' as const,
    workspace: fixture.workspace,
    sessionId: 'session',
    targets: fixture.command(command ?? '').targets,
    answer: answer as 'allow' | 'deny',
  }))
  const places = placesOf(
    { action: 'exec', node: 'local', cwd: fixture.workspace, workspace: fixture.workspace },
    fixture.policy('safe'),
    fixture.files,
  )
  expect(backtest([rule(argv('npm', 'test'))], past, places, 1_000)).toEqual({ total: 4, matched: 2, refused: 1 })
})
