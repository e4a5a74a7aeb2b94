import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { learnLogin } from './learn-login'
import { createLoginShell, type ShellStart } from './login-shell'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'deckhand-login-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const patience = { timeout: 20_000 }
const environment = () => ({ HOME: home, PATH: process.env.PATH ?? '', SHELL: '/bin/bash', KEPT: 'before' })
const profile = (text: string) => writeFileSync(join(home, '.bash_profile'), text)
const outputOf = ({ argv: [file, ...args], env }: ShellStart) =>
  execFileSync(file, args, { env: { ...environment(), ...env }, encoding: 'utf8' })

test('what login files add to the environment is learnt', async () => {
  profile('export ADDED="two\nlines" KEPT=changed\nPATH="$HOME/bin:$PATH"')
  const learnt = await learnLogin('/bin/bash', environment())
  expect(learnt).toMatchObject({ ADDED: 'two\nlines', KEPT: 'changed' })
  expect(learnt?.PATH).toMatch(`${home}/bin:`)
})

test.each([
  ['a function', 'greet() { echo hello; }'],
  ['an alias', 'alias ll="ls -l"'],
  ['an option', 'set -o pipefail'],
  ['a shell option', 'shopt -s extglob'],
  ['a variable of its own', 'colour=red'],
  ['a trap', 'trap "echo bye" EXIT'],
  ['a mask for new files', 'umask 0007'],
  ['a variable that it takes away', 'unset KEPT'],
  ['something else each time', 'export MOMENT=$$'],
  ['a file for other shells', 'export BASH_ENV="$HOME/other"'],
  ['an end', 'exit 1'],
])('nothing is learnt of files that leave behind %s', async (_what, text) => {
  profile(text)
  expect(await learnLogin('/bin/bash', environment())).toBeNull()
})

test('other shells are not asked', async () => {
  expect(await learnLogin('/bin/sh', environment())).toBeNull()
})

test('commands see the same whether the files were read for them or not, and soon when the files change', async () => {
  profile('export ADDED=first')
  const start = createLoginShell(environment())
  const command = 'echo $ADDED'
  expect(start(command, {}).argv).toEqual(['/bin/bash', '-lc', command])
  await vi.waitFor(
    () => expect(start(command, {}).argv).toEqual(['/bin/bash', '--noprofile', '-lc', command]),
    patience,
  )
  expect(outputOf(start(command, { OTHER: 'x' }))).toBe('first\n')
  expect(start(command, { ADDED: 'mine' }).argv[1]).toBe('-lc')

  profile('export ADDED="the second"')
  await vi.waitFor(() => expect(outputOf(start(command, {}))).toBe('the second\n'), patience)
  await vi.waitFor(() => expect(start(command, {}).env).toMatchObject({ ADDED: 'the second' }), patience)
})
