import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFixture, type Fixture } from '../fixture'
import { printsForeignText } from './foreign-text'

let fixture: Fixture
beforeAll(() => {
  fixture = createFixture()
})
afterAll(() => fixture.remove())
const prints = (command: string): boolean => printsForeignText(fixture.command(command).subCommands)

test.each([
  'curl https://example.com',
  'curl -s https://example.com | jq .',
  'wget -qO- https://example.com',
  'gh issue view 5',
  'gh pr list',
  'ls && /usr/bin/curl https://example.com',
  'git log origin/main',
  'git log HEAD..origin/main',
  'git -C sub show upstream/dev:README.md',
  'git diff main...origin/feature',
  'git log --all --oneline',
  'git show FETCH_HEAD',
  'git log @{u}',
  'npm view left-pad readme',
  'himalaya list',
])('what strangers wrote is printed: %s', (command) => {
  expect(prints(command)).toBe(true)
})

test.each([
  'ls',
  'cat README.md',
  'git log',
  'git log origin/main..HEAD',
  'git diff origin/main...HEAD --stat',
  'git show HEAD:src/origin.ts',
  'git status',
  'npm install',
  'npm test',
  'echo curl https://example.com',
])('nothing from outside is printed: %s', (command) => {
  expect(prints(command)).toBe(false)
})
