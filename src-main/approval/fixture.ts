import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Rule } from '../../src-preload/contract/approval'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import { decide } from './decide'
import { localFileView } from './paths/file-view'
import type { Access, Decision, FileView, PathAccess, Policy } from './types'

/** A workspace, a home and something outside, as real files, for the tests of the gate. */
export interface Fixture {
  root: string
  workspace: string
  home: string
  outside: string
  files: FileView
  write(path: string, text?: string): void
  link(target: string, path: string): void
  command(command: string, mode?: ApprovalMode, more?: Partial<Access>, rules?: readonly Rule[]): Decision
  path(path: string, access: PathAccess['access'], mode?: ApprovalMode, rules?: readonly Rule[]): Decision
  policy(mode: ApprovalMode, rules?: readonly Rule[]): Policy
  remove(): void
}

export function createFixture(): Fixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-gate-')))
  const workspace = join(root, 'work', 'project')
  const home = join(root, 'home', 'user')
  const outside = join(root, 'outside')
  const files = localFileView(home, process.env.PATH ?? '')
  const write = (path: string, text = 'text\n'): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
  }
  for (const folder of [workspace, home, outside, join(workspace, 'src'), join(workspace, 'dist')])
    mkdirSync(folder, { recursive: true })
  for (const path of [
    'a.txt',
    'b.txt',
    'a.csv',
    'src/app.ts',
    'src/util.ts',
    'my file.txt',
    'package.json',
    'README.md',
    'sub/x.txt',
  ])
    write(path)
  writeFileSync(join(outside, 'plain.txt'), 'outside\n')

  const policy = (mode: ApprovalMode, rules: readonly Rule[] = []): Policy => ({
    mode,
    rules,
    sessionId: 'session',
    ownFolders: [join(home, '.config', 'deckhand')],
    now: 1_000,
  })
  return {
    root,
    workspace,
    home,
    outside,
    files,
    write,
    link: (target, path) => symlinkSync(target, join(workspace, path)),
    command: (command, mode = 'safe', more = {}, rules = []) =>
      decide(
        { action: 'exec', node: 'local', cwd: workspace, workspace, command, ...more },
        policy(mode, rules),
        files,
      ),
    path: (path, access, mode = 'safe', rules = []) =>
      decide(
        {
          action: access === 'read' ? 'read' : 'write',
          node: 'local',
          cwd: workspace,
          workspace,
          paths: [{ path, access }],
        },
        policy(mode, rules),
        files,
      ),
    policy,
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
