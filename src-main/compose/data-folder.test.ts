import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createEngine } from '../compose'
import { openInProcessHost } from '../nodes/host-link'
import { makeFolder, removeFolder } from '../test-folder'
import { openEngine } from './test-engine'

/** Whatever happens to a file or folder of the data folder: Deckhand works, or says in words why not. */

let dataDir: string
let used: string
let workspace: string
beforeAll(async () => {
  workspace = makeFolder('workspace')
  dataDir = makeFolder('data')
  used = dataDir
  await startAndRun()
})
beforeEach(() => {
  dataDir = makeFolder('data')
})
afterEach(() => removeFolder(dataDir))
afterAll(() => {
  for (const each of [used, workspace]) rmSync(each, { recursive: true, force: true })
})

/** As an earlier run has left it. */
const asUsed = (): void => cpSync(used, dataDir, { recursive: true })

/** Starts without a window and runs one command; tells how that went and what was said. */
const startAndRun = async (): Promise<{ output: string; said: string[] }> => {
  const cipher = { encrypt: (text: string) => Buffer.from(text), decrypt: (data: Buffer) => data.toString() }
  const engine = await createEngine({ dataDir, openHost: openInProcessHost, keychain: cipher, interactive: true })
  const said = engine.takeNotes().map(({ text }) => text)
  try {
    const { id } = engine.createSession({ workspace, model: 'guide', mode: 'all' })
    const ended = new Promise<string>((resolve) =>
      engine.subscribe((event) => {
        if (event.type === 'note') said.push(event.text)
        if (event.type === 'turn-end') resolve(`${event.reason} ${event.text} ${event.error?.message ?? ''}`)
      }),
    )
    engine.runner.send(id, 'run `echo it-works`', [])
    const output = await ended
    engine.updateSettings({ terminalFontSize: 15 })
    return { output, said }
  } finally {
    await engine.close()
  }
}

/** An error's own name, such as EEXIST, is no word. */
const raw = /\bE[A-Z]{3,}\b|SQLITE|malformed|at .*\.ts:\d+/

const things = [
  'deckhand.db',
  'deckhand.db-wal',
  'deckhand.backup.db',
  'settings.json',
  'keys.json',
  'starts.json',
  'model-lessons.json',
  'window.json',
  'logs',
  'logs/deckhand.log',
  'processes',
  'results',
  'receipts',
  'receipts/images.db',
  'agents',
  'agents/main',
  'skills',
  'login-shell',
  'git-settings',
  'chromium',
]

const kinds: Record<string, (path: string) => void> = {
  'an empty file': (path) => writeFileSync(path, ''),
  garbage: (path) => writeFileSync(path, Buffer.from('\x00\x01garbage\xff '.repeat(2000), 'latin1')),
  'a folder': (path) => mkdirSync(join(path, 'inside'), { recursive: true }),
}

test.each(things.flatMap((thing) => Object.keys(kinds).map((kind) => [thing, kind] as const)))(
  '%s is %s',
  async (thing, kind) => {
    asUsed()
    const path = join(dataDir, thing)
    rmSync(path, { recursive: true, force: true })
    mkdirSync(dirname(path), { recursive: true })
    kinds[kind]?.(path)
    const { output, said } = await startAndRun()
    expect(output).toContain('it-works')
    expect(said.join('\n')).not.toMatch(raw)
    // What was put aside is told of with its place, and is there.
    for (const note of said) {
      const kept = /(?:kept as|is now(?: in)?) (\S+?)[.,;]?(?:$|\s)/.exec(note)?.[1]
      if (kept) expect(existsSync(kept), note).toBe(true)
    }
    // The second start after it is quiet, and the setting of the first is kept.
    const again = await createEngine({ dataDir, openHost: openInProcessHost, interactive: true })
    expect(again.takeNotes()).toEqual([])
    await again.close()
    expect(JSON.parse(readFileSync(join(dataDir, 'settings.json'), 'utf8'))).toMatchObject({ terminalFontSize: 15 })
  },
)

test('everything that a run leaves in the data folder is in the list above', async () => {
  const known = new Set(things.map((thing) => thing.split('/')[0]))
  expect(readdirSync(used).filter((name) => !known.has(name))).toEqual([])
})

test.each([
  ['a byte-order mark', Buffer.from('\uFEFF{"terminalFontSize": 17}')],
  ['two bytes for each letter', Buffer.from('\uFEFF{"terminalFontSize": 17}', 'utf16le')],
])('settings with %s are not damaged', async (_, bytes) => {
  writeFileSync(join(dataDir, 'settings.json'), bytes)
  const engine = await openEngine(dataDir)
  expect(engine.settings.current().terminalFontSize).toBe(17)
  expect(engine.takeNotes()).toEqual([])
  await engine.close()
})

test('a data folder that is a file is refused in words', async () => {
  removeFolder(dataDir)
  writeFileSync(dataDir, '')
  await expect(startAndRun()).rejects.toThrow(`The data folder ${dataDir} cannot be used: it is a file.`)
})

test.runIf(process.getuid?.() !== 0).each(things)('%s may not be read', async (thing) => {
  asUsed()
  const path = join(dataDir, thing)
  if (!existsSync(path)) return
  const { mode } = statSync(path)
  chmodSync(path, 0)
  try {
    const said = await startAndRun().then(
      ({ output, said: notes }) => [output, ...notes],
      (error: Error) => [error.message],
    )
    expect(said.join('\n')).not.toMatch(raw)
  } finally {
    if (existsSync(path)) chmodSync(path, mode)
  }
})
