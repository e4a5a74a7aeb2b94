import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ReceiptFile, ReceiptsEvent } from '../../src-preload/contract/receipts'
import { secretReason } from '../approval/paths/secret-paths'
import type { Database } from '../database'
import { silentLog } from '../log'
import type { ProcessTable } from '../nodes/process-table'
import { openTestTable, shellRequest } from '../nodes/test-table'
import { createStore } from '../session/store'
import type { Limits } from './limits'
import type { Receipts } from './receipts'
import { makeTestFolder, type TestFolder } from './test-folder'

let folder: TestFolder
let base: string
let root: string
let database: Database
let table: ProcessTable
let receipts: Receipts
let sessionId: string
let events: ReceiptsEvent[]
let told: string[]
let notes: string[]
let calls: number

beforeEach(() => {
  folder = makeTestFolder('receipts')
  ;({ base, root, database, sessionId } = folder)
  events = []
  told = []
  notes = []
  calls = 0
  table = openTestTable(join(folder.data, 'processes'), {
    save: folder.store.processes.save,
    load: folder.store.processes.load,
  })
  receipts = make()
})

afterEach(async () => {
  for (const { id, status } of table.list()) if (status === 'running') table.kill(id)
  await table.close()
  await receipts.close()
  folder.close()
})

const make = (limits: Partial<Limits> = {}, owner = 'me'): Receipts => {
  const made = folder.openReceipts({
    owner,
    table,
    isLocal: (node) => node === 'local',
    isSecret: (path) => secretReason(path) !== null,
    publish: (event) => events.push(event),
    note: (text) => notes.push(text),
    log: { ...silentLog, error: (message, fields) => expect.fail(`${message} ${JSON.stringify(fields)}`) },
    limits: { keepMs: 60_000, scanMs: 60_000, ...limits },
  })
  made.onUndone((_, text) => told.push(text))
  return made
}

const at = (path: string): string => join(root, path)
const text = (path: string): string => readFileSync(at(path), 'utf8')
const nextCall = (): string => `c_${++calls}`

const begin = (callId: string, paths: string[] | null = null) =>
  receipts.begin({ callId, sessionId, workspace: root, gist: callId, node: 'local', paths })

/** Runs a command as the tool would, and waits for its receipt. */
const run = async (command: string, options: { background?: boolean } = {}): Promise<string> => {
  const callId = nextCall()
  const ended = await begin(callId)
  const { background = false } = options
  const { id } = await table.start(shellRequest(command, root, { sessionId, callId, background }))
  if (!background) await table.wait(id)
  ended()
  await receipts.settled()
  return callId
}

const edit = async (paths: string[], work: () => void): Promise<string> => {
  const callId = nextCall()
  const ended = await begin(
    callId,
    paths.map((path) => join(root, path)),
  )
  work()
  ended()
  await receipts.settled()
  return callId
}

const filesOf = (callId: string): ReceiptFile[] => receipts.get(callId)?.files ?? []
const sketch = (callId: string): string[] =>
  filesOf(callId).map(({ path, before, after }) => `${before ? (after ? '~' : '-') : '+'} ${path}`)

test('a command gets a receipt of what it did, and one that did nothing gets none', async () => {
  writeFileSync(at('a'), 'a')
  const callId = await run('echo b >> a; echo new > b; mkdir c')
  expect(sketch(callId)).toEqual(['~ a', '+ b', '+ c'])
  expect(receipts.list(sessionId)).toMatchObject([
    { callId, state: 'done', created: 1, changed: 1, deleted: 0, processes: [], ports: [], notes: [] },
  ])
  const quiet = await run('cat a; touch a')
  expect(receipts.get(quiet)).toBe(null)
  expect(events.map(({ type }) => type)).toEqual(['receipt'])
})

test('an edit is looked at where it is made, and what others do meanwhile is not its own', async () => {
  writeFileSync(at('other'), '')
  const callId = await edit(['deep/file'], () => {
    mkdirSync(at('deep'))
    writeFileSync(at('deep/file'), 'text')
    writeFileSync(at('other'), 'by somebody else')
  })
  expect(sketch(callId)).toEqual(['+ deep', '+ deep/file'])
  await receipts.undo(callId, 'undo', false)
  expect([existsSync(at('deep')), text('other')]).toEqual([false, 'by somebody else'])
})

test('a path outside the workspace is said to be unrecorded', async () => {
  const callId = nextCall()
  const ended = await begin(callId, [join(base, 'elsewhere')])
  ended()
  await receipts.settled()
  expect(receipts.get(callId)?.notes).toEqual([
    `${join(base, 'elsewhere')} is outside the workspace: it was not recorded.`,
  ])
})

test('of a command it is said too', async () => {
  const ended = await receipts.begin({
    ...{ callId: 'outward', sessionId, workspace: root, gist: 'cp', node: 'local', paths: null },
    beyond: ['~/notes.txt', '/srv/b'],
  })
  ended()
  await receipts.settled()
  expect(receipts.get('outward')?.notes).toEqual([
    '~/notes.txt and 1 more are outside the workspace: what the command did there was not recorded.',
  ])
})

test('undo puts everything back as it was, and redo everything as it became', async () => {
  writeFileSync(at('edited'), 'one\ntwo\n')
  writeFileSync(at('script'), 'run', { mode: 0o644 })
  writeFileSync(at('binary'), Buffer.from([0, 200, 1]))
  mkdirSync(at('tree/deep'), { recursive: true })
  chmodSync(at('tree/deep'), 0o700)
  writeFileSync(at('tree/deep/leaf'), 'leaf', { mode: 0o600 })
  mkdirSync(at('tree/empty'))
  symlinkSync('edited', at('link'))
  writeFileSync(at('turns'), 'file')
  const callId = await run(
    'echo three >> edited; chmod 755 script; printf "\\001" > binary; rm -r tree; ln -sfn script link; rm turns; mkdir turns; echo in > turns/in; echo new > new',
  )
  const after = () => ({
    edited: text('edited'),
    script: lstatSync(at('script')).mode & 0o777,
    binary: [...readFileSync(at('binary'))],
    tree: existsSync(at('tree')),
    link: readlinkSync(at('link')),
    turns: lstatSync(at('turns')).isDirectory(),
    new: existsSync(at('new')),
  })
  const then = after()
  const undone = await receipts.undo(callId, 'undo', false)
  expect(undone.left).toEqual([])
  expect(after()).toEqual({
    edited: 'one\ntwo\n',
    script: 0o644,
    binary: [0, 200, 1],
    tree: true,
    link: 'edited',
    turns: false,
    new: false,
  })
  expect([text('turns'), text('tree/deep/leaf'), existsSync(at('tree/empty'))]).toEqual(['file', 'leaf', true])
  expect([lstatSync(at('tree/deep')).mode & 0o777, lstatSync(at('tree/deep/leaf')).mode & 0o777]).toEqual([
    0o700, 0o600,
  ])
  const files = undone.receipt.files.filter(({ before, after }) => (after ?? before)?.kind !== 'folder')
  expect(undone.receipt.undone).toBe(files.length)

  expect((await receipts.undo(callId, 'redo', false)).left).toEqual([])
  expect(after()).toEqual(then)
  expect(receipts.get(callId)?.undone).toBe(0)
  expect(told).toHaveLength(2)
  expect(told[0]).toContain(`The user took back what “${callId}” did to`)
})

test('one file can be undone without the others', async () => {
  writeFileSync(at('a'), 'a')
  writeFileSync(at('b'), 'b')
  const callId = await run('echo x > a; echo x > b')
  expect((await receipts.undo(callId, 'undo', false, ['b'])).done).toEqual(['b'])
  expect([text('a'), text('b')]).toEqual(['x\n', 'b'])
  expect(receipts.get(callId)).toMatchObject({ changed: 2, undone: 1 })
})

test('the preview shows what undo would do, as things stand', async () => {
  writeFileSync(at('a'), 'one\ntwo\n')
  const callId = await run('echo three >> a; echo new > b; ln -s a c')
  expect(receipts.diff(callId, 'a')).toMatchObject({
    kind: 'update',
    patch: '@@ -1,2 +1,3 @@\n one\n two\n+three',
    added: 1,
  })
  expect(await receipts.preview(callId, 'undo')).toMatchObject([
    { path: 'c', diff: { kind: 'delete', patch: '@@ -1,1 +1,0 @@\n-(link to a)' } },
    { path: 'b', diff: { kind: 'delete', removed: 1 } },
    { path: 'a', diff: { kind: 'update', patch: '@@ -1,3 +1,2 @@\n one\n two\n-three' } },
  ])
})

test('a later edit is never lost: it stands in the way, and when the user insists it is kept', async () => {
  writeFileSync(at('a'), 'original')
  const callId = await run('printf agent > a')
  writeFileSync(at('a'), 'my later edit')
  expect(await receipts.preview(callId, 'undo')).toMatchObject([
    { path: 'a', problem: 'changed-since', canForce: true },
  ])
  expect(await receipts.undo(callId, 'undo', false)).toMatchObject({
    done: [],
    left: [{ path: 'a', problem: 'changed-since' }],
  })
  expect(text('a')).toBe('my later edit')

  expect(await receipts.undo(callId, 'undo', true)).toMatchObject({ done: ['a'], left: [] })
  expect(text('a')).toBe('original')
  expect(await receipts.undo(callId, 'redo', false)).toMatchObject({ done: ['a'], left: [] })
  expect(text('a')).toBe('my later edit')
})

test('a created folder that somebody has put something into stays', async () => {
  const callId = await run('mkdir made; echo x > made/by-agent')
  writeFileSync(at('made/by-me'), 'mine')
  expect(await receipts.undo(callId, 'undo', true)).toMatchObject({
    done: ['made/by-agent'],
    left: [{ path: 'made', problem: 'not-empty' }],
  })
  expect(text('made/by-me')).toBe('mine')
})

test('undo never goes through a link that was put in the way', async () => {
  mkdirSync(at('sub'))
  writeFileSync(at('sub/a'), 'original')
  const callId = await run('printf agent > sub/a; echo x > sub/b')
  mkdirSync(join(base, 'outside'))
  for (const name of ['a', 'b']) writeFileSync(join(base, 'outside', name), name === 'a' ? 'agent' : 'x\n')
  renameSync(at('sub'), join(base, 'moved'))
  symlinkSync(join(base, 'outside'), at('sub'))
  const { done, left } = await receipts.undo(callId, 'undo', true)
  expect([done, left.map(({ path }) => path)]).toEqual([[], ['sub/b', 'sub/a']])
  expect([readFileSync(join(base, 'outside/a'), 'utf8'), readFileSync(join(base, 'outside/b'), 'utf8')]).toEqual([
    'agent',
    'x\n',
  ])
})

test('a file that was swapped for a link is not written through', async () => {
  writeFileSync(at('a'), 'original')
  const callId = await run('printf agent > a')
  writeFileSync(join(base, 'precious'), 'agent')
  rmSync(at('a'))
  symlinkSync(join(base, 'precious'), at('a'))
  expect(await receipts.undo(callId, 'undo', false)).toMatchObject({ done: [], left: [{ problem: 'changed-since' }] })
  await receipts.undo(callId, 'undo', true)
  expect([text('a'), lstatSync(at('a')).isSymbolicLink()]).toEqual(['original', false])
  expect(readFileSync(join(base, 'precious'), 'utf8')).toBe('agent')
})

test('what is not kept is said, and is never touched', async () => {
  await receipts.close()
  receipts = make({ maxFileBytes: 1000 })
  writeFileSync(at('.env'), 'TOKEN=1')
  writeFileSync(at('large'), 'x'.repeat(2000))
  const callId = await run('echo TOKEN=2 > .env; echo y > large')
  expect(receipts.get(callId)?.notes).toEqual([
    '.env was not kept (it looks like a secret), so this change cannot be undone.',
    'large of 1 MB was not kept (too large), so this change cannot be undone.',
  ])
  expect((await receipts.undo(callId, 'undo', true)).left).toEqual([
    { path: '.env', problem: 'not-kept' },
    { path: 'large', problem: 'not-kept' },
  ])
  expect([text('.env'), text('large')]).toEqual(['TOKEN=2\n', 'y\n'])
})

test('two commands at the same time: both tell of it, and neither undoes it as a whole', async () => {
  writeFileSync(at('a'), 'a')
  const [one, two] = [nextCall(), nextCall()]
  const ended = [await begin(one), await begin(two)]
  writeFileSync(at('a'), 'whose?')
  for (const end of ended) end()
  await receipts.settled()
  expect([filesOf(one), filesOf(two)]).toMatchObject([[{ path: 'a', shared: true }], [{ path: 'a', shared: true }]])
  expect((await receipts.undo(one, 'undo', false)).done).toEqual([])
  expect((await receipts.undo(one, 'undo', false, ['a'])).done).toEqual(['a'])
  expect(text('a')).toBe('a')
})

/** On a busy machine, 3,000 files may take longer than the time limit of a look. */
const patient: Partial<Limits> = { scanMs: 60_000, keepMs: 60_000 }

test('a look in advance is given up for the call that wants to run, and nothing is missed', async () => {
  await receipts.close()
  receipts = make(patient)
  mkdirSync(at('many'))
  for (let n = 0; n < 3000; n++) writeFileSync(at(`many/${n}`), `file ${n}`)
  receipts.prepare({ workspace: root, node: 'local' })
  const callId = await run('echo changed > many/7; echo changed > many/2999')
  expect(sketch(callId)).toEqual(['~ many/2999', '~ many/7'])
  expect((await receipts.undo(callId, 'undo', false)).left).toEqual([])
  expect([text('many/7'), text('many/2999')]).toEqual(['file 7', 'file 2999'])
})

test('what a command did is kept however long that takes', async () => {
  for (let n = 0; n < 200; n++) writeFileSync(at(`f${n}`), 'before')
  await run('true')
  await receipts.close()
  receipts = make({ keepMs: 0 })
  const callId = await run('for f in f*; do echo after > $f; done')
  expect((await receipts.undo(callId, 'undo', false)).left).toEqual([])
  expect([text('f0'), text('f199')]).toEqual(['before', 'before'])
})

test('closing does not wait for a look in advance', async () => {
  mkdirSync(at('many'))
  for (let n = 0; n < 3000; n++) writeFileSync(at(`many/${n}`), `file ${n}`)
  receipts.prepare({ workspace: root, node: 'local' })
  await receipts.close()
  receipts = make()
  const callId = await run('rm -r many')
  expect(filesOf(callId)).toHaveLength(2000)
  expect(receipts.get(callId)?.notes).toEqual(['3,001 files changed: only the first 2,000 are listed.'])
})

test('what happens between calls is nobody’s doing', async () => {
  writeFileSync(at('mine'), 'before')
  await run('echo one > one')
  writeFileSync(at('mine'), 'I am typing')
  const callId = await run('echo two > two')
  expect(sketch(callId)).toEqual(['+ two'])
})

test('a process that goes on is told of with its port, and its receipt ends with it', async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const address = probe.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await new Promise((resolve) => probe.close(resolve))
  const script = `require("net").createServer().listen(${port},"127.0.0.1",()=>require("fs").writeFileSync("ready",""))`
  const callId = await run(`ELECTRON_RUN_AS_NODE=1 exec "${process.execPath}" -e '${script}'`, { background: true })
  expect(receipts.get(callId)).toMatchObject({ state: 'open', processes: [{ pid: expect.any(Number) }] })
  await expect(receipts.undo(callId, 'undo', false)).rejects.toThrow('still running')
  while (!existsSync(at('ready'))) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(receipts.list(sessionId)).toMatchObject([{ ports: [{ port, open: false }] }])

  table.kill(table.list(sessionId)[0]?.id ?? '')
  await table.wait(table.list(sessionId)[0]?.id ?? '')
  await receipts.settled()
  expect(receipts.get(callId)).toMatchObject({
    state: 'done',
    processes: [],
    ports: [],
    files: [{ path: 'ready', shared: true }],
  })
})

test('a command that goes on counts once, however many programs it is made of', async () => {
  const callId = await run('sleep 300 & sleep 301; wait', { background: true })
  expect(receipts.get(callId)?.processes).toMatchObject([{ command: 'sleep 300 & sleep 301; wait' }])
})

test('a program that slipped out of its group is found', async () => {
  const callId = await run('setsid sleep 300 > /dev/null 2>&1 & sleep 0.3')
  const left = receipts.get(callId)?.processes ?? []
  expect(left).toMatchObject([{ command: 'sleep 300' }])
  process.kill(left[0]?.pid ?? 0, 'SIGKILL')
})

test('a session lists what its sub-agents did', async () => {
  const store = createStore(database)
  const wish = { workspace: root, model: 'm', toolset: 'deckhand', mode: 'safe' } as const
  const child = store.sessions.create({ ...wish, parentId: sessionId }).id
  store.sessions.create(wish)
  const parent = sessionId
  sessionId = child
  const callId = await run('echo x > by-sub-agent')
  expect(receipts.list(parent)).toMatchObject([{ callId, sessionId: child }])
})

test('after a crash the receipt says that it is incomplete', async () => {
  const callId = nextCall()
  await begin(callId)
  writeFileSync(at('half'), 'half')
  const later = make({}, 'another run')
  expect(later.list(sessionId)).toMatchObject([{ callId, state: 'incomplete' }])
  await later.close()
})

test('a call whose folder is gone, or that runs elsewhere, is let through without a record', async () => {
  const call = { callId: nextCall(), sessionId, gist: '', paths: null }
  const ended = await receipts.begin({ ...call, workspace: join(base, 'gone'), node: 'local' })
  ended()
  const remote = await receipts.begin({ ...call, workspace: root, node: 'server' })
  remote()
  await receipts.settled()
  expect(receipts.list(sessionId)).toEqual([])
})

test('what nobody needs any more is dropped, and the user can drop everything', async () => {
  writeFileSync(at('a'), 'a'.repeat(3000))
  const callId = await run('echo x > a')
  receipts.sweep()
  expect((await receipts.preview(callId, 'undo'))[0]?.problem).toBe(undefined)
  expect(receipts.kept().bytes).toBeGreaterThan(2000)
  receipts.forget()
  expect(receipts.kept().bytes).toBe(0)
  expect(await receipts.preview(callId, 'undo')).toMatchObject([{ path: 'a', problem: 'not-kept' }])
  const next = await run('echo y > a')
  expect((await receipts.undo(next, 'undo', false)).done).toEqual(['a'])
})

test('with the session go its receipts and what they kept', async () => {
  writeFileSync(at('a'), 'a'.repeat(3000))
  await run('echo x > a')
  database.prepare('DELETE FROM sessions').run()
  expect(receipts.list(sessionId)).toEqual([])
  const before = receipts.kept().bytes
  receipts.sweep()
  expect(receipts.kept().bytes).toBeLessThan(before - 2000)
})

test.skipIf(process.platform === 'darwin')('files whose names are no UTF-8 are recorded and put back', async () => {
  const name = (text: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(text, 'latin1')])
  writeFileSync(name('gone\xe9'), 'was here')
  mkdirSync(name('d\xff'))
  writeFileSync(name('d\xff/kept'), 'one')
  const callId = await run(
    'rm gone*; for f in d*/kept; do echo two > "$f"; done; printf new > "$(printf \'made\\351\')"; ln -s nowhere "$(printf \'link\\351\')"',
  )
  expect(sketch(callId).sort()).toEqual(['+ link\\xe9', '+ made\\xe9', '- gone\\xe9', '~ d\\xff/kept'])
  expect(receipts.get(callId)?.notes).toEqual([])
  await receipts.undo(callId, 'undo', false)
  expect(readFileSync(name('gone\xe9'), 'utf8')).toBe('was here')
  expect(readFileSync(name('d\xff/kept'), 'utf8')).toBe('one')
  expect([existsSync(name('made\xe9')), existsSync(name('link\xe9'))]).toEqual([false, false])
})
