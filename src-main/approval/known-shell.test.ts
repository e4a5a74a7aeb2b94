import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rule } from '../../src-preload/contract/approval'
import { decide } from './decide'
import { createFixture, type Fixture } from './fixture'
import { inKnownShell, throughLoginShell } from './known-shell'

let fixture: Fixture
beforeAll(() => {
  fixture = createFixture()
})
afterAll(() => fixture.remove())

test("a command is run without the options, functions and start-up files of the user's shell", () => {
  const profile = `shopt -s dotglob\nls() { echo a function; }\nexport -f ls\nexport KEPT=yes\n`
  writeFileSync(join(fixture.home, '.bash_profile'), profile)
  fixture.write('plain/.hidden')
  const run = (command: string): string =>
    execFileSync('bash', ['-lc', throughLoginShell(command)], {
      cwd: join(fixture.workspace, 'plain'),
      env: { HOME: fixture.home, PATH: process.env.PATH ?? '' },
      encoding: 'utf8',
    })
  expect(run(`echo *; ls -A; echo "it's $KEPT"`)).toBe("*\n.hidden\nit's yes\n")
})

test('what the mode lets through is marked for it, what a rule lets through is not', () => {
  expect(fixture.command('ls &> /dev/null')).toMatchObject({ verdict: 'allow', knownShell: true })
  expect(fixture.command('touch a.txt', 'workspace')).toMatchObject({ verdict: 'allow', knownShell: true })
  expect(fixture.command('make test', 'all').knownShell).toBeUndefined()
})

const rule: Rule = {
  id: 'r',
  scope: 'session',
  subject: 'session',
  verdict: 'allow',
  action: 'exec',
  match: { kind: 'prefix', argv: ['frobnicate', 'test'] },
  sentence: 'Always allow frobnicate',
  createdAt: 0,
  expiresAt: null,
  lastUsedAt: null,
  useCount: 0,
}

test('a rule does not allow what the shells read differently', () => {
  expect(fixture.command('frobnicate test', 'safe', {}, [rule])).toMatchObject({ verdict: 'allow' })
  expect(fixture.command('frobnicate test &> /dev/null touch x', 'safe', {}, [rule])).toMatchObject({ verdict: 'ask' })
  expect(fixture.command('frobnicate test <1-9>/dev/null', 'safe', {}, [rule])).toMatchObject({ verdict: 'ask' })
})

test('where there is no bash, only what every shell reads alike runs unasked', () => {
  const { workspace, files } = fixture
  const without = { ...files, lstat: (path: string) => (path.endsWith('/bash') ? null : files.lstat(path)) }
  const said = (command: string) =>
    decide({ action: 'exec', node: 'local', cwd: workspace, workspace, command }, fixture.policy('safe'), without)
      .verdict
  expect(said('ls > /dev/null 2>&1')).toBe('allow')
  expect(said('ls &> /dev/null')).toBe('ask')
  expect(said('cat <<< x')).toBe('ask')
})

test('what dash would run behind &> counts as danger', () => {
  expect(fixture.command('ls &>/dev/null rm -rf ~', 'all')).toMatchObject({ verdict: 'ask', typedWord: 'delete' })
})

test('the argv is plain', () => {
  expect(inKnownShell('ls')).toEqual([expect.stringMatching(/bash$/), '--norc', '--noprofile', '-p', '-c', 'ls'])
})
