import { describe, expect, it } from 'vitest'
import type { Message, Part } from '../../src-preload/contract/messages'
import { type CompactionInput, compact } from './compaction'
import { contextTokens, estimateTokens, splitIndex, type ToModel } from './context'
import type { Model, ModelMessage, ModelRequest } from './model'

const message = (seq: number, role: 'user' | 'assistant', text: string, usage?: Message['usage']): Message => {
  const parts: Part[] = [{ type: 'text', text }]
  return { id: `m${seq}`, sessionId: 's', seq, role, parts, createdAt: 0, streaming: false, ...(usage && { usage }) }
}

const toModel: ToModel = (messages) =>
  messages.map((each): ModelMessage => {
    const text = each.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    return each.role === 'assistant'
      ? { role: 'assistant', text, calls: [] }
      : { role: 'user', content: [{ type: 'text', text }] }
  })

const talk = (turns: number, chars = 400) =>
  Array.from({ length: turns * 2 }, (_, seq) =>
    message(seq, seq % 2 ? 'assistant' : 'user', `${seq % 2 ? 'answer' : 'request'} ${seq} ${'x'.repeat(chars)}`),
  )

const answering = (text: string, requests: ModelRequest[] = []): Model => ({
  async *stream(request) {
    requests.push(request)
    yield { type: 'text', text }
    yield { type: 'end', reason: 'stop' }
  },
})

const failing: Model = {
  async *stream() {
    yield { type: 'text', text: 'half a summ' }
    yield { type: 'error', error: { kind: 'cut', message: 'cut', retryable: true } }
  },
}

const input = (over: Partial<CompactionInput> = {}): CompactionInput => ({
  messages: talk(10),
  toModel,
  earlierSummary: null,
  firstRequest: 'Build me a boat.\nA red one.',
  todo: [
    { text: 'saw the planks', status: 'done' },
    { text: 'paint the hull red', status: 'active' },
  ],
  processes: [{ id: 'p1', command: 'npm run dev', cwd: '/boat' }],
  model: answering('They build a boat.'),
  modelName: 'm',
  contextWindow: 2000,
  signal: new AbortController().signal,
  ...over,
})

describe('compact', () => {
  it('hides older turns behind a summary and keeps goal, todo and processes word for word', async () => {
    const requests: ModelRequest[] = []
    const compaction = await compact(input({ model: answering('They build a boat.', requests) }))
    expect(compaction).toMatchObject({ hidesBefore: 16, hiddenCount: 16, byModel: true })
    expect(compaction?.summary).toContain('Build me a boat.\nA red one.')
    expect(compaction?.summary).toContain('request 14')
    expect(compaction?.summary).toContain('They build a boat.')
    expect(compaction?.summary).toContain('- paint the hull red (active)')
    expect(compaction?.summary).not.toContain('saw the planks')
    expect(compaction?.summary).toContain('- p1: npm run dev (in /boat)')
    expect(requests[0]?.tools).toEqual([])
    expect(estimateTokens(requests[0]?.messages ?? [])).toBeLessThan(2000)
  })

  it('makes a plain list when the model fails', async () => {
    const compaction = await compact(input({ model: failing, earlierSummary: 'Before that, a raft.' }))
    expect(compaction?.byModel).toBe(false)
    expect(compaction?.summary).toContain('Before that, a raft.')
    expect(compaction?.summary).toContain('- request 12')
    expect(compaction?.summary).not.toContain('half a summ')
  })

  it('has nothing to do when nearly everything is new', async () => {
    expect(await compact(input({ messages: talk(1), contextWindow: 100_000 }))).toBeNull()
  })

  it('leaves by an abort', async () => {
    const controller = new AbortController()
    const slow: Model = {
      async *stream() {
        controller.abort()
        yield { type: 'text', text: 'too late' }
      },
    }
    await expect(compact(input({ model: slow, signal: controller.signal }))).rejects.toThrow()
  })
})

describe('splitIndex', () => {
  it('parts at a request, or inside one long turn', () => {
    const messages = talk(10)
    const index = splitIndex(messages, toModel, 350)
    expect(messages[index]?.role).toBe('user')
    expect(estimateTokens(toModel(messages.slice(index)))).toBeLessThanOrEqual(350)
    const long = [
      message(0, 'user', 'go'),
      ...Array.from({ length: 20 }, (_, i) => message(i + 1, 'assistant', 'y'.repeat(400))),
    ]
    expect(splitIndex(long, toModel, 350)).toBe(18)
  })

  it('never hides what was asked last, nor everything', () => {
    const asked = [...talk(3), message(6, 'user', 'z'.repeat(4000))]
    expect(splitIndex(asked, toModel, 350)).toBe(6)
    const working = [...talk(3), message(6, 'user', 'now this'), message(7, 'assistant', 'z'.repeat(2000))]
    expect(splitIndex(working, toModel, 350)).toBe(6)
    expect(splitIndex([], toModel, 350)).toBe(0)
  })
})

describe('contextTokens', () => {
  const usage = { inputTokens: 5000, outputTokens: 100, cost: 0 }

  it('builds on what the provider counted', () => {
    const messages = [message(0, 'user', 'a'), message(1, 'assistant', 'b', usage), message(2, 'user', 'c'.repeat(400))]
    expect(contextTokens(messages, toModel, 1000)).toBe(5206)
  })

  it('passes over a count from before the compaction', () => {
    const messages = [message(0, 'user', 'a'), message(1, 'assistant', 'b', usage)]
    expect(contextTokens(messages, toModel, 1000, 5)).toBeLessThan(1100)
  })
})
