import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decide } from '../../approval/decide'
import { localFileView } from '../../approval/paths/file-view'
import type { Access } from '../../approval/types'
import { lookAtCommit } from './commit-look'

let folder: string
let root: string
const git = (...args: string[]): void => {
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y.test', ...args], { cwd: folder, stdio: 'ignore' })
}
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-commit-')))
  folder = root
  git('init', '-q', '.')
  writeFileSync(join(folder, 'a.txt'), 'hello\n')
  git('add', '.')
  git('commit', '-qm', 'one')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const key = `sk-ant-${'abcd1234'.repeat(5)}`
const look = (command: string): Promise<string | null> =>
  lookAtCommit({ action: 'exec', node: 'local', workspace: folder, cwd: folder, command }, (access: Access) =>
    decide(
      access,
      { mode: 'safe', rules: [], sessionId: 's', now: 1 },
      localFileView(tmpdir(), process.env.PATH ?? ''),
    ),
  )

test('a commit that would hold a key is told of, staged or not, new or changed', async () => {
  expect(await look('git commit -m x')).toBeNull()
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/client.ts'), `const key = '${key}'\n`)
  expect(await look('git add . && git commit -m x')).toBe(
    'The commit would hold a key of a model provider: src/client.ts',
  )
  git('add', '.')
  expect(await look('git commit -am x')).toContain('src/client.ts')
  git('commit', '-qm', 'two')
  expect(await look('git commit -m x')).toBeNull()
  writeFileSync(join(folder, 'a.txt'), '-----BEGIN OPENSSH PRIVATE KEY-----\n')
  expect(await look('git -C . commit -a -m x')).toBe('The commit would hold a private key: a.txt')
})

test('a file that is secret by its name counts too, and other commands do not', async () => {
  writeFileSync(join(folder, '.env'), 'A=1\n')
  expect(await look('git commit -am x')).toBe('The commit would hold a secret: .env')
  expect(await look('git status')).toBeNull()
  writeFileSync(join(folder, '.gitignore'), '.env\n')
  expect(await look('git commit -am x')).toBeNull()
})

test('nothing is run in a repository that would run something itself', async () => {
  writeFileSync(join(folder, 'b.txt'), key)
  git('config', 'core.fsmonitor', `touch ${join(folder, 'ran')}`)
  expect(await look('git commit -am x')).toBeNull()
})

test('no filter is run, also none that the user has set up', async () => {
  const ran = join(root, 'ran')
  writeFileSync(join(folder, '.gitattributes'), '* filter=f\n')
  git('add', '.')
  git('commit', '-qm', 'two')
  writeFileSync(join(root, 'global'), `[filter "f"]\n\tclean = touch ${ran}; cat\n`)
  writeFileSync(join(folder, 'a.txt'), `${key}\n`)
  process.env.GIT_CONFIG_GLOBAL = join(root, 'global')
  try {
    expect(await look('git commit -am x')).toContain('a.txt')
  } finally {
    delete process.env.GIT_CONFIG_GLOBAL
  }
  expect(existsSync(ran)).toBe(false)
})

test('a first commit is looked at as well', async () => {
  folder = join(root, 'fresh')
  mkdirSync(folder)
  git('init', '-q', '.')
  writeFileSync(join(folder, 'b.txt'), key)
  expect(await look('git add . && git commit -m x')).toContain('b.txt')
  git('add', '.')
  expect(await look('git commit -m x')).toContain('b.txt')
})

test('where there is no repository there is nothing to say', async () => {
  rmSync(join(folder, '.git'), { recursive: true })
  expect(await look('git init && git add . && git commit -m x')).toBeNull()
  folder = join(folder, 'gone')
  expect(await look('git commit -m x')).toBeNull()
})

test('ordinary code is not taken for a key', async () => {
  writeFileSync(join(folder, 'b.ts'), `const token = process.env.TOKEN\nconst password: string = ask('sk-…')\n`)
  expect(await look('git commit -am x')).toBeNull()
})
