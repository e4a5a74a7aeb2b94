import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { editorCommand } from './editor-command'
import { createEditors } from './editors'

let root: string
let setting = { editor: '', editorCommand: '' }
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-editors-'))
  for (const name of ['bin', 'home', 'work dir']) mkdirSync(join(root, name))
  writeFileSync(join(root, 'work dir/a $(touch pwned).txt'), 'one\ntwo\n')
  setting = { editor: '', editorCommand: '' }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const log = () => join(root, 'log')
/** A program that writes down what it was given, word by word. */
const install = (name: string, exit = 0) => {
  const program = join(root, 'bin', name)
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s\\n' "$0" "$@" > '${log()}.part'\nmv '${log()}.part' '${log()}'\nexit ${exit}\n`,
  )
  chmodSync(program, 0o755)
}
const editors = () =>
  createEditors({ searchPath: `${join(root, 'bin')}:relative`, home: join(root, 'home'), chosen: () => setting })
const folder = () => join(root, 'work dir')
const given = async () => {
  await expect.poll(() => existsSync(log())).toBe(true)
  return readFileSync(log(), 'utf8').trim().split('\n').slice(1)
}

test('what is installed is found, and the first of it opens the file at its line', async () => {
  install('code')
  install('zed')
  install('vim')
  expect((await editors().list()).filter(({ id }) => ['vscode', 'zed', 'vim'].includes(id))).toEqual([
    { id: 'vscode', name: 'VS Code', terminal: false },
    { id: 'zed', name: 'Zed', terminal: false },
    { id: 'vim', name: 'Vim in a terminal', terminal: true },
  ])
  setting.editor = 'vscode'
  await editors().open({ path: 'a $(touch pwned).txt', line: 2, column: 3, folder: folder() })
  // One word, whatever is in it: no shell reads it.
  expect(await given()).toEqual(['--goto', `${join(folder(), 'a $(touch pwned).txt')}:2:3`])
  expect(existsSync(join(folder(), 'pwned'))).toBe(false)
})

test('an editor of the terminal is a command for a terminal', async () => {
  install('vim')
  setting.editor = 'vim'
  const path = join(folder(), 'a $(touch pwned).txt')
  expect(await editors().open({ path, line: 7, folder: '/' })).toEqual({
    argv: [join(root, 'bin/vim'), '+7', path],
    title: 'vim a $(touch pwned).txt',
  })
})

test('a command of the user’s own is a program and its arguments', async () => {
  install('my edit')
  setting = { editor: 'custom', editorCommand: `"${join(root, 'bin/my edit')}" --at {line}:{column}` }
  await editors().open({ path: 'a $(touch pwned).txt', folder: folder() })
  expect(await given()).toEqual(['--at', '1:1', join(folder(), 'a $(touch pwned).txt')])
  const place = { path: '/a b', line: 3, column: 1 }
  expect(editorCommand("emacsclient -n +{line} '{file}'", place)).toEqual(['emacsclient', '-n', '+3', '/a b'])
  expect([editorCommand('  ', place), editorCommand('edit "open', place), editorCommand('""', place)]).toEqual([
    null,
    null,
    null,
  ])
})

test('what cannot be opened says why', async () => {
  install('code', 3)
  const open = (path = 'a $(touch pwned).txt') => editors().open({ path, folder: folder() })
  await expect(open('gone.txt')).rejects.toThrow('There is no file gone.txt.')
  setting.editor = 'vscode'
  await expect(open()).rejects.toThrow('VS Code failed (exit 3).')
  setting.editor = 'rustrover'
  await expect(open()).rejects.toThrow('RustRover was not found on this computer.')
  setting = { editor: 'custom', editorCommand: '' }
  await expect(open()).rejects.toThrow('cannot be read')
  setting = { editor: 'custom', editorCommand: join(root, 'no-such-editor') }
  await expect(open()).rejects.toThrow('could not be started')
})

test('paths are looked up from the folder, the home or the root', async () => {
  writeFileSync(join(root, 'home/notes.md'), '')
  const paths = ['a $(touch pwned).txt', '~/notes.md', folder(), 'gone', '/dev/null']
  expect(await editors().exist(paths, folder())).toEqual([true, true, true, false, false])
})
