import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandEnv } from '../command-env'
import { localShell } from '../shell/remote-shell'
import { createSharedPane } from './shared-pane'

let home: string
let env: Record<string, string>
let pane: ReturnType<typeof createSharedPane>

const tmux = (...args: string[]) => execFileSync('tmux', args, { env, encoding: 'utf8' })

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'deckhand-pane-'))
  env = commandEnv(process.env, { HOME: home, TMUX_TMPDIR: home, SHELL: '/bin/sh' })
  pane = createSharedPane(localShell(env), { own: 'buddy-test' })
})
afterEach(() => {
  pane.close()
  execFileSync('sh', ['-c', 'tmux kill-server 2>/dev/null || true'], { env })
  // A shell that was ended still writes its history while its home is being removed.
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

const text = async (command: string) => {
  const { exitCode, stdout, stderr } = await pane.run(command)
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}

test('a command runs in a pane that others can see, and its streams come back apart', async () => {
  expect(await text('echo out; echo err >&2; exit 3')).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err\n' })
  const seen = tmux('capture-pane', '-p', '-J', '-t', 'buddy-test:buddy-shared')
  expect(seen).toContain('[deckhand 1: begin] echo out; echo err >&2; exit 3')
  expect(seen).toContain('out')
  expect(seen).toContain('err')
  expect(seen).toContain('[deckhand 1: end 3]')
}, 60_000)

test('quotes, line breaks, backslashes and other alphabets arrive as they are', async () => {
  const command = `printf '%s|' "it's" 'a\\nb' "$HOME" 'ü漢字🚢' \\\\ ; echo\ncat <<'END'\nlast \\t line;\nEND`
  expect(await text(command)).toEqual({
    exitCode: 0,
    stdout: `it's|a\\nb|${home}|ü漢字🚢|\\|\nlast \\t line;\n`,
    stderr: '',
  })
}, 60_000)

test('megabytes and bytes of every kind come back whole, without the pane wrapping them', async () => {
  const { stdout } = await pane.run(`head -c 3000000 /dev/zero | tr '\\0' x; printf '\\000\\377\\n'`)
  expect(stdout.length).toBe(3_000_003)
  expect(stdout.subarray(-3)).toEqual(Buffer.from([0, 255, 10]))
}, 60_000)

test('a command runs in the folder that it is given', async () => {
  const { exitCode, stdout } = await pane.run('pwd; cd /; exit 5', { cwd: home })
  expect([exitCode, stdout.toString()]).toEqual([5, `${home}\n`])
  const missing = await pane.run('echo ran', { cwd: join(home, 'missing') })
  expect([missing.exitCode, missing.stdout.toString()]).toEqual([1, ''])
  expect(missing.stderr.toString()).toContain('missing')
}, 60_000)

test('what is given as input is read, and is gone afterwards', async () => {
  const bytes = Buffer.from([0, 1, 2, 255, 10, 13])
  expect((await pane.run('cat', { stdin: bytes })).stdout).toEqual(bytes)
}, 60_000)

test('a command that takes too long is left running, and the pane says so', async () => {
  await expect(pane.run('echo started; read line; echo "got $line"', { timeoutMs: 700 })).rejects.toMatchObject({
    kind: 'timeout',
  })
  await expect(pane.run('echo second')).rejects.toMatchObject({ kind: 'busy' })
  await pane.sendKeys({ text: 'word', enter: true })
  await expect.poll(async () => (await pane.capture({})).text, { timeout: 20_000 }).toContain('got word')
  await expect
    .poll(() => text('echo third').catch((error) => error.kind), { timeout: 20_000 })
    .toMatchObject({
      stdout: 'third\n',
    })
}, 60_000)

test('a key interrupts what runs, and its code says so', async () => {
  const running = text('sleep 60')
  await expect.poll(async () => (await pane.capture({})).text, { timeout: 20_000 }).toContain('begin] sleep 60')
  // The mark is printed a moment before the command starts.
  await new Promise((resolve) => setTimeout(resolve, 300))
  await pane.sendKeys({ keys: ['C-c'] })
  expect(await running).toMatchObject({ exitCode: 130 })
}, 60_000)

test('a password is not for the agent to type, and can be got out of', async () => {
  const hidden = `stty -echo; printf 'pass%s: ' word; read hidden; stty echo; echo; echo "got $hidden"`
  const asked = () =>
    expect.poll(async () => (await pane.capture({})).text, { timeout: 20_000 }).toMatch(/password: $/m)
  const running = text(hidden)
  await asked()
  await expect(pane.sendKeys({ text: 'guess', enter: true })).rejects.toMatchObject({ name: 'SecretInputError' })
  tmux('send-keys', '-t', 'buddy-test:buddy-shared', 'sesame', 'Enter')
  expect((await running).stdout).toContain('got sesame\n')
  tmux('send-keys', '-t', 'buddy-test:buddy-shared', 'clear', 'Enter')
  await expect.poll(async () => (await pane.capture({})).text, { timeout: 20_000 }).not.toContain('password')
  const second = text(hidden)
  await asked()
  await pane.sendKeys({ keys: ['C-c'] })
  expect(await second).toMatchObject({ exitCode: 130 })
}, 60_000)

test('a command that nobody waits for is typed into the pane, unless something else would read it', async () => {
  expect(await pane.dispatch('sleep 30;')).toMatch(/^%\d+$/)
  await expect.poll(() => pane.dispatch('echo no').catch((error) => error.kind), { timeout: 20_000 }).toBe('busy')
  await pane.sendKeys({ keys: ['C-c'] })
  await expect
    .poll(() => pane.dispatch('echo one-$((1+1))').catch((error) => error.kind), { timeout: 20_000 })
    .toMatch(/^%/)
  await expect.poll(async () => (await pane.capture({})).text, { timeout: 20_000 }).toContain('one-2')
}, 60_000)

test('a line that the shell has thrown away is typed again, and runs once', async () => {
  mkdirSync(join(home, 'bin'))
  // Behaves like a shell that is interrupted at the wrong moment; its name makes it count as a shell.
  writeFileSync(join(home, 'bin/sh'), '#!/bin/sh\nIFS= read -r lost\nexec /bin/sh\n', { mode: 0o755 })
  env.SHELL = join(home, 'bin/sh')
  expect(await text(`echo run >>${home}/runs; sleep 1; cat ${home}/runs`)).toMatchObject({ stdout: 'run\n' })
  expect(await text(`cat ${home}/runs`)).toMatchObject({ stdout: 'run\n' })
}, 60_000)

test.each(['/bin/sh', '/bin/bash'])(
  'nothing is lost behind an interrupt of the user: %s',
  async (shell) => {
    env.SHELL = shell
    await pane.run('true')
    for (let round = 1; round <= 8; round++) {
      tmux('send-keys', '-t', 'buddy-test:buddy-shared', 'C-c')
      expect(await text(`echo run-${round}`)).toMatchObject({ stdout: `run-${round}\n` })
      tmux('send-keys', '-t', 'buddy-test:buddy-shared', 'C-c')
      await pane.dispatch(`echo typed-$((${round}+100)) $(echo whole)`)
      await expect
        .poll(async () => (await pane.capture({})).text, { timeout: 20_000 })
        .toMatch(new RegExp(`^typed-${round + 100} whole$`, 'm'))
      await pane.sendKeys({ keys: ['C-c'] })
      await pane.sendKeys({ text: `echo sent-$((${round}+100))`, enter: true })
      await expect
        .poll(async () => (await pane.capture({})).text, { timeout: 20_000 })
        .toMatch(new RegExp(`^sent-${round + 100}$`, 'm'))
    }
  },
  120_000,
)

test('long lines are joined unless they should not be, and a screen that is not there falls back', async () => {
  await pane.run(`printf '%0300d\\n' 7`)
  const digits = `${'0'.repeat(299)}7`
  expect((await pane.capture({ start: '-' })).text).toContain(digits)
  expect((await pane.capture({ start: '-', joinWrapped: false })).text).not.toContain(digits)
  expect(await pane.capture({ alternateScreen: true })).toMatchObject({ fellBack: true })
  await expect(pane.capture({ target: 'no-such-session:9' })).rejects.toMatchObject({ kind: 'failed' })
}, 60_000)

test('a pane that vanished is made again', async () => {
  await pane.run('true')
  tmux('kill-session', '-t', 'buddy-test')
  tmux('new-session', '-d', '-s', 'other')
  expect(await text('echo again')).toMatchObject({ stdout: 'again\n' })
  expect((await pane.targets()).map(({ window }) => window.split(':')[0]).sort()).toEqual(['buddy-test', 'other'])
}, 60_000)

test('a session that is there is used again', async () => {
  const first = await pane.run('cd /; echo here').then(() => tmux('list-panes', '-a', '-F', '#{pane_id}'))
  const second = createSharedPane(localShell(env), { own: 'buddy-test' })
  await second.run('true')
  second.close()
  expect(tmux('list-panes', '-a', '-F', '#{pane_id}')).toBe(first)
}, 60_000)
