import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { throughLoginShell } from '../approval/known-shell'
import { QUIET_ENVIRONMENT } from '../approval/programs/registry'
import { makeFolder, removeFolder } from '../test-folder'
import { createPlainSettings } from './plain-settings'

let root: string
let home: string
let work: string
let marker: string
let now: number

beforeEach(() => {
  root = makeFolder('settings')
  home = join(root, 'hôme')
  work = join(root, 'work')
  marker = join(root, 'marker')
  now = 0
  for (const folder of [home, work]) mkdirSync(folder)
  const program = join(root, 'program')
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >>${marker}\ncat "$1" 2>/dev/null\n`)
  chmodSync(program, 0o755)
  git('init', '-q', '-b', 'main')
  writeFileSync(join(work, '.gitattributes'), '*.bin diff=evil\n*.cmd diff=worse\n')
  const change = (text: string): void => {
    for (const name of ['a.txt', 'a.bin', 'a.cmd']) writeFileSync(join(work, name), text)
  }
  change('one\n')
  git('add', '.')
  commit('first')
  change('two\n')
  commit('second', '-a')
  change('three\n')
})
afterEach(() => removeFolder(root))

const identity = ['-c', 'user.name=n', '-c', 'user.email=e@example.com']
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: work, env: { PATH: process.env.PATH ?? '', HOME: home }, encoding: 'utf8' })
const commit = (message: string, ...more: string[]): string => git(...identity, 'commit', '-qm', message, ...more)

const settings = (env: Record<string, string> = {}) =>
  createPlainSettings({ home, folder: join(root, 'copies'), env, system: [join(root, 'system')], clock: () => now })

const own = (text: string): void => writeFileSync(join(home, '.gitconfig'), text)
const programs = (): string => `[diff]
  external = ${root}/program
[diff "evil"]
  textconv = ${root}/program
[diff "worse"]
  command = ${root}/program
[core]
  pager = ${root}/program
  fsmonitor = ${root}/program
  hooksPath = ${root}
[interactive]
  diffFilter = ${root}/program
[pager]
  diff = ${root}/program
  log = ${root}/program
[format]
  pretty = "%h %G? %s"
[gpg]
  program = ${root}/program
[credential]
  helper = store
[user]
  name = "Ünal \\"Q\\" # no comment"
  email = q@example.com
[alias]
  last = log -1 --oneline
`

/** Runs a command as one that the mode let through runs where there is no cage; what the program noted, and the output. */
function run(shell: string, command: string, variables: Readonly<Record<string, string>>) {
  rmSync(marker, { force: true })
  const text = throughLoginShell(command, { ...QUIET_ENVIRONMENT, ...variables })
  const { stdout, stderr } = spawnSync(shell, ['-lc', text], {
    cwd: work,
    env: { PATH: process.env.PATH ?? '', HOME: home, TERM: 'dumb', GIT_EXTERNAL_DIFF: join(root, 'program') },
    encoding: 'utf8',
  })
  return { ran: existsSync(marker), stdout, stderr }
}

const commands = [
  'git diff',
  'git diff HEAD~1 HEAD',
  'git diff --ext-diff --textconv',
  'git log -p --ext-diff',
  'git log -2',
  'git show --ext-diff HEAD',
  'git blame a.bin',
  'git log -G two',
  'git status && git diff',
  'cd . && git diff; git show --textconv HEAD:a.bin',
  'git diff | cat | git log -p --ext-diff | head -5',
  '(git diff) & wait',
  'for i in 1 2; do git diff; done',
  'if git diff; then git blame a.bin; fi',
  'x=$(git diff) && echo "$x"',
  'git -C . diff',
  'find . -maxdepth 0 -exec git diff \\;',
  'echo . | xargs git diff',
]

const shells = ['bash', 'dash', 'zsh'].filter((name) => !spawnSync(name, ['-c', 'true']).error)

describe.each(shells)('in %s', (shell) => {
  test.each(commands)("no program of the user's settings is started by %s", (command) => {
    own(programs())
    const { ran, stderr, stdout } = run(shell, command, settings().variables())
    expect({ ran, stderr }).toEqual({ ran: false, stderr: '' })
    expect(stdout.length).toBeGreaterThan(20)
  })

  test('start-up files do not bring them back', () => {
    own(programs())
    const lines = ['GIT_CONFIG_COUNT=0', `GIT_CONFIG_GLOBAL=${home}/.gitconfig`, `GIT_EXTERNAL_DIFF=${root}/program`]
    for (const name of ['.profile', '.zprofile'])
      writeFileSync(join(home, name), lines.map((each) => `export ${each}\n`).join(''))
    expect(run(shell, 'git diff && git blame a.bin', settings().variables())).toMatchObject({ ran: false, stderr: '' })
  })
})

test('the same settings start them where nothing is left out', () => {
  own(programs())
  expect(run('bash', 'git diff', {}).ran).toBe(true)
  expect(run('bash', 'git blame a.bin', {}).ran).toBe(true)
})

test('everything else is as the user has it', () => {
  own(programs())
  const { GIT_CONFIG_GLOBAL: copy = '' } = settings().variables()
  const list = (file: string) => git('config', '--file', file, '--list').split('\n')
  const left = list(join(home, '.gitconfig')).filter(
    (line) => !/^diff\.(?:external|.*\.(?:textconv|command))|^credential|^format\.pretty/.test(line),
  )
  expect(list(copy)).toEqual(left)
  expect(run('bash', 'git last', { GIT_CONFIG_GLOBAL: copy }).stdout).toContain('second')
})

test('files that are included are copied too, under the same conditions', () => {
  mkdirSync(join(home, 'more'))
  writeFileSync(join(home, 'more/diffs'), `[diff]\n external = ${root}/program\n[include]\n path = deeper\n`)
  writeFileSync(join(home, 'more/deeper'), `[diff "evil"]\n textconv = ${root}/program\n[user]\n email = deep@x\n`)
  writeFileSync(join(home, 'more/job'), '[user]\n name = Job\n')
  writeFileSync(join(home, 'more/other'), '[user]\n name = Other\n')
  own(
    `[include]\n path = ~/more/diffs\n[user]\n name = Own\n[includeIf "gitdir:${work}/"]\n path = more/job\n[includeIf "gitdir:./"]\n path = more/other\n`,
  )
  const variables = settings().variables()
  expect(run('bash', 'git diff && git blame a.bin', variables)).toMatchObject({ ran: false, stderr: '' })
  expect(run('bash', 'git config user.name; git config user.email', variables).stdout).toBe('Job\ndeep@x\n')
})

test('the settings of the machine count as well, those in the other usual place, and those that a variable names', () => {
  writeFileSync(join(root, 'system'), `[diff]\n external = ${root}/program\n`)
  mkdirSync(join(home, '.config/git'), { recursive: true })
  writeFileSync(join(home, '.config/git/config'), `[diff "evil"]\n textconv = ${root}/program\n`)
  const both = settings().variables()
  expect(Object.keys(both).sort()).toEqual(['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM'])
  expect(run('bash', 'git diff; git blame a.bin', both)).toMatchObject({ ran: false, stderr: '' })
  writeFileSync(join(root, 'named'), `[diff]\n external = ${root}/program\n`)
  const named = settings({ GIT_CONFIG_GLOBAL: join(root, 'named'), GIT_CONFIG_NOSYSTEM: '1' }).variables()
  expect(Object.keys(named)).toEqual(['GIT_CONFIG_GLOBAL'])
  expect(run('bash', 'git diff', named)).toMatchObject({ ran: false })
})

test('without such programs nothing is copied, and a change is noticed', () => {
  own('[user]\n name = Own\n[alias]\n d = diff\n')
  const plain = settings()
  expect(plain.variables()).toEqual({})
  expect(existsSync(join(root, 'copies'))).toBe(false)
  own(programs())
  now = 5000
  const first = plain.variables()
  expect(Object.keys(first)).toEqual(['GIT_CONFIG_GLOBAL'])
  own(programs().replace('q@example.com', 'r@example.com'))
  now = 10_000
  const second = plain.variables()
  expect(run('bash', 'git config user.email', second).stdout).toBe('r@example.com\n')
  // The one before may still be in use.
  expect(readdirSync(join(root, 'copies'))).toHaveLength(2)
  own('')
  now = 15_000
  expect(plain.variables()).toEqual({})
})

test('settings that git cannot read, that include themselves or that are missing do no harm', () => {
  own('[diff\n external = x')
  expect(settings().variables()).toEqual({})
  own(`[include]\n path = .gitconfig\n[diff]\n external = ${root}/program\n`)
  expect(run('bash', 'git diff', settings().variables()).ran).toBe(false)
  own('[include]\n path = ~/gone\n path = ~nobody/x\n[diff]\n external = x\n')
  expect(run('bash', 'git diff', settings().variables())).toMatchObject({ ran: false, stderr: '' })
})
