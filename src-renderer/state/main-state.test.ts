import { describe, expect, test } from 'vitest'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { Message, TranscriptPage } from '../../src-preload/contract/messages'
import { noUsage, type Session } from '../../src-preload/contract/sessions'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { emptyMainState, type MainState, open, reduce } from './main-state'
import { testQuestion } from './test-question'

const session = (id: string, change: Partial<Session> = {}): Session => ({
  id,
  key: '',
  agentId: 'main',
  title: id,
  autoTitle: false,
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
  createdAt: 0,
  updatedAt: 0,
  usage: {
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    cost: 0,
    unpricedTokens: 0,
    contextTokens: 0,
    contextWindow: 0,
  },
  ...change,
})

const message = (seq: number, change: Partial<Message> = {}): Message => ({
  id: `m${seq}`,
  sessionId: 's',
  seq,
  role: 'assistant',
  parts: [],
  createdAt: seq,
  streaming: false,
  ...change,
})

const question = testQuestion({ reason: 'it writes', ancestry: [], createdAt: 1 })

const call = (state: ToolCall['state'], change: Partial<ToolCall> = {}): ToolCall => ({
  id: 'c',
  sessionId: 's',
  messageId: 'm1',
  providerId: 'p',
  name: 'Bash',
  arguments: '{}',
  gist: 'ls',
  state,
  createdAt: 0,
  startedAt: null,
  endedAt: null,
  grant: null,
  ...change,
})

const addPage = (state: MainState, sessionId: string, page: TranscriptPage): MainState =>
  reduce(open(state, sessionId), { type: 'transcript', sessionId, page, fresh: false })

const opened = (messages: Message[], total = messages.length): MainState =>
  addPage({ ...emptyMainState, sessions: { s: session('s') } }, 's', { messages, calls: [], total })

const told = (state: MainState, ...events: DeckhandEvent[]) => events.reduce<MainState>(reduce, state)

const delta = (text: string, partIndex = 0, kind: 'text' | 'reasoning' = 'text'): DeckhandEvent => ({
  type: 'delta',
  sessionId: 's',
  messageId: 'm2',
  partIndex,
  kind,
  text,
})

describe('messages', () => {
  test('deltas build up the parts of a streaming message', () => {
    const state = told(
      opened([message(1)]),
      { type: 'message', message: message(2, { streaming: true }) },
      delta('Let me ', 0, 'reasoning'),
      delta('see', 0, 'reasoning'),
      delta('Hello', 1),
      delta(' there', 1),
    )
    expect(state.transcripts.s?.messages[1]?.parts).toEqual([
      { type: 'reasoning', text: 'Let me see' },
      { type: 'text', text: 'Hello there' },
    ])
  })

  test('a delta leaves every other message as it is, so that only one row draws again', () => {
    const before = opened([message(1), message(2, { streaming: true })])
    const state = told(before, delta('x'))
    expect(state.transcripts.s?.messages[0]).toBe(before.transcripts.s?.messages[0])
    expect(state.transcripts.s?.messages[1]).not.toBe(before.transcripts.s?.messages[1])
  })

  test('deltas that fit no message, skip a part or mean another kind are left out', () => {
    const state = opened([message(1), message(2, { parts: [{ type: 'text', text: 'a' }] })])
    expect(told(state, delta('x', 3)).transcripts).toEqual(state.transcripts)
    expect(told(state, delta('x', 0, 'reasoning')).transcripts).toEqual(state.transcripts)
    expect(told(state, { ...delta('x'), messageId: 'gone' } as DeckhandEvent).transcripts).toEqual(state.transcripts)
  })

  test('the saved message replaces the streamed one', () => {
    const saved = message(2, { parts: [{ type: 'text', text: 'all of it' }] })
    const state = told(opened([message(1), message(2, { streaming: true })]), delta('all'), {
      type: 'message',
      message: saved,
    })
    expect(state.transcripts.s?.messages).toEqual([message(1), saved])
  })

  test('messages are put in order of seq whatever order they come in', () => {
    const state = told(opened([message(1), message(3)]), { type: 'message', message: message(2) })
    expect(state.transcripts.s?.messages.map((entry) => entry.seq)).toEqual([1, 2, 3])
  })

  test('a session that was never opened keeps no messages', () => {
    const state = told(emptyMainState, { type: 'message', message: message(1) })
    expect(state.transcripts).toEqual({})
  })

  test('a branch point removes what followed', () => {
    const state = told(opened([message(1), message(2), message(3)]), {
      type: 'messages-removed',
      sessionId: 's',
      fromSeq: 2,
    })
    expect(state.transcripts.s?.messages.map((entry) => entry.seq)).toEqual([1])
  })
})

describe('pages', () => {
  test('older pages go in front and are counted, so that the list keeps its place', () => {
    const state = addPage(opened([message(3), message(4)], 4), 's', {
      messages: [message(1), message(2), message(3)],
      calls: [],
      total: 4,
    })
    expect(state.transcripts.s).toEqual({
      messages: [message(1), message(2), message(3), message(4)],
      prepended: 2,
      latest: true,
      run: 1,
      complete: true,
    })
  })

  test('a first page that is not all of it is not complete', () => {
    expect(opened([message(9)], 9).transcripts.s?.complete).toBe(false)
  })

  test('a call that an event brought is newer than the page', () => {
    const running = call({ status: 'running' })
    const state = addPage(told(open(emptyMainState, 's'), { type: 'call', call: running }), 's', {
      messages: [],
      calls: [call({ status: 'pending' })],
      total: 0,
    })
    expect(state.calls.c).toBe(running)
  })
})

describe('questions', () => {
  test('follow the state of their call', () => {
    const awaiting = call({ status: 'awaiting', question })
    const asked = told(emptyMainState, { type: 'call', call: awaiting })
    expect(asked.questions).toEqual({ q: { question, call: awaiting } })
    expect(told(asked, { type: 'call', call: call({ status: 'running' }) }).questions).toEqual({})
  })

  test('go with their session', () => {
    const state = told(
      opened([message(1)]),
      { type: 'call', call: call({ status: 'awaiting', question }) },
      { type: 'queue', sessionId: 's', queue: [] },
      { type: 'session-removed', sessionId: 's' },
    )
    expect(state).toEqual(emptyMainState)
  })
})

describe('a silent stream', () => {
  const waiting: DeckhandEvent = { type: 'waiting', sessionId: 's', phase: 'first-byte', secondsLeft: 12, attempt: 1 }
  test.each<[string, DeckhandEvent]>([
    ['a delta', delta('x')],
    ['a message', { type: 'message', message: message(2) }],
    ['the end of the turn', { type: 'session', session: session('s', { status: 'idle' }) }],
  ])('is over with %s', (_, event) => {
    const silent = told(opened([message(1)]), waiting)
    expect(silent.silences.s).toEqual(waiting)
    expect(told(silent, event).silences).toEqual({})
  })
})

test('why a turn stopped is known until the next one starts', () => {
  const { usage } = session('s')
  const stopped = told(emptyMainState, { type: 'turn-end', sessionId: 's', reason: 'limit', text: '', usage })
  expect(stopped.lastStop).toEqual({ s: 'limit' })
  expect(told(stopped, { type: 'session', session: session('s') }).lastStop).toEqual({ s: 'limit' })
  expect(told(stopped, { type: 'session', session: session('s', { status: 'running' }) }).lastStop).toEqual({})
})

test('a turn that ends out of sight leaves its session unread until it is opened', () => {
  const end = (sessionId: string): DeckhandEvent => ({
    type: 'turn-end',
    sessionId,
    reason: 'done',
    text: '',
    usage: noUsage,
  })
  const shown = open(emptyMainState, 'a')
  const ended = [end('a'), end('b')].reduce(reduce, shown)
  expect(ended.unread).toEqual({ b: true })
  expect(open(ended, 'b').unread).toEqual({})
})
