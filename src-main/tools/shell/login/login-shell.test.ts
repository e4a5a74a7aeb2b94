// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of shells
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLoginShell, type LoginShell } from './login-shell'
import { type Bench, openBench } from './test-bench'
import { nvmLike } from './test-login-files'

const patience = { timeout: 60_000, interval: 50 }
const longer = 120_000
let bench: Bench
let shell: LoginShell
let problems: string[]

beforeEach(() => {
  bench = openBench('/bin/bash', '.bash_profile')
  problems = []
  shell = createLoginShell({
    node: bench.node,
    folder: bench.folder,
    env: bench.env,
    onProblem: (problem) => problems.push(problem),
  })
})
afterEach(async () => {
  shell.close()
  await bench.close()
})

const readsFiles = (command: string, env = {}) => shell.start(command, env).argv[1] === '-lc'
const untilTaken = (command = 'true') => vi.waitFor(() => expect(readsFiles(command)).toBe(false), patience)

test(
  'commands are started from a snapshot once there is one, and see what login files set from the moment they change',
  async () => {
    bench.install(nvmLike)
    expect(shell.start('node', {}).argv).toEqual(['/bin/bash', '-lc', 'node'])
    await untilTaken()
    expect(await bench.run(shell.start('node; nvm current', {}))).toBe('node 20\r\nv20.1.0/bin\r\nexit 0')
    // A file that is not named anywhere: the login files read it.
    bench.write('.nvm/alias/default', 'v22.0.0\n')
    expect(readsFiles('node')).toBe(true)
    expect(await bench.run(shell.start('node', {}))).toBe('node 22\r\nexit 0')
    await untilTaken()
    expect(await bench.run(shell.start('node', {}))).toBe('node 22\r\nexit 0')
  },
  longer,
)

test(
  'a command that brings along what the files set, or whose snapshot is gone, reads the files',
  async () => {
    bench.install({ profile: 'export ADDED=${GIVEN:-first}' })
    shell.start('true', {})
    await untilTaken()
    expect(readsFiles('true', { OTHER: 'x' })).toBe(false)
    expect(readsFiles('true', { ADDED: 'mine' })).toBe(true)
    shell.close()
    expect(await bench.run(shell.start('echo $ADDED', {}))).toBe('first\r\nexit 0')
  },
  longer,
)

test(
  'why there is no snapshot is told once, and commands go on reading the files',
  async () => {
    bench.install({ profile: 'echo welcome' })
    shell.start('true', {})
    shell.start('true', {})
    await vi.waitFor(() => expect(problems).toEqual(['the login files print something']), patience)
    expect(await bench.run(shell.start('echo me', {}))).toBe('welcome\r\nme\r\nexit 0')
    expect(problems).toHaveLength(1)
  },
  longer,
)

test(
  'nothing is left when it is closed, and what a crash left is removed',
  async () => {
    bench.install({ profile: 'export ADDED=1' })
    mkdirSync(join(bench.folder, '4194303'), { recursive: true })
    shell.start('true', {})
    await untilTaken()
    expect(readdirSync(bench.folder)).toEqual([`${process.pid}`])
    shell.close()
    expect(readdirSync(bench.folder)).toEqual([])
  },
  longer,
)
