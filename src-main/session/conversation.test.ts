import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Message, Role } from '../../src-preload/contract/messages'
import { createConversation } from './conversation'
import type { Store } from './store'
import { openTestStore, type TestStore } from './test-store'

let kept: TestStore
let store: Store
let sessionId: string
beforeEach(() => {
  kept = openTestStore('conversation')
  ;({ store, sessionId } = kept)
})
afterEach(() => kept.close())

const say = (role: Role, text: string, streaming = false): Message =>
  store.messages.append({ sessionId, role, parts: [{ type: 'text', text }], streaming })

const note = (text: string): Message =>
  store.messages.append({
    sessionId,
    role: 'system',
    parts: [{ type: 'notice', notice: { kind: 'user-typed', processId: 'p', text } }],
  })

const words = (conversation: ReturnType<typeof createConversation>): string[] =>
  conversation
    .forModel()
    .map((message) => JSON.stringify(message.role === 'assistant' ? message.text : message.content).slice(0, 200))
    .map((json) => /\[Deckhand\] [^"]*|"text":"([^"]*)"/.exec(json)?.[1] ?? json)

test('what is added is seen, and what was read keeps its objects', () => {
  const conversation = createConversation(store, sessionId)
  say('user', 'one')
  const [first] = conversation.forModel()
  say('assistant', 'two')
  say('user', 'three')
  const again = conversation.forModel()
  expect(again).toEqual(createConversation(store, sessionId).forModel())
  expect(again.length).toBe(3)
  expect(again[0]).toBe(first)
})

test('an open answer keeps its place before what was said meanwhile', () => {
  const conversation = createConversation(store, sessionId)
  say('user', 'one')
  const open = say('assistant', '', true)
  say('user', 'meanwhile')
  expect(words(conversation)).toEqual(['one', 'meanwhile'])
  store.messages.save({ ...open, parts: [{ type: 'text', text: 'answer' }], streaming: false })
  expect(words(conversation)).toEqual(['one', '"answer"', 'meanwhile'])
})

test('a note at the end is read again, as it grows while the user types', () => {
  const conversation = createConversation(store, sessionId)
  say('user', 'one')
  const typed = note('typed a')
  expect(words(conversation)[1]).toContain('typed a')
  const longer = { kind: 'user-typed' as const, processId: 'p', text: 'typed a, b' }
  store.messages.save({ ...typed, parts: [{ type: 'notice', notice: longer }] })
  expect(words(conversation)[1]).toContain('typed a, b')
})

test('a compaction hides what it summarises, and taking it back shows it again', () => {
  const conversation = createConversation(store, sessionId)
  say('user', 'old')
  say('user', 'new')
  expect(words(conversation)).toEqual(['old', 'new'])
  const notice = { kind: 'compaction' as const, text: 'shorter', summary: 'in short', hiddenCount: 1, undone: false }
  const compaction = store.messages.append({
    sessionId,
    role: 'system',
    parts: [{ type: 'notice', notice }],
    hidesBefore: 1,
  })
  expect(words(conversation)).toEqual(['in short', 'new'])
  store.messages.lift(compaction.id)
  expect(words(conversation)).toEqual(['old', 'new'])
})

test('what a server wants back of its answer outlives a restart and a summary of what came before it', () => {
  const native = { from: 'messages host claude', items: [{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }] }
  say('user', 'one')
  const first = say('assistant', 'two')
  store.messages.setNative(first.id, native)
  say('user', 'three')
  const second = say('assistant', 'four')
  store.messages.setNative(second.id, native)
  kept.reopen()
  ;({ store } = kept)
  const natives = () =>
    createConversation(store, sessionId)
      .forModel()
      .flatMap((message) => (message.role === 'assistant' ? [[message.text, message.native]] : []))
  expect(natives()).toEqual([
    ['two', native],
    ['four', native],
  ])
  store.messages.append({
    sessionId,
    role: 'system',
    parts: [{ type: 'notice', notice: { kind: 'compaction', text: '', summary: 'S', hiddenCount: 2, undone: false } }],
    hidesBefore: 2,
  })
  expect(natives()).toEqual([['four', native]])
  // The window gets the message without it.
  expect(JSON.stringify(store.messages.page(sessionId, undefined, 50))).not.toContain('c2ln')
})

test('the model reads what a slash command says as words, and a file as a file', () => {
  const file = { type: 'file' as const, path: '', text: 'Look at src' }
  store.messages.append({
    sessionId,
    role: 'user',
    parts: [
      { type: 'text', text: '/review src' },
      { ...file, name: '/review', command: true },
      { ...file, name: 'notes.txt' },
    ],
  })
  expect(createConversation(store, sessionId).forModel()).toEqual([
    {
      role: 'user',
      content: ['/review src', 'Look at src', '<file name="notes.txt">\nLook at src\n</file>'].map((text) => ({
        type: 'text',
        text,
      })),
    },
  ])
})
