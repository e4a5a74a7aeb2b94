import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Rule, RuleMatch } from '../../../src-preload/contract/approval'
import type { ApprovalMode } from '../../../src-preload/contract/sessions'
import { decide } from '../decide'
import { createFixture, type Fixture } from '../fixture'
import { backtest, backtestOffer } from './past'
import { placesOf } from './places'

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
const here = () => ({ node: 'local', cwd: fixture.workspace, workspace: fixture.workspace })
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

  test.each(['fakeroot make', 'unshare make', 'tmux new', 'nodemon app', 'at now', 'vim x'])(
    'reads %s, which starts other programs, as the whole line',
    (line) => {
      const [program = '', word = ''] = line.split(' ')
      expect(verdict(`${line} all`, rule(prefix(program, word)))).toBe('ask')
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
      'Always allow `cargo test` with any arguments but no extra options, in this workspace',
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

  test('a folder that was opened counts like the workspace, for commands too', () => {
    const file = join(fixture.outside, 'plain.txt')
    const opened = (action: 'read' | 'write') =>
      rule({ kind: 'path', path: fixture.outside, recursive: true }, { action })
    const run = (command: string, mode: ApprovalMode, ...rules: Rule[]) => fixture.command(command, mode, {}, rules)
    expect(run(`cat ${file}`, 'safe').verdict).toBe('ask')
    expect(run(`cat ${file} | wc -l`, 'safe', opened('read'))).toMatchObject({ verdict: 'allow', ruleIds: ['r1'] })
    expect(run('cat a.txt', 'safe', opened('read'))).toMatchObject({ verdict: 'allow', ruleIds: [] })
    expect(run(`cat ${file}`, 'ask', opened('read')).verdict).toBe('ask')
    expect(run(`cp a.txt ${fixture.outside}/n.txt`, 'workspace', opened('read')).verdict).toBe('ask')
    expect(run(`cp a.txt ${fixture.outside}/n.txt`, 'workspace', opened('write'))).toMatchObject({
      verdict: 'allow',
      ruleIds: ['r1'],
    })
    expect(run(`cat ${file}`, 'safe', opened('write')).verdict).toBe('allow')
    expect(run(`cat ${file}`, 'safe', { ...opened('read'), subject: '/other' }).verdict).toBe('ask')
    expect(run(`cat ${file}`, 'safe', { ...opened('read'), expiresAt: 999 }).verdict).toBe('ask')
    expect(run(`cat ${fixture.outside}/../home/user/x`, 'safe', opened('read')).verdict).toBe('ask')
  })

  test('no opened folder opens a secret in it, nor makes its programs trusted', () => {
    const opened = rule({ kind: 'path', path: fixture.outside, recursive: true }, { action: 'write' })
    expect(fixture.command(`cat ${fixture.outside}/.env`, 'safe', {}, [opened]).verdict).toBe('ask')
    expect(fixture.command(`${fixture.outside}/ls`, 'workspace', {}, [opened]).verdict).toBe('ask')
  })

  test('the folder of a path is offered, for the session and for the workspace', () => {
    const notes = join(fixture.home, 'notes')
    mkdirSync(join(notes, 'deep'), { recursive: true })
    writeFileSync(join(notes, 'a.md'), '')
    const sentences = (path: string, access: 'read' | 'write') =>
      fixture.path(path, access).offers.map(({ scope, sentence }) => [scope, sentence])
    expect(sentences(join(notes, 'a.md'), 'read')).toEqual([
      ['session', 'Allow reading ~/notes/a.md in this session'],
      ['session', 'Allow reading everything in ~/notes in this session'],
      ['workspace', 'Always allow reading ~/notes/a.md in this workspace'],
      ['workspace', 'Always allow reading everything in ~/notes from this workspace'],
      ['everywhere', 'Always allow reading ~/notes/a.md everywhere'],
    ])
    // A folder itself, not the one that it is in.
    expect(sentences(join(notes, 'deep'), 'read')[1]).toEqual([
      'session',
      'Allow reading everything in ~/notes/deep in this session',
    ])
    expect(sentences(join(notes, 'a.md'), 'write')[3]).toEqual([
      'workspace',
      'Always allow changing and deleting everything in ~/notes from this workspace',
    ])
    // Not a whole home, not a part of the system, not what the workspace lies in.
    for (const path of [join(fixture.home, 'a.md'), '/etc/hostname', join(fixture.root, 'work', 'x')])
      expect(sentences(path, 'read').filter(([, sentence]) => sentence?.includes('everything'))).toEqual([])
  })

  test('a command that asks only because it reads elsewhere is offered the folders, and runs once they are open', () => {
    const [notes, papers] = [join(fixture.home, 'notes'), join(fixture.home, 'papers')]
    for (const folder of [notes, papers]) mkdirSync(folder, { recursive: true })
    const folderOffers = (command: string) =>
      fixture.command(command).offers.filter(({ matches }) => matches.some(({ kind }) => kind === 'path'))
    const offers = folderOffers(`grep -c x a.txt ${notes}/a.md | head -1; ls ${papers}`)
    expect(offers).toEqual([
      {
        scope: 'session',
        action: 'read',
        matches: [notes, papers].map((path) => ({ kind: 'path', path, recursive: true })),
        sentence: 'Allow reading everything in ~/notes and ~/papers in this session',
      },
      expect.objectContaining({
        scope: 'workspace',
        sentence: 'Always allow reading everything in ~/notes and ~/papers from this workspace',
      }),
    ])
    const kept = offers[0]?.matches.map((match) => rule(match, { action: 'read' })) ?? []
    expect(fixture.command(`cat ${notes}/a.md ${papers}/b.md`, 'safe', {}, kept).verdict).toBe('allow')
    for (const command of [
      `rm ${notes}/a.md`,
      `cat ${notes}/a.md > b.txt`,
      `node ${notes}/a.md`,
      `cat ${notes}/.env`,
      `cat ${fixture.home}/a.md`,
      `cat ${notes}/a.md; make`,
      'cat /etc/hostname',
    ])
      expect([command, folderOffers(command)]).toEqual([command, []])
  })

  test('no path rule opens a secret', () => {
    const reading = rule({ kind: 'path', path: fixture.workspace, recursive: true }, { action: 'read' })
    expect(fixture.path('.env', 'read', 'safe', [reading])).toMatchObject({ verdict: 'ask', typedWord: 'secret' })
  })

  test('hosts, also after text from outside', () => {
    const access = {
      ...here(),
      action: 'network' as const,
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
      ...here(),
      action: 'configure' as const,
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

test('an offer is tested with what was asked where it would hold', () => {
  const access = {
    ...here(),
    action: 'exec' as const,
    command: 'npm test',
  }
  const { offers, asking = [] } = decide(access, fixture.policy('safe'), fixture.files)
  const past = [
    { sessionId: 'session', workspace: fixture.workspace },
    { sessionId: 'another', workspace: fixture.workspace },
    { sessionId: 'another', workspace: '/elsewhere' },
  ].map((where) => ({ ...where, action: 'exec' as const, targets: asking, answer: 'allow' as const }))
  const tested = offers.map((offer) => backtestOffer(offer, access, fixture.policy('safe'), fixture.files, past))
  expect(offers.map(({ scope }) => scope)).toEqual(['session', 'workspace', 'everywhere'])
  expect(tested).toEqual([
    { total: 1, matched: 1, refused: 0 },
    { total: 2, matched: 2, refused: 0 },
    // Elsewhere, the same words in another folder are another command.
    { total: 3, matched: 2, refused: 0 },
  ])
})

test('a back-test tells what a rule would have answered', () => {
  const past = [
    ['npm test', 'allow'],
    ['npm test', 'deny'],
    // What was never asked about cannot keep a rule from settling the rest.
    ['ls src && npm test 2>&1 | tail -5', 'allow'],
    ['npm run build', 'allow'],
    ['npm test && npm run build', 'allow'],
  ].map(([command, answer]) => ({
    action: 'exec' as const,
    workspace: fixture.workspace,
    sessionId: 'session',
    targets: fixture.command(command ?? '').asking ?? [],
    answer: answer as 'allow' | 'deny',
  }))
  const places = placesOf(
    { action: 'exec', node: 'local', cwd: fixture.workspace, workspace: fixture.workspace },
    fixture.policy('safe'),
    fixture.files,
  )
  expect(backtest([rule(argv('npm', 'test'))], past, places, 1_000)).toEqual({ total: 5, matched: 3, refused: 1 })
})
