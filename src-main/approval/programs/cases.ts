import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFixture, type Fixture } from '../fixture'

/** Commands, one on each line, by what has to be said of them. */
interface Cases {
  /** Runs unasked. */
  reads?: string
  /** Does not run unasked. */
  asks?: string
  /** Asks for a typed word although everything is allowed. */
  danger?: string
  /** Runs when everything is allowed, and asks for no word in the usual mode. */
  ordinary?: string
}

/** Holds the gate against the cases of some programs; for tests beside their records. */
export function judges(what: string, cases: Cases): void {
  describe(what, () => {
    let fixture: Fixture
    beforeAll(() => {
      fixture = createFixture()
      addTraps(fixture)
    })
    afterAll(() => fixture.remove())
    if (cases.reads) test.each(lines(cases.reads))('reads: %s', (command) => expectReading(fixture, command))
    if (cases.asks) test.each(lines(cases.asks))('asks: %s', (command) => expectAsking(fixture, command))
    if (cases.danger) test.each(lines(cases.danger))('asks for a word: %s', (command) => expectDanger(fixture, command))
    if (cases.ordinary)
      test.each(lines(cases.ordinary))('is ordinary: %s', (command) => expectOrdinary(fixture, command))
  })
}

const lines = (text: string): string[] => text.trim().split('\n')

/** Adds what the gate must not be fooled by: secrets, links that lead out, files called like options, hostile repositories. */
export function addTraps(fixture: Fixture): void {
  fixture.write('.env', 'KEY=1\n')
  fixture.write('evil/.git/config', '[core]\n\tfsmonitor = "touch PWNED;:"\n')
  fixture.write('evil/.git/HEAD', 'ref: refs/heads/main\n')
  fixture.write('bare/HEAD', 'ref: refs/heads/main\n')
  fixture.write('bare/objects/x')
  fixture.write('build/x.o')
  fixture.write('keys2/server.pem', '')
  fixture.write('flags/-o', '')
  fixture.write('flags/z.txt', '')
  fixture.link('/etc/hostname', 'link.txt')
  fixture.link(fixture.outside, 'dlink')
  fixture.link('/nowhere/at-all', 'dangling')
  fixture.link('a.txt', 'inside-link')
  execFileSync('mkfifo', ['pipe'], { cwd: fixture.workspace })
}

export function expectReading(fixture: Fixture, command: string): void {
  const { verdict, reason } = fixture.command(command)
  expect({ verdict, reason }).toMatchObject({ verdict: 'allow' })
}

export function expectAsking(fixture: Fixture, command: string): void {
  const { verdict, reason } = fixture.command(command)
  expect({ verdict, reason }).not.toMatchObject({ verdict: 'allow' })
}

export function expectDanger(fixture: Fixture, command: string): void {
  const { verdict, typedWord, reason } = fixture.command(command, 'all')
  expect({ verdict, typedWord, reason }).toMatchObject({ verdict: 'ask', typedWord: expect.any(String) })
}

export function expectOrdinary(fixture: Fixture, command: string): void {
  const open = fixture.command(command, 'all')
  expect({ verdict: open.verdict, reason: open.reason }).toMatchObject({ verdict: 'allow' })
  const usual = fixture.command(command, 'safe')
  expect(usual.verdict).not.toBe('deny')
  expect(usual.typedWord).toBeUndefined()
}
