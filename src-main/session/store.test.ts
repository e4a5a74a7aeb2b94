import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Message } from '../../src-preload/contract/messages'
import { type Database, openDatabase } from '../database'
import { exportSession } from './export'
import { titleFrom } from './session-rows'
import { createStore, type Store } from './store'

let folder: string
let database: Database
let store: Store
let time = 1000
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-store-'))
  time = 1000
  database = openDatabase(folder)
  store = createStore(database, () => time)
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

const newSession = () => store.sessions.create({ workspace: '/w', model: 'guide', toolset: 'deckhand', mode: 'safe' })
const say = (sessionId: string, text: string, role: 'user' | 'assistant' = 'user') =>
  store.messages.append({ sessionId, role, parts: [{ type: 'text', text }] })

const callIn = ({ sessionId, id }: Message) =>
  store.calls.create({ sessionId, messageId: id, position: 0, providerId: 'p', name: 'Bash', arguments: '{}' })

test('a session is what was put in, and its own until deleted', () => {
  const session = newSession()
  expect(session).toEqual({
    id: session.id,
    key: '',
    agentId: 'main',
    title: 'New session',
    autoTitle: true,
    workspace: '/w',
    model: 'guide',
    toolset: 'deckhand',
    mode: 'safe',
    sandbox: false,
    effort: null,
    parentId: null,
    pinned: false,
    archived: false,
    status: 'idle',
    waiting: 0,
    createdAt: 1000,
    updatedAt: 1000,
    usage: {
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
      cost: 0,
      unpricedTokens: 0,
      contextTokens: 0,
      contextWindow: 0,
    },
  })
  store.sessions.autoTitle(session.id, '## Fix the `login` page')
  store.sessions.autoTitle(session.id, 'a later message')
  expect(store.sessions.get(session.id)).toMatchObject({ title: 'Fix the login page', autoTitle: true })
  store.sessions.update(session.id, { title: 'Mine', mode: 'all' })
  store.sessions.autoTitle(session.id, 'nor this')
  expect(store.sessions.get(session.id)).toMatchObject({ title: 'Mine', autoTitle: false, mode: 'all' })
  store.sessions.delete(session.id)
  expect(store.sessions.list()).toEqual([])
  expect(() => store.sessions.get(session.id)).toThrow('There is no such session.')
  expect(store.sessions.restore(session.id).title).toBe('Mine')
})

test('a clock that is set back changes neither the order of messages nor their names', () => {
  const session = newSession()
  const ids = [1_800_000_000_000, 5, 1_700_000_000_000, 0].map((at, index) => {
    time = at
    return say(session.id, `message ${index}`).id
  })
  expect(new Set(ids).size).toBe(4)
  expect(store.messages.page(session.id, undefined, 10).messages.map(({ id }) => id)).toEqual(ids)
  time = -1
  expect(store.sessions.list().map(({ id }) => id)).toEqual([session.id])
})

test('titles are one line, cut at a word', () => {
  expect(titleFrom('\n\n> - **Hello**   there\nsecond')).toBe('Hello there')
  expect(titleFrom('word '.repeat(40))).toBe(`${'word '.repeat(10)}word…`)
  expect(titleFrom('  \n```\n')).toBe('')
})

test('pages run from the newest backwards, with the calls that they show', () => {
  const { id } = newSession()
  for (let n = 0; n < 5; n++) say(id, `message ${n}`)
  const last = store.messages.append({ sessionId: id, role: 'assistant', parts: [] })
  const call = callIn(last)
  store.messages.save({ ...last, parts: [{ type: 'call', callId: call.id }] })
  const newest = store.messages.page(id, undefined, 3)
  expect(newest.messages.map(({ seq }) => seq)).toEqual([3, 4, 5])
  expect([newest.calls, newest.total]).toEqual([[call], 6])
  const older = store.messages.page(id, 3, 10)
  expect(older.messages.map(({ seq }) => seq)).toEqual([0, 1, 2])
  expect(older.calls).toEqual([])
})

test('search finds all words, the last one begun, whatever else was typed', () => {
  const [a, b] = [newSession(), newSession()]
  say(a.id, 'The café serves NEAR enough coffee')
  const message = store.messages.append({ sessionId: b.id, role: 'assistant', parts: [] })
  const call = callIn(message)
  store.calls.setState(call.id, { status: 'pending' }, { gist: 'npm run lighthouse' })
  store.messages.save({
    ...message,
    parts: [
      { type: 'text', text: 'Running.' },
      { type: 'call', callId: call.id },
    ],
  })

  const found = (query: string) => store.search(query).map(({ sessionId }) => sessionId)
  expect(found('cafe coff')).toEqual([a.id])
  expect(found('coff cafe')).toEqual([])
  expect(found('lightho')).toEqual([b.id])
  expect(found('near')).toEqual([a.id])
  for (const odd of ['"', "it's", 'a AND', 'NOT (', '*', 'x:y', 'café"*', '-', '{coffee}', 'AND OR NOT', '^coffee']) {
    expect(() => store.search(odd)).not.toThrow()
  }
  expect(store.search('coffee')[0]).toEqual({
    sessionId: a.id,
    sessionTitle: 'New session',
    messageId: expect.any(String),
    seq: 0,
    snippet: 'The café serves NEAR enough \u0002coffee\u0003',
    createdAt: 1000,
  })
  store.sessions.delete(a.id)
  expect(found('coffee')).toEqual([])
})

test('what is removed is not found any more', () => {
  const { id } = newSession()
  say(id, 'first')
  say(id, 'ephemeral')
  store.messages.removeFrom(id, 1)
  expect(store.search('ephemeral')).toEqual([])
  expect(say(id, 'again').seq).toBe(1)
})

test('a deleted session is purged at a later start, not while it could be restored', () => {
  const session = newSession()
  say(session.id, 'hello')
  store.sessions.delete(session.id)
  store.recover()
  expect(store.sessions.restore(session.id).id).toBe(session.id)
  store.sessions.delete(session.id)
  time += 11 * 60 * 1000
  store.recover()
  expect(() => store.sessions.restore(session.id)).toThrow('There is no such session.')
  expect(database.prepare('SELECT count(*) AS n FROM messages').get()).toEqual({ n: 0 })
  expect(database.prepare('SELECT count(*) AS n FROM message_text').get()).toEqual({ n: 0 })
})

test('after a crash the search finds what was said, and what a call under way was about', () => {
  const session = newSession()
  const answer = store.messages.append({ sessionId: session.id, role: 'assistant', parts: [] })
  const call = callIn(answer)
  store.messages.save({ ...answer, parts: [{ type: 'call', callId: call.id }] })
  store.messages.search.flush()
  store.calls.setState(call.id, { status: 'running' }, { gist: 'npm run lighthouse' })
  store.sessions.setStatus(session.id, 'running', 'nobody')
  const { id } = say(session.id, 'harbour')
  // The process ended before it came to indexing: another one opens the same folder.
  const next = createStore(database, () => time)
  expect(next.search('lighthouse')).toEqual([])
  expect(next.search('harbour')).toEqual([])
  next.recover()
  expect(next.search('lighthouse')).toMatchObject([{ messageId: answer.id }])
  expect(next.search('harbour')).toMatchObject([{ messageId: id }])
})

test('the same rule twice is one; uses are counted at once and written in a batch', () => {
  const rule = {
    scope: 'session',
    subject: 's',
    verdict: 'allow',
    action: 'exec',
    match: { kind: 'argv', argv: ['ls'] },
    sentence: 'Run ls',
  } as const
  const { id } = store.rules.add({ ...rule, match: { kind: 'argv', argv: ['ls'] } })
  expect(store.rules.add({ ...rule, match: { kind: 'argv', argv: ['ls'] } }).id).toBe(id)
  time = 2000
  store.rules.use(id)
  store.rules.use(id)
  expect(store.rules.list()).toMatchObject([{ id, useCount: 2, lastUsedAt: 2000 }])
  expect(createStore(database).rules.list()).toMatchObject([{ useCount: 0, lastUsedAt: null }])
  expect([store.rules.flush(), store.rules.flush()]).toEqual([true, false])
  expect(createStore(database).rules.list()).toMatchObject([{ useCount: 2, lastUsedAt: 2000 }])
  store.rules.add({ ...rule, match: { kind: 'argv', argv: ['old'] }, expiresAt: 2500 })
  time = 3000
  expect(store.rules.list().map((each) => each.id)).toEqual([id])
  store.rules.revoke(id)
  expect(store.rules.list()).toEqual([])
})

test('exports what a reader needs, and all that is known', () => {
  const session = newSession()
  say(session.id, 'Show me')
  const answer = store.messages.append({ sessionId: session.id, role: 'assistant', parts: [] })
  const call = callIn(answer)
  store.calls.setState(
    call.id,
    { status: 'done', content: [{ type: 'text', text: 'a\n```\nb' }] },
    { gist: 'echo `date`' },
  )
  store.messages.save({
    ...answer,
    parts: [
      { type: 'text', text: 'Here:' },
      { type: 'call', callId: call.id },
    ],
  })
  expect(exportSession(store, session.id, 'markdown')).toBe(
    [
      '# New session',
      '1970-01-01 00:00 · guide · /w',
      '## You',
      'Show me',
      '## Deckhand',
      'Here:',
      '**Bash** `` echo `date` `` · done',
      '````\na\n```\nb\n````\n',
    ].join('\n\n'),
  )
  const whole = JSON.parse(exportSession(store, session.id, 'json'))
  expect(whole).toMatchObject({ format: 'deckhand-session', version: 1, session: { id: session.id } })
  expect([whole.messages.length, whole.calls.length]).toEqual([2, 1])
})

test('a page of a session of 10,000 messages is found by its place, without reading the others', () => {
  const { id } = newSession()
  database.transaction(() => {
    for (let n = 0; n < 10_000; n++) say(id, `message ${n}`)
  })
  const { messages, total } = store.messages.page(id, undefined, 50)
  expect([messages.length, messages[0]?.seq, messages.at(-1)?.seq, total]).toEqual([50, 9950, 9999, 10_000])
  const plan = database
    .prepare<{ detail: string }>(
      'EXPLAIN QUERY PLAN SELECT * FROM messages WHERE session_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
    )
    .all(id, 10_000, 50)
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('(session_id=? AND seq<?)')])
})

test('a look at a session finds its questions without walking through all calls', () => {
  const { id } = newSession()
  const plan = database
    .prepare<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT count(*) FROM calls WHERE calls.session_id = ? AND calls.status = 'awaiting'`,
    )
    .all(id)
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('calls_awaiting (session_id=?)')])
})

test('text is found in one session, in small and capital letters, as it was typed', () => {
  const { id } = newSession()
  const other = newSession()
  const first = say(id, 'Build the Übersicht page, 100%')
  say(id, 'nothing here', 'assistant')
  const third = say(id, 'the ÜBERSICHT again: a_b', 'assistant')
  say(other.id, 'übersicht elsewhere')
  const found = (query: string) => store.findIn(id, query).map(({ messageId }) => messageId)
  expect(found('übersicht')).toEqual([first.id, third.id])
  expect(found('BUILD THE')).toEqual([first.id])
  expect([found('0%'), found('%'), found('a_b'), found('aXb')]).toEqual([[first.id], [first.id], [third.id], []])
})

test('what was sent comes back newest first, each text once', () => {
  const { id } = newSession()
  for (const text of ['one', 'two', 'one', ' ']) say(id, text)
  say(id, 'an answer', 'assistant')
  expect(store.messages.sent(id, 10)).toEqual(['one', 'two'])
})
