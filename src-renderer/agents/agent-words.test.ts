import { expect, test } from 'vitest'
import type { AgentFile } from '../../src-preload/contract/agents'
import { agentIdError, filePathError, groupFiles, isConflict } from './agent-words'

const file = (path: string, kind: AgentFile['kind']): AgentFile => ({
  path,
  kind,
  purpose: '',
  exists: true,
  size: 1,
  modifiedAt: 0,
})

test('files stand under what they are for, notes newest first', () => {
  const files = [
    file('memory/2026-11-14.md', 'note'),
    file('SOUL.md', 'prompt'),
    file('memory/2026-11-16.md', 'note'),
    file('list.md', 'other'),
  ]
  expect(groupFiles(files).map(({ label, files: inside }) => [label, ...inside.map(({ path }) => path)])).toEqual([
    ['In every prompt', 'SOUL.md'],
    ['Daily notes', 'memory/2026-11-16.md', 'memory/2026-11-14.md'],
    ['Other files', 'list.md'],
  ])
})

test('a conflict is a file that changed to something else while it was written', () => {
  const draft = { base: 'old', text: 'mine' }
  expect([
    isConflict(undefined, 'x'),
    isConflict(draft, 'old'),
    isConflict(draft, 'mine'),
    isConflict(draft, 'theirs'),
  ]).toEqual([false, false, false, true])
})

test('names that an agent or a file cannot have', () => {
  expect(['main', 'My', '-a', '', 'research-2'].filter((id) => !agentIdError(id, ['main']))).toEqual(['research-2'])
  expect(['', '/etc/x.md', '../x.md', 'run.sh', 'a/B.md'].filter((path) => !filePathError(path))).toEqual(['a/B.md'])
})
