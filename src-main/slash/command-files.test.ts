import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { commandFiles, expandCommand } from './command-files'

let root = ''
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const list = () =>
  commandFiles({ own: join(root, 'own'), home: join(root, 'home') }).list({
    sessionId: 's',
    workspace: join(root, 'project'),
    agentId: 'main',
  })
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-commands-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('finds commands in our folder, in the home folder and in the project, with what their heads say', async () => {
  write('own/fix.md', '---\ndescription: Fix an issue\nargument-hint: [number] [priority]\n---\nFix $1 with $2.')
  write('home/.claude/commands/git/tidy.md', '# Tidy up\nDo it.')
  write('project/.claude/commands/go.md', 'Go to $ARGUMENTS.')
  write('project/.agents/commands/run.md', '---\nbroken: [\n---\nRun.')
  write('project/.claude/commands/notes.txt', 'no')
  expect((await list()).map(({ expand: _, ...entry }) => entry)).toEqual([
    { name: 'fix', description: 'Fix an issue', hint: '[number] [priority]', from: 'your commands', untrusted: false },
    { name: 'git:tidy', description: 'Tidy up', hint: '', from: '~/.claude/commands', untrusted: false },
    { name: 'run', description: 'Run.', hint: '', from: 'this project', untrusted: true },
    { name: 'go', description: 'Go to $ARGUMENTS.', hint: '[arguments]', from: 'this project', untrusted: true },
  ])
  const [fix] = await list()
  expect(await fix?.expand('12 "very high"', AbortSignal.timeout(1000))).toEqual({ text: 'Fix 12 with very high.' })
})

it('a project cannot lead out of its folder by a link, and nothing blocks', async () => {
  write('secret.md', 'secret')
  write('project/.claude/commands/a.md', 'A.')
  symlinkSync(join(root, 'secret.md'), join(root, 'project/.claude/commands/b.md'))
  execFileSync('mkfifo', [join(root, 'project/.claude/commands/c.md')])
  write('project/.claude/commands/d.md', 'x'.repeat(300_000))
  expect((await list()).map(({ name }) => name)).toEqual(['a'])
})

it('puts arguments where they belong, and behind a text that names none', () => {
  expect(expandCommand('All: $ARGUMENTS; second: $2; $10; first: $ARGUMENTS[0]', 'a b')).toBe(
    'All: a b; second: b; $10; first: a',
  )
  expect(expandCommand('Nothing here', 'x y')).toBe('Nothing here\n\nARGUMENTS: x y')
  expect(expandCommand('Nothing here', '')).toBe('Nothing here')
  // Arguments are not looked at again: they may hold the same signs.
  expect(expandCommand('$1', '$ARGUMENTS other')).toBe('$ARGUMENTS')
})

it('runs no command by itself: the model does, through the approvals', () => {
  expect(expandCommand('Status: !`git status`', '')).toContain('run it yourself first')
})
