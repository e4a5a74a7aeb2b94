import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandEnv } from '../command-env'
import { openShellNode } from './open-node'
import { runArgv } from './remote-shell'
import { decodeWindows, readDistributions, wslDistributions } from './wsl'

let home: string
let env: Record<string, string>

/** A program that answers like `wsl.exe`: it runs what follows `--exec`, and prints UTF-16 itself. */
const standIn = `#!/bin/sh
if [ "$1" = --list ]; then cat "$HOME/list"; exit; fi
[ "$2" = Ubuntu ] || { printf 'N\\000o\\000 \\000s\\000u\\000c\\000h\\000' >&2; exit 255; }
while [ "$1" != --exec ]; do shift; done
shift
exec "$@"
`

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'deckhand-wsl-'))
  mkdirSync(join(home, 'bin'))
  writeFileSync(join(home, 'bin', 'wsl.exe'), standIn)
  chmodSync(join(home, 'bin', 'wsl.exe'), 0o755)
  env = {
    ...commandEnv(process.env, { HOME: home, SHELL: '/bin/sh' }),
    PATH: `${home}/bin${delimiter}${process.env.PATH}`,
  }
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test.each([
  ['UTF-16 without a mark', Buffer.from('Ubuntu\r\nDebian\r\n', 'utf16le')],
  ['UTF-16 with a mark', Buffer.from('\ufeffUbuntu\r\nDebian\r\n', 'utf16le')],
  ['UTF-8, as with WSL_UTF8', Buffer.from('Ubuntu\nDebian\n')],
  ['with those of Docker', Buffer.from('docker-desktop\r\nUbuntu\r\ndocker-desktop-data\r\nDebian\r\n', 'utf16le')],
])('reads the list in %s', (_, bytes) => expect(readDistributions(bytes)).toEqual(['Ubuntu', 'Debian']))

test('reads words that are not Latin, and nothing from nothing', () => {
  expect(decodeWindows(Buffer.from('Es gibt keine Distribution „Ü“', 'utf16le'))).toBe('Es gibt keine Distribution „Ü“')
  expect(decodeWindows(Buffer.from('über'))).toBe('über')
  expect(readDistributions(Buffer.alloc(0))).toEqual([])
})

test('asks for the list on Windows only', async () => {
  writeFileSync(join(home, 'list'), Buffer.from('Ubuntu\r\n', 'utf16le'))
  expect(await wslDistributions(env, 'win32')).toEqual(['Ubuntu'])
  expect(await wslDistributions(env, 'linux')).toEqual([])
})

test('a distribution is a node: commands and files', async () => {
  const node = await openShellNode({ kind: 'wsl', name: 'Ubuntu' }, { id: 'wsl', env })
  expect([node.kind, node.label]).toEqual(['wsl', 'wsl:Ubuntu'])
  const done = await runArgv(node.argv(`printf '%s' "$((6 * 7)) it's \\"here\\" $HOME"`), env, {})
  expect(done.stdout.toString()).toBe(`42 it's "here" ${home}`)
  const file = join(home, 'note.txt')
  await node.files.write(file, Buffer.from('by a file call'))
  expect(readFileSync(file, 'utf8')).toBe('by a file call')
  await node.close()
})

test('one that is not there is told in its own words', async () => {
  await expect(openShellNode({ kind: 'wsl', name: 'Arch' }, { id: 'wsl', env })).rejects.toThrow('wsl:Arch: No such')
  const without = { ...env, PATH: '/nowhere' }
  await expect(openShellNode({ kind: 'wsl', name: 'Arch' }, { id: 'wsl', env: without })).rejects.toThrow(/wsl\.exe/)
})
