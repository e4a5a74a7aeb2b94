import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandEnv, inheritingCommand, withheldVariables, withholdVariable } from '../nodes/command-env'
import { isProcessAlive } from '../process-alive'
import { createKeySources } from './key-source'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-key-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const open = (env: Record<string, string> = {}, limitMs?: number) => {
  const hidden: string[] = []
  let time = 0
  const sources = createKeySources({
    env,
    shell: '/bin/sh',
    onKey: (key) => void hidden.push(key),
    onVariable: withholdVariable,
    now: () => time,
    ...(limitMs !== undefined && { limitMs }),
  })
  const later = (ms: number): void => {
    time += ms
  }
  return { ...sources, hidden, later }
}
const command = (text: string) => ({ kind: 'command' as const, command: text })

test('a key from an environment variable', async () => {
  const { read, hidden } = open({ MY_KEY: ' sk-from-env\n', EMPTY: '' })
  expect(await read({ kind: 'environment', name: 'MY_KEY' })).toBe('sk-from-env')
  expect(hidden).toEqual(['sk-from-env'])
  await expect(read({ kind: 'environment', name: 'NONE' })).rejects.toMatchObject({
    error: { kind: 'auth', message: expect.stringContaining('NONE, which should hold the key, is not set') },
  })
  await expect(read({ kind: 'environment', name: 'EMPTY' })).rejects.toThrow('is empty')
})

test('what is no key is told where it came from, and not shown', async () => {
  const { read, hidden } = open({ MY_KEY: 'two words' })
  await expect(read({ kind: 'environment', name: 'MY_KEY' })).rejects.toMatchObject({
    error: {
      kind: 'auth',
      message: expect.stringContaining('The environment variable MY_KEY holds characters that no key has'),
    },
  })
  await expect(read(command("echo 'Enter it: now'"))).rejects.toMatchObject({
    error: { kind: 'auth', message: expect.stringMatching(/^The command for the key .* wrote characters that no key/) },
  })
  expect(hidden).toEqual(['two words', 'Enter it: now'])
})

test('a variable that holds a key does not reach commands, whatever it is called', async () => {
  const env = { MODEL_LOGIN: 'hunter2-login', OTHER_LOGIN: 'hunter2-other', SHELL: '/bin/sh' }
  const { read, withhold } = open(env)
  const before = withheldVariables()
  expect(commandEnv(env)).toMatchObject(env)
  await read({ kind: 'environment', name: 'MODEL_LOGIN' })
  withhold({ kind: 'environment', name: 'OTHER_LOGIN' })
  withhold(command('pass show x'))
  expect(withheldVariables()).toBe(before + 2)
  expect(JSON.stringify(commandEnv(env))).not.toContain('hunter2')
  expect(inheritingCommand(env, ['ls'], {}).argv).toEqual(['env', '-u', 'MODEL_LOGIN', '-u', 'OTHER_LOGIN', 'ls'])
})

test('a key from a command is its first line, and the command is not run for every request', async () => {
  const counter = join(folder, 'runs')
  writeFileSync(counter, '')
  const { read, forget, hidden, later } = open()
  const source = command(`echo run >> ${counter}; printf 'sk-from-pass\\nurl: example.org\\n'`)
  const runs = () => readFileSync(counter, 'utf8').split('\n').length - 1
  expect(await Promise.all([read(source), read(source)])).toEqual(['sk-from-pass', 'sk-from-pass'])
  expect(await read(source)).toBe('sk-from-pass')
  expect(runs()).toBe(1)
  later(10 * 60_000)
  await read(source)
  expect(runs()).toBe(2)
  forget()
  await read(source)
  expect(runs()).toBe(3)
  expect(hidden).toContain('sk-from-pass')
})

test('a command that fails says why, without what it wrote to stdout', async () => {
  const { read } = open()
  const several = command('printf "hunter2-first\\nurl: x\\n"; echo "refused: hunter2-first" >&2; exit 3')
  await expect(read(several)).rejects.toThrow('refused: [hidden]')
  const failed = await read(
    command('echo sk-half-a-key; echo "Error: openai is not in the password store." >&2; exit 3'),
  ).catch((error: Error) => error)
  expect(failed).toMatchObject({ error: { kind: 'auth' } })
  expect(String(failed)).toContain('failed with exit code 3: Error: openai is not in the password store.')
  expect(String(failed).split('): ')[1] ?? '').not.toContain('sk-half-a-key')
  await expect(read(command('no-such-password-manager show'))).rejects.toThrow(/exit code 127: .*not found/)
  await expect(read(command('true'))).rejects.toThrow('wrote no key')
})

test('a command that does not end is ended, with what it started', async () => {
  const { read } = open({}, 300)
  const pidFile = join(folder, 'pid')
  await expect(read(command(`sleep 600 & echo $! > ${pidFile}; wait`))).rejects.toThrow('did not end within')
  const pid = Number(readFileSync(pidFile, 'utf8'))
  await expect.poll(() => isProcessAlive(pid)).toBe(false)
})
