import { expect, test } from 'vitest'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { Message } from '../../src-preload/contract/messages'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { emptyMainState, type MainState, open, reduce } from './main-state'
import { type OnScreen, trimState } from './trim-state'

const message = (sessionId: string, seq: number): Message => ({
  id: `${sessionId}-${seq}`,
  sessionId,
  seq,
  role: 'assistant',
  parts: [{ type: 'call', callId: `c-${sessionId}-${seq}` }],
  createdAt: seq,
  streaming: false,
})

const call = (sessionId: string, seq: number): ToolCall => ({
  id: `c-${sessionId}-${seq}`,
  sessionId,
  messageId: `${sessionId}-${seq}`,
  providerId: 'p',
  name: 'Bash',
  arguments: '{}',
  gist: 'ls',
  state: { status: 'done', content: [{ type: 'text', text: 'x' }] },
  createdAt: seq,
  startedAt: seq,
  endedAt: seq,
  grant: null,
})

const process = (sessionId: string, seq: number): ProcessInfo =>
  ({
    id: `p-${sessionId}-${seq}`,
    sessionId,
    callId: `c-${sessionId}-${seq}`,
    status: 'exited',
    startedAt: seq,
  }) as never

const turn = (sessionId: string, seq: number): DeckhandEvent[] => [
  { type: 'message', message: message(sessionId, seq) },
  { type: 'call', call: call(sessionId, seq) },
  { type: 'process', process: process(sessionId, seq) },
  { type: 'receipt', receipt: { callId: `c-${sessionId}-${seq}`, sessionId } as never },
]

const take = (state: MainState, events: DeckhandEvent[], onScreen: OnScreen | null = null): MainState =>
  trimState(events.reduce<MainState>(reduce, state), onScreen, false)

const page = (sessionId: string, from: number, to: number, total: number, fresh = false) => ({
  type: 'transcript' as const,
  sessionId,
  fresh,
  page: {
    messages: Array.from({ length: to - from }, (_, at) => message(sessionId, from + at)),
    calls: Array.from({ length: to - from }, (_, at) => call(sessionId, from + at)),
    total,
  },
})

const opened = (sessionId: string, from = 0, to = 0): MainState =>
  reduce(open(emptyMainState, sessionId), page(sessionId, from, to, to))

const sizes = (state: MainState) => ({
  messages: Object.values(state.transcripts).reduce((sum, { messages }) => sum + messages.length, 0),
  calls: Object.keys(state.calls).length,
  processes: Object.keys(state.processes).length,
  receipts: Object.keys(state.receipts).length,
})

const range = (state: MainState, id: string) => {
  const messages = state.transcripts[id]?.messages ?? []
  return [messages[0]?.seq, messages.at(-1)?.seq]
}

test('a long day: eight sessions of four hundred turns each leave a bounded rest', () => {
  let state = emptyMainState
  for (let session = 0; session < 8; session++) {
    const id = `s${session}`
    state = reduce(open(state, id), page(id, 0, 0, 0))
    for (let seq = 0; seq < 400; seq++) {
      state = take(state, turn(id, seq))
      // A session that is not shown is working too.
      state = take(state, turn('elsewhere', seq))
    }
  }
  const held = sizes(state)
  expect(held.messages).toBeLessThan(550)
  expect(held.calls).toBeLessThan(550)
  expect(held.processes).toBeLessThan(750)
  expect(held.receipts).toBeLessThan(750)
  expect(Object.keys(state.transcripts)).toHaveLength(3)
  expect(Object.values(state.calls).filter(({ sessionId }) => sessionId === 'elsewhere')).toEqual([])
})

test('the end is held while the user is there, and the list keeps its place', () => {
  let state = opened('s')
  for (let seq = 0; seq < 1000; seq++) {
    state = take(state, turn('s', seq), { sessionId: 's', from: Math.max(0, seq - 5), to: seq })
  }
  const { prepended, complete, latest, messages } = state.transcripts.s ?? {}
  expect(range(state, 's')).toEqual([expect.any(Number), 999])
  expect([complete, latest]).toEqual([false, true])
  expect(-(prepended ?? 0)).toBe(messages?.[0]?.seq)
})

test('who reads the past keeps it under their eyes, and the end is read again', () => {
  let state = opened('s', 900, 1000)
  const reading = { sessionId: 's', from: 905, to: 912 }
  for (let seq = 1000; seq < 2000; seq++) state = take(state, turn('s', seq), reading)
  const [first, last] = range(state, 's')
  expect(first).toBe(900)
  expect(last).toBeLessThan(1300)
  expect(state.transcripts.s?.latest).toBe(false)
  // New messages are no longer adjacent to the loaded ones; the pages in between are.
  state = reduce(state, page('s', (last ?? 0) + 1, (last ?? 0) + 101, 2000))
  expect(range(state, 's')).toEqual([900, (last ?? 0) + 100])
  state = reduce(state, page('s', 1900, 2000, 2000, true))
  expect([range(state, 's'), state.transcripts.s?.latest, state.transcripts.s?.run]).toEqual([[1900, 1999], true, 2])
})

test('a page that does not join on to what is held is no good', () => {
  const state = opened('s', 500, 600)
  expect(reduce(state, page('s', 300, 400, 600))).toBe(state)
  expect(range(reduce(state, page('s', 400, 500, 600)), 's')).toEqual([400, 599])
})

test('a session that was let go is not filled by a page that comes late', () => {
  const state = ['a', 'b', 'c', 'd'].reduce(open, emptyMainState)
  expect(state.opened).toEqual(['d', 'c', 'b'])
  expect(reduce(state, page('a', 0, 10, 10))).toBe(state)
})

test('messages that were taken back leave nothing held where only older ones are left', () => {
  const state = opened('s', 500, 600)
  expect(range(reduce(state, { type: 'messages-removed', sessionId: 's', fromSeq: 550 }), 's')).toEqual([500, 549])
  expect(reduce(state, { type: 'messages-removed', sessionId: 's', fromSeq: 400 }).transcripts.s).toBeUndefined()
})
