import { expect, it } from 'vitest'
import type { Rule } from '../../src-preload/contract/approval'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import { decide } from './decide'
import { decideRemote } from './decide-remote'
import type { Access, FileView, Policy } from './types'

const host = { os: 'linux', home: '/home/ann' } as const
const blind: FileView = {
  ...host,
  realpath: (path) => path,
  lstat: () => null,
  readText: () => null,
  list: () => null,
  which: () => null,
}
const base: Access = { action: 'exec', node: 'server', cwd: '/srv/app', workspace: '/srv/app' }
const policy = (mode: ApprovalMode, rules: Rule[] = []): Policy => ({
  mode,
  rules,
  sessionId: 's',
  now: 0,
})
const allowMake: Rule = {
  id: 'r',
  scope: 'everywhere',
  subject: '',
  verdict: 'allow',
  action: 'exec',
  match: { kind: 'argv', argv: ['make', 'test'] },
  sentence: 'make test may run',
  createdAt: 0,
  expiresAt: null,
  lastUsedAt: null,
  useCount: 0,
}
const verdict = (access: Partial<Access>, mode: ApprovalMode, rules?: Rule[]) =>
  decideRemote({ ...base, ...access }, policy(mode, rules), host).verdict

it.each<[string, Partial<Access>]>([
  ['a harmless command', { command: 'ls', shell: 'login' }],
  ['a file in its workspace', { action: 'read', paths: [{ path: '/srv/app/a.txt', access: 'read' }] }],
  ['a change in its workspace', { action: 'write', paths: [{ path: '/srv/app/a.txt', access: 'write' }] }],
])('asks about %s, which would run by itself here', (_, access) => {
  expect(['ask', 'safe', 'workspace'].map((mode) => verdict(access, mode as ApprovalMode))).toEqual([
    'ask',
    'ask',
    'ask',
  ])
  expect(verdict(access, 'all')).toBe('allow')
  expect(verdict(access, 'read-only')).toBe('deny')
})

it('lets everything be typed into one program there once the user said so', () => {
  const typing: Partial<Access> = { command: 'help', typed: true, typedInto: 'program', processId: 'p', toolKey: 'x' }
  const asked = decideRemote({ ...base, ...typing }, policy('safe'), host)
  expect(asked).toMatchObject({ verdict: 'ask', offers: [{ scope: 'process' }] })
  const [match] = asked.offers[0]?.matches ?? []
  const rule: Rule = { ...allowMake, scope: 'process', subject: 'p', match: match ?? allowMake.match }
  expect(verdict(typing, 'safe', [rule])).toBe('allow')
  expect(verdict({ ...typing, processId: 'q' }, 'safe', [rule])).toBe('ask')
})

it('lets what touches nothing through', () => {
  expect(verdict({ action: 'read' }, 'safe')).toBe('allow')
})

it('keeps what is dangerous behind a word, in every mode', () => {
  for (const access of [
    { command: 'rm -rf /', shell: 'login' as const },
    { action: 'read' as const, paths: [{ path: '/home/ann/.ssh/id_rsa', access: 'read' as const }] },
  ]) {
    const decision = decideRemote({ ...base, ...access }, policy('all'), host)
    expect(decision).toMatchObject({ verdict: 'ask', typedWord: expect.any(String) })
  }
})

const makeTest = { command: 'make test', shell: 'login' as const }
const onServer: Rule = { ...allowMake, match: { kind: 'argv', argv: ['make', 'test'], node: 'server' } }

it('takes no permission from this machine along, and every refusal', () => {
  expect(verdict(makeTest, 'safe', [allowMake])).toBe('ask')
  expect(verdict(makeTest, 'all', [{ ...allowMake, verdict: 'deny' }])).toBe('deny')
  expect(verdict(makeTest, 'safe', [onServer, { ...allowMake, verdict: 'deny' }])).toBe('deny')
})

it.each(['make test', 'ls', 'ls && make test'])(
  'offers to keep exactly `%s` for that machine, which then holds',
  (command) => {
    for (const mode of ['ask', 'safe', 'workspace'] as const) {
      const access = { ...base, command, shell: 'login' as const }
      const asked = decideRemote(access, policy(mode), host)
      expect(asked).toMatchObject({ verdict: 'ask', targets: [] })
      expect(asked.offers.map(({ scope }) => scope)).toEqual(['session', 'workspace'])
      const [session] = asked.offers
      expect(session?.sentence).toMatch(/ in this session, on server and whatever its files hold$/)
      const kept = session?.matches.map((match, index): Rule => ({ ...allowMake, id: `r${index}`, match })) ?? []
      expect(decideRemote(access, policy(mode, kept), host)).toMatchObject({ verdict: 'allow', ruleId: 'r0' })
      expect(decideRemote({ ...access, node: 'other' }, policy(mode, kept), host).verdict).toBe('ask')
      expect(decideRemote({ ...access, command: `${command} -B` }, policy(mode, kept), host).verdict).toBe('ask')
      expect(decideRemote({ ...access, cwd: '/srv' }, policy(mode, kept), host).verdict).toBe('ask')
      expect(decideRemote(access, policy('read-only', kept), host).verdict).toBe('deny')
    }
  },
)

it('a permission for another machine allows nothing on this one', () => {
  const here = { ...base, ...makeTest }
  expect(decide(here, policy('safe', [onServer]), blind).verdict).toBe('ask')
  expect(decide(here, policy('safe', [allowMake]), blind).verdict).toBe('allow')
})

it.each<[string, Partial<Access>]>([
  ['what is dangerous', { command: 'sudo make install', shell: 'login' }],
  ['what cannot be read', { command: 'make "$TARGET"', shell: 'login' }],
  ['what redirects', { command: 'make test > log', shell: 'login' }],
  ['what is typed', { command: 'make test', shell: 'login', typed: true, processId: 'p', typedInto: 'shell' }],
  ['files', { action: 'write', paths: [{ path: '/srv/app/a.txt', access: 'write' }] }],
  ['connections', { hosts: ['example.org'] }],
])('offers to keep nothing for %s', (_, access) => {
  for (const mode of ['ask', 'safe', 'workspace'] as const)
    expect(decideRemote({ ...base, ...access }, policy(mode), host)).toMatchObject({ verdict: 'ask', offers: [] })
})

it('no kept rule speaks for what is dangerous', () => {
  const match = { kind: 'argv', argv: ['sudo', 'make', 'install'], node: 'server' } as const
  const kept: Rule = { ...allowMake, match: { ...match, argv: [...match.argv] } }
  const decision = decideRemote({ ...base, command: 'sudo make install', shell: 'login' }, policy('safe', [kept]), host)
  expect(decision).toMatchObject({ verdict: 'ask', typedWord: 'admin', offers: [] })
})
