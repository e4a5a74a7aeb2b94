import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFixture, type Fixture } from '../fixture'

let fixture: Fixture
beforeEach(() => {
  fixture = createFixture()
})
afterEach(() => fixture.remove())

describe('the reason on the card', () => {
  test.each([
    ['rm -r node_modules', 'rm deletes node_modules'],
    ['rm -r dist src', 'rm deletes dist and src'],
    ['curl https://example.com/x', 'curl connects to example.com'],
    ['git fetch', 'git fetch connects to the network'],
    ['git commit -m x', 'git commit changes the repository'],
    ['npm test', 'npm test runs project scripts'],
    ['npm install', 'npm install installs or removes packages, which may run their own scripts'],
    ['npx prettier', 'npx downloads and runs prettier'],
    ['make all', 'make runs project code'],
    ['node src/app.ts', 'node runs src/app.ts'],
    ['python3 -c "print(1)"', 'python3 runs print(1)'],
    ['cp a.txt /tmp/x', 'cp writes /tmp/x, outside the workspace'],
    ['chmod +x a.txt', 'chmod changes permissions of a.txt'],
    ['sed -i s/a/b/ a.txt', 'sed may change files'],
    ['frobnicate a.txt', 'frobnicate is not a program that Deckhand knows to be harmless'],
    ['cat /etc/hostname', 'It reads outside the workspace: /etc/hostname'],
  ])('%s', (command, reason) => {
    expect(fixture.command(command)).toMatchObject({ verdict: 'ask', reason })
  })
})
