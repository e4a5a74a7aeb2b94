import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFixture, type Fixture } from './fixture'
import { printsStrangersWords } from './strangers-words'

let fixture: Fixture
beforeAll(() => {
  fixture = createFixture()
})
afterAll(() => fixture.remove())
const prints = (command: string): boolean => printsStrangersWords(fixture.command(command).subCommands)

test.each([
  'curl https://example.com',
  'curl -s https://example.com | jq .',
  'wget -qO- https://example.com',
  'gh issue view 5',
  'gh pr list',
  'ls && /usr/bin/curl https://example.com',
])('what strangers wrote is printed: %s', (command) => {
  expect(prints(command)).toBe(true)
})

test.each(['ls', 'cat README.md', 'git log', 'npm install', 'npm test', 'echo curl https://example.com'])(
  'nothing from outside is printed: %s',
  (command) => {
    expect(prints(command)).toBe(false)
  },
)
