import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recoveryWords } from '../../src-preload/contract/recovery'
import { type Database, openDatabase } from '../database'
import { createStore } from '../session/store'
import { makeFolder, removeFolder } from '../test-folder'

let folder: string
let path: string
let database: Database | null = null
beforeEach(() => {
  folder = makeFolder('salvage')
  path = join(folder, 'deckhand.db')
})
afterEach(() => {
  database?.close()
  database = null
  removeFolder(folder)
})

const session = { workspace: '/w', model: 'guide', toolset: 'deckhand', mode: 'safe' } as const
const at = () => Date.UTC(2026, 0, 2, 3, 4, 5)
const perSession = 40

/** A database as a few weeks of work leave it: 20 sessions, 800 messages with words to find and calls. */
const fill = (): string[] => {
  const made = openDatabase(folder)
  const store = createStore(made)
  const ids = Array.from({ length: 20 }, (_, n) => store.sessions.create({ ...session, title: `Session ${n}` }).id)
  made.transaction(() => {
    for (const sessionId of ids)
      for (let n = 0; n < perSession; n++) {
        const text = `findable ${sessionId} number ${n} ${'and more of it '.repeat(20)}`
        const message = store.messages.append({
          sessionId,
          role: n % 2 ? 'assistant' : 'user',
          parts: [{ type: 'text', text }],
        })
        if (n % 4 === 1)
          store.calls.create({
            sessionId,
            messageId: message.id,
            position: 0,
            providerId: '',
            name: 'Bash',
            arguments: '{}',
          })
      }
  })
  made.close()
  return ids
}

const open = (): Database => {
  database = openDatabase(folder, at)
  return database
}

const integrity = () => {
  const sqlite = new DatabaseSync(path)
  const answer = [sqlite.prepare('PRAGMA integrity_check').get(), sqlite.prepare('PRAGMA foreign_key_check').all()]
  sqlite.close()
  return answer
}

const damage = (change: (whole: Buffer) => void): Buffer => {
  const bytes = readFileSync(path)
  change(bytes)
  writeFileSync(path, bytes)
  return bytes
}

const page = (n: number): [number, number] => [(n - 1) * 4096, n * 4096]

/** The pages that a table's rows are on. */
const leavesOf = (table: string): number[] => {
  const sqlite = new DatabaseSync(path, { readOnly: true })
  const root = Number(sqlite.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.rootpage)
  sqlite.close()
  const bytes = readFileSync(path)
  const walk = (n: number): number[] => {
    const [from] = page(n)
    if (bytes[from] !== 5) return [n]
    const cells = bytes.readUInt16BE(from + 3)
    const children = Array.from({ length: cells }, (_, i) =>
      bytes.readUInt32BE(from + bytes.readUInt16BE(from + 12 + 2 * i)),
    )
    return [...children, bytes.readUInt32BE(from + 8)].flatMap(walk)
  }
  return walk(root)
}

test.each<[string, () => void]>([
  ['bytes flipped in the header', () => damage((whole) => whole.fill(0x5a, 0, 60))],
  ['the words at its beginning gone', () => damage((whole) => whole.fill(0, 0, 16))],
])('%s: everything is saved', (_, harm) => {
  fill()
  harm()
  const broken = readFileSync(path)
  const opened = open()
  const store = createStore(opened)
  expect(opened.recovery).toMatchObject({
    keptAs: `${path}.broken-2026-01-02T03-04-05`,
    salvaged: { sessions: 20, messages: 20 * perSession, missingMessages: 0, namelessSessions: 0, incomplete: [] },
  })
  expect(opened.recovery && recoveryWords(opened.recovery).slice(0, 2)).toEqual([
    'The database was damaged.',
    `The damaged file was kept as ${path}.broken-2026-01-02T03-04-05.`,
  ])
  expect(store.sessions.list()).toHaveLength(20)
  expect(store.search('findable').length).toBeGreaterThan(0)
  expect(readFileSync(`${path}.broken-2026-01-02T03-04-05`)).toEqual(broken)
  expect(readdirSync(folder).filter((name) => /reading|new$/.test(name))).toEqual([])
  opened.close()
  database = null
  expect(integrity()).toEqual([{ integrity_check: 'ok' }, []])
})

test('damaged pages in the middle: the rest is saved, and what is missing is marked where it was', () => {
  const ids = fill()
  const leaves = leavesOf('messages')
  const bad = [leaves[3], leaves[Math.floor(leaves.length / 2)], leaves.at(-1)] as number[]
  damage((whole) => {
    for (const n of bad) whole.fill(0x5a, ...page(n))
  })
  // Met while Deckhand runs: an error in words, and a look at everything at the next start.
  const first = open()
  expect(() => ids.map((id) => createStore(first).messages.page(id, undefined, 100))).toThrow(
    `The database in ${folder} is damaged and could not be read.`,
  )
  first.close()
  const opened = open()
  const store = createStore(opened)
  const salvaged = opened.recovery?.salvaged
  expect(salvaged).toMatchObject({ sessions: 20, namelessSessions: 0 })
  expect(salvaged?.missingMessages).toBeGreaterThan(5)
  const pages = ids.map((id) => store.messages.page(id, undefined, 100))
  for (const { messages, total } of pages) expect(messages.map(({ seq }) => seq)).toEqual([...Array(total).keys()])
  const marks = pages.flatMap(({ messages }) => messages).filter(({ parts: [part] }) => part?.type === 'notice')
  expect(marks).toHaveLength(salvaged?.missingMessages as number)
  expect(marks[0]?.parts).toEqual([
    { type: 'notice', notice: { kind: 'damaged', text: 'A message was here. It was damaged and could not be saved.' } },
  ])
  const kept = pages.flatMap(({ messages }) => messages).length - marks.length
  // Three of the pages are gone and nothing else.
  expect(kept).toBeGreaterThan(20 * perSession * (1 - 5 / leaves.length))
  opened.close()
  database = null
  expect(integrity()).toEqual([{ integrity_check: 'ok' }, []])
  expect(open().recovery).toBe(null)
})

test('sessions that are lost are made anew for their messages', () => {
  fill()
  const [leaf] = leavesOf('sessions')
  damage((whole) => whole.fill(0x5a, ...page(leaf as number)))
  const opened = open()
  expect(opened.recovery?.salvaged).toMatchObject({ namelessSessions: expect.any(Number), messages: 20 * perSession })
  expect(
    createStore(opened)
      .sessions.list()
      .filter(({ title }) => title === 'Recovered session').length,
  ).toBe(opened.recovery?.salvaged?.namelessSessions)
})

test('a file that was cut short: what is in it is saved', () => {
  fill()
  truncateSync(path, Math.floor(readFileSync(path).length * 0.6) + 100)
  const { recovery } = open()
  expect(recovery?.salvaged?.messages).toBeGreaterThan(0)
  expect(recovery?.salvaged?.sessions).toBeGreaterThan(0)
})

test('a first page that is gone is taken from the backup', async () => {
  fill()
  const healthy = open()
  await healthy.backUp()
  createStore(healthy).sessions.create(session)
  healthy.close()
  damage((whole) => whole.fill(0x5a, 0, 4096))
  expect(open().recovery?.salvaged).toMatchObject({ sessions: 21, messages: 20 * perSession })
})

test.each<[string, () => void]>([
  ['garbage', () => writeFileSync(path, 'this is not a database, not even nearly so '.repeat(1000))],
  ['short garbage', () => writeFileSync(path, 'no')],
  ['empty', () => writeFileSync(path, '')],
  ['missing', () => rmSync(path)],
  [
    'a folder',
    () => {
      rmSync(path)
      mkdirSync(path)
    },
  ],
])(
  '%s: it starts empty and offers the backup, which is not overwritten and brings everything back',
  async (_, harm) => {
    const ids = fill()
    const healthy = open()
    await healthy.backUp()
    healthy.close()
    harm()
    const opened = open()
    expect(opened.recovery).toMatchObject({ salvaged: null, backup: { sessions: 20, messages: 20 * perSession } })
    expect(opened.recovery && recoveryWords(opened.recovery).at(-1)).toMatch(
      /^The backup of .* has 20 sessions and 800 messages that are missing here\.$/,
    )
    const store = createStore(opened)
    const own = store.sessions.create({ ...session, title: 'Made since' })
    store.messages.append({ sessionId: own.id, role: 'user', parts: [{ type: 'text', text: 'kept' }] })
    await opened.backUp()
    opened.close()

    const later = open()
    expect(later.restore()).toMatchObject({ sessions: 20, messages: 20 * perSession })
    const after = createStore(later)
    expect(after.sessions.list()).toHaveLength(21)
    expect(after.messages.page(own.id, undefined, 10).messages).toHaveLength(1)
    expect(after.messages.page(ids[7] as string, undefined, 100).messages).toHaveLength(perSession)
    const { messages } = after.messages.page(ids[7] as string, undefined, 100)
    expect(after.calls.ofMessages(messages.map(({ id }) => id))).toHaveLength(perSession / 4)
    expect(after.search(ids[7] as string).length).toBeGreaterThan(0)
    later.close()
    database = null
    expect(integrity()).toEqual([{ integrity_check: 'ok' }, []])
  },
)

test('the backup fills the marks of lost messages', async () => {
  const ids = fill()
  const healthy = open()
  await healthy.backUp()
  healthy.close()
  const leaves = leavesOf('messages')
  damage((whole) => whole.fill(0x5a, ...page(leaves[2] as number)))
  writeFileSync(join(folder, 'deckhand.db.damaged'), '')
  const opened = open()
  const missing = opened.recovery?.salvaged?.missingMessages
  expect(opened.recovery?.backup).toMatchObject({ sessions: 0, messages: missing })
  opened.restore()
  const all = ids.flatMap((id) => createStore(opened).messages.page(id, undefined, 100).messages)
  expect(all.filter(({ parts: [part] }) => part?.type === 'text')).toHaveLength(20 * perSession)
})

test('a write-ahead log that is empty, garbage or cut short loses no more than itself', () => {
  const ids = fill()
  for (const wal of ['', 'garbage '.repeat(1000)]) {
    writeFileSync(`${path}-wal`, wal)
    const opened = open()
    expect(opened.recovery).toBe(null)
    expect(createStore(opened).sessions.list()).toHaveLength(ids.length)
    opened.close()
    database = null
  }
  // As a crash leaves it, with the last of it missing.
  const running = openDatabase(folder)
  createStore(running).sessions.create(session)
  const crashed = makeFolder('crashed')
  for (const name of ['deckhand.db', 'deckhand.db-wal']) copyFileSync(join(folder, name), join(crashed, name))
  running.close()
  const wal = join(crashed, 'deckhand.db-wal')
  truncateSync(wal, readFileSync(wal).length - 2000)
  const after = openDatabase(crashed)
  expect(createStore(after).sessions.list().length).toBeGreaterThanOrEqual(ids.length)
  after.close()
  removeFolder(crashed)
})

test('a backup that is damaged as well is no reason not to start', async () => {
  fill()
  writeFileSync(join(folder, 'deckhand.backup.db'), 'garbage '.repeat(1000))
  writeFileSync(path, 'garbage '.repeat(1000))
  expect(open().recovery).toEqual({ keptAs: expect.any(String), salvaged: null, backup: null })
  expect(existsSync(path)).toBe(true)
})

test.runIf(process.platform === 'linux')(
  'what could not be salvaged on a full disk is salvaged at the next start',
  (context) => {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]).status !== 0) context.skip()
    try {
      const ids = fill()
      const bytes = readFileSync(path)
      writeFileSync(path, bytes.fill(0, 0, 100))
      const room = [0, 100_000, bytes.length + 100_000, bytes.length + 700_000]
      for (const left of room) {
        const { bavail, bsize } = statfsSync(folder)
        writeFileSync(join(folder, 'other'), Buffer.alloc(bavail * bsize - left))
        expect(open, `${left} bytes left`).toThrow('is full')
        rmSync(join(folder, 'other'))
        expect(readdirSync(folder)).toEqual(['deckhand.db'])
      }
      const { recovery } = open()
      expect(recovery?.salvaged).toMatchObject({ sessions: ids.length, messages: ids.length * perSession })
      expect(readdirSync(folder).filter((name) => /new|saved|reading/.test(name))).toEqual([])
    } finally {
      database?.close()
      database = null
      spawnSync('umount', [folder])
    }
  },
)
