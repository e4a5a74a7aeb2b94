import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gitIn } from '../../test-folder'
import { createFixture, type Fixture } from '../fixture'
import { readGitIndex } from './git-index'

let fixture: Fixture
const git = (...args: string[]): string => gitIn(fixture.workspace, fixture.home, args)

beforeAll(() => {
  fixture = createFixture()
  for (const path of ['.env', 'deep/er/id_rsa', 'deep/er/plain.ts', 'inner/x']) fixture.write(path)
  git('init', '-q')
  git('-C', 'inner', 'init', '-q')
  git('-C', 'inner', 'add', '-A')
  git('-C', 'inner', 'commit', '-qm', 'x')
  git('-c', 'advice.addEmbeddedRepo=false', 'add', '-Af')
})
afterAll(() => fixture.remove())

describe.each(['2', '3', '4'])('version %s', (version) => {
  test('names what looks secret and what is a repository of its own', () => {
    git('update-index', '--index-version', version)
    if (version === '3') git('update-index', '--skip-worktree', 'a.txt')
    const index = readGitIndex(readFileSync(join(fixture.workspace, '.git/index')))
    expect(index).toEqual({
      secrets: ['.env', 'deep/er/id_rsa'].map((path) => ({ path, id: git('rev-parse', `:${path}`).trim() })),
      submodules: ['inner'],
      incomplete: false,
    })
  })
})

test('an index that is shared is incomplete', () => {
  git('update-index', '--split-index')
  expect(readGitIndex(readFileSync(join(fixture.workspace, '.git/index')))).toMatchObject({ incomplete: true })
})

test('anything else is no index', () => {
  expect(readGitIndex(Buffer.from('DIRC'))).toBeNull()
  expect(readGitIndex(Buffer.from('hello, this is no index at all'))).toBeNull()
  expect(readGitIndex(Buffer.from('DIRC\0\0\0\x02\0\0\0\x09 cut'))).toBeNull()
})
