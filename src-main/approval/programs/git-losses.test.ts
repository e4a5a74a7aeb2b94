import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { gitIn } from '../../test-folder'
import { createFixture, type Fixture } from '../fixture'

let fixture: Fixture
const git = (...args: string[]): string => gitIn(fixture.workspace, fixture.home, args)
const word = (command: string): string | undefined => fixture.command(command, 'all').typedWord
const reason = (command: string): string => fixture.command(command, 'all').reason

beforeEach(() => {
  fixture = createFixture()
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'x')
})
afterEach(() => fixture.remove())

const THROWS_AWAY = [
  'git reset --hard',
  'git reset --hard HEAD~0',
  'git checkout .',
  'git checkout -- .',
  'git checkout -- a.txt',
  'git checkout HEAD -- a.txt',
  'git checkout a.txt',
  'git checkout -f main',
  'git checkout --force',
  "git checkout -- '*.txt'",
  'git restore .',
  'git restore a.txt',
  'git restore -SW a.txt',
  'git switch -f main',
  'git switch --discard-changes main',
  'git rm -f a.txt',
  'git rm -rf .',
  'git -C . reset --hard',
  'cd src && git reset --hard',
  'git worktree remove --force x',
  'git checkout-index -fa',
  'true; git reset --hard',
  'sh -c "git reset --hard"',
]

describe('changes that are not committed', () => {
  test.each(THROWS_AWAY)('%s asks for a word where there are some, and only there', (command) => {
    expect(word(command)).toBeUndefined()
    fixture.write('a.txt', 'changed\n')
    expect(word(command)).toBe('delete')
    expect(reason(command)).toMatch(/a\.txt/)
  })

  test('a file that was only touched is no loss', () => {
    utimesSync(join(fixture.workspace, 'a.txt'), 1, 1)
    expect(word('git reset --hard')).toBeUndefined()
  })

  test('what was added is lost by a hard reset', () => {
    fixture.write('new.txt')
    git('add', 'new.txt')
    expect(word('git reset --hard')).toBe('delete')
    expect(word('git reset')).toBeUndefined()
  })

  test.each([
    'git checkout -b new',
    'git restore --staged a.txt',
    'git rm --cached -f a.txt',
    'git reset --soft HEAD',
    'git checkout -- b.txt',
  ])('%s loses nothing', (command) => {
    fixture.write('a.txt', 'changed\n')
    expect(word(command)).toBeUndefined()
  })
})

test('clean asks where there are files that git does not know', () => {
  rmSync(join(fixture.workspace, 'dist'), { recursive: true })
  expect(word('git clean -fdx')).toBeUndefined()
  writeFileSync(join(fixture.workspace, '.gitignore'), 'ignored\n*.log\n')
  git('add', '-A')
  git('commit', '-qm', 'y')
  mkdirSync(join(fixture.workspace, 'ignored'))
  fixture.write('ignored/x')
  fixture.write('x.log')
  expect(word('git clean -fd')).toBeUndefined()
  expect(word('git clean -fdx')).toBe('delete')
  expect(word('git clean -ndx')).toBeUndefined()
  fixture.write('mine.txt')
  expect(word('git clean -fd')).toBe('delete')
  expect(reason('git clean --force')).toMatch(/mine\.txt/)
})

test('stashes and branches', () => {
  expect(word('git stash clear')).toBeUndefined()
  fixture.write('a.txt', 'changed\n')
  git('stash')
  expect(word('git stash clear')).toBe('delete')
  expect(word('git stash drop')).toBe('delete')
  git('pack-refs', '--all')
  expect(word('git stash clear')).toBe('delete')
  expect(word('git stash list')).toBeUndefined()
  for (const command of ['git branch -D x', 'git branch -d -f x', 'git branch --delete --force x'])
    expect({ command, word: word(command) }).toEqual({ command, word: 'delete' })
  expect(word('git branch -d x')).toBeUndefined()
  expect(word('git gc --prune=now')).toBe('delete')
  expect(word('git gc')).toBeUndefined()
})

test('deleting what a pipe names', () => {
  for (const command of [
    'find . -type f | xargs rm',
    'git ls-files | xargs rm -f',
    'ls | xargs rm -rf',
    "find src -name '*' | xargs rm",
    'find . | grep -v keep | xargs rm',
    'ls | parallel rm',
    'xargs rm < list',
  ])
    expect({ command, word: word(command) }).toEqual({ command, word: 'delete' })
  for (const command of [
    "find . -name '*.pyc' | xargs rm",
    'echo a.txt | xargs rm',
    "find . -name '*.o' | head | xargs rm -f",
    'git ls-files | xargs wc -l',
  ])
    expect({ command, word: word(command) }).toEqual({ command, word: undefined })
})

test('words are split at IFS', () => {
  for (const command of [
    'IFS=,; x=rm,-rf,/; $x',
    'IFS=:; c=rm:-rf:/; $c',
    'IFS=_; x=_rm_-rf_/home; $x',
    'export IFS=/; x="rm/-rf"; $x ~',
  ])
    expect({ command, word: word(command) }).toEqual({ command, word: 'delete' })
})
