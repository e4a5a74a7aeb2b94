import { expect, it } from 'vitest'
import type { InstructionFile } from '../../src-preload/contract/instructions'
import { filesLabel, sourceWords } from './instruction-words'

const file = (path: string, source: InstructionFile['source'], more: Partial<InstructionFile> = {}) => ({
  path,
  source,
  chars: 10,
  cut: false,
  ...more,
})

it('names the file of the folder first, and how many more there are', () => {
  expect(filesLabel([file('~/.agents/AGENTS.md', 'user')])).toBe('~/.agents/AGENTS.md')
  expect(
    filesLabel([file('~/.agents/AGENTS.md', 'user'), file('AGENTS.md', 'folder'), file('a/AGENTS.md', 'below')]),
  ).toBe('AGENTS.md and 2 more')
})

it('says where a file comes from', () => {
  expect(sourceWords(file('x.md', 'folder', { importedBy: 'CLAUDE.md' }))).toBe('imported by CLAUDE.md')
  expect(sourceWords(file('AGENTS.md', 'folder', { cut: true }))).toBe(
    'in this folder; too long, so the agent gets its beginning',
  )
})
