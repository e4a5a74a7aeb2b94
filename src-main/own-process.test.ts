import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isInstalled, ownProgram, partFile } from './own-process'

const installed = 'file:///opt/deckhand/resources/app.asar/out/main/chunks/compose-x.js'
const checkout = 'file:///home/me/deckhand/out/main/chunks/compose-x.js'

test('a part is found from the sources, from an entry and from a chunk', () => {
  expect(existsSync(fileURLToPath(partFile('sandbox-bridge')))).toBe(true)
  expect(existsSync(fileURLToPath(partFile('embed-worker')))).toBe(true)
  expect(existsSync(fileURLToPath(partFile('page-worker')))).toBe(true)
  expect(partFile('page-worker', checkout).pathname).toBe('/home/me/deckhand/out/main/page-worker.js')
  expect(partFile('page-worker', 'file:///a/out/main/cli.js').pathname).toBe('/a/out/main/page-worker.js')
})

test('installed, a part starts through the app’s own entry and never as plain Node', () => {
  expect(isInstalled(installed)).toBe(true)
  expect(isInstalled(checkout)).toBe(false)
  const { argv, env } = ownProgram('sandbox-bridge', installed)
  expect({ argv, env }).toEqual({
    argv: [process.execPath, '--no-sandbox', '--no-zygote', '--log-level=3', '--deckhand-part=sandbox-bridge', '--'],
    env: {},
  })
  expect(ownProgram('sandbox-bridge', checkout)).toEqual({
    argv: [process.execPath, '/home/me/deckhand/out/main/sandbox-bridge.js'],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  })
})
