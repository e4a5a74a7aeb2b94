import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../database'
import { createStore } from './store'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-kill-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const root = join(import.meta.dirname, '../..')
const writer = `
  const { runnerImport } = await import(${JSON.stringify(join(root, 'node_modules/vite/dist/node/index.js'))})
  const load = async (file) => (await runnerImport(file, { configFile: false, logLevel: 'error' })).module
  const { openDatabase } = await load(${JSON.stringify(join(root, 'src-main/database.ts'))})
  const { createStore } = await load(${JSON.stringify(join(root, 'src-main/session/store.ts'))})
  const store = createStore(openDatabase(process.argv[1]))
  const wish = { workspace: '/w', model: 'guide', toolset: 'deckhand', mode: 'safe' }
  const session = store.sessions.list()[0] ?? store.sessions.create(wish)
  for (let n = 0; ; n++) {
    const text = n % 3 ? 'short' : 'long '.repeat(2000)
    const { id } = store.messages.append({ sessionId: session.id, role: 'user', parts: [{ type: 'text', text }] })
    process.stdout.write(id + '\\n')
    await new Promise((resolve) => setImmediate(resolve))
  }`

/** Writes until it is killed, after so many acknowledged messages; answers what was acknowledged by then. */
async function killWhileWriting(after: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer, folder], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged: string[] = []
  for await (const id of createInterface({ input: child.stdout })) {
    acknowledged.push(id)
    if (acknowledged.length === after) child.kill('SIGKILL')
  }
  return acknowledged
}

test('nothing that was acknowledged is lost, wherever the process is killed', async () => {
  const acknowledged: string[] = []
  for (const after of [1, 7, 60, 333]) acknowledged.push(...(await killWhileWriting(after)))
  const database = openDatabase(folder)
  expect(database.notes).toEqual([])
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  const store = createStore(database)
  const [session] = store.sessions.list()
  const kept = store.messages.page(session?.id ?? '', undefined, 100_000).messages.map(({ id }) => id)
  expect(acknowledged.filter((id) => !kept.includes(id))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(400)
  database.close()
})
