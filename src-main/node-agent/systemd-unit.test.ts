import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownWords, unitText, writeUnit } from './systemd-unit'

const unit = {
  program: ['/opt/deckhand/bin/deckhand', 'node'],
  id: 'studio',
  gateway: 'wss://10.0.0.1:47615/ws',
  token: 'a-long-token',
  workspace: '/home/me/my "work" 100%',
  role: 'execution',
  data: '/home/me/.deckhand/nodes/studio',
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-unit-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the token is not among the words of the process, and nothing in the unit is replaced', () => {
  const text = unitText(unit)
  expect(text).toContain(
    'ExecStart="/opt/deckhand/bin/deckhand" "node" "--gateway" "wss://10.0.0.1:47615/ws" "--id" "studio" "--workspace" "/home/me/my \\"work\\" 100%%"',
  )
  expect(text).toContain('Environment="DECKHAND_NODE_TOKEN=a-long-token"')
  expect(text.match(/a-long-token/g)).toHaveLength(1)
})

test('the unit is written for the user alone, and the next step is named', () => {
  const said = writeUnit(unit, folder)
  const file = join(folder, 'systemd/user/deckhand-node-studio.service')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toBe(unitText(unit))
  expect(said).toContain('systemctl --user enable --now deckhand-node-studio.service')
})

test.skipIf(spawnSync('systemd-analyze', ['--version']).error !== undefined)('systemd accepts the unit', () => {
  writeUnit({ ...unit, program: ['/bin/true'] }, folder)
  const file = join(folder, 'systemd/user/deckhand-node-studio.service')
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--user', file], { encoding: 'utf8' })
  expect(stderr.split('\n').filter((line) => line.includes('deckhand-node-studio.service:'))).toEqual([])
})

test('the same program is started again', () => {
  expect(ownWords('/opt/deckhand/deckhand', '', true)).toEqual(['/opt/deckhand/bin/deckhand', 'node'])
  expect(ownWords('/usr/bin/node', '/c/bin/deckhand.mjs', false)).toEqual([
    '/usr/bin/node',
    '/c/bin/deckhand.mjs',
    'node',
  ])
  expect(ownWords('/usr/bin/node', '/c/out/main/node-agent.js', false)).toEqual([
    '/usr/bin/node',
    '/c/out/main/node-agent.js',
  ])
})
