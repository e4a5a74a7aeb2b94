import { expect, it } from 'vitest'
import type { ApprovalMode, Rule } from '../../src-preload/contract/protocol'
import { decideRemote } from './decide-remote'
import type { Access, Policy } from './types'

const host = { os: 'linux', home: '/home/ann' } as const
const base: Access = { action: 'exec', node: 'server', cwd: '/srv/app', workspace: '/srv/app' }
const policy = (mode: ApprovalMode, rules: Rule[] = []): Policy => ({
  mode,
  rules,
  sessionId: 's',
  grantedFolders: [],
  now: 0,
})
const allowLs: Rule = {
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

it('takes no permission from this machine along, and offers none to keep', () => {
  const command = { command: 'make test', shell: 'login' as const }
  expect(verdict(command, 'safe', [allowLs])).toBe('ask')
  expect(decideRemote({ ...base, ...command }, policy('safe'), host)).toMatchObject({ offers: [], targets: [] })
  expect(verdict(command, 'all', [{ ...allowLs, verdict: 'deny' }])).toBe('deny')
})
