import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRecord } from '../is-record'
import { anthropicModel } from './anthropic'
import { field, listOf, textOf } from './json'
import type { ModelEvent, ModelRequest } from './model'
import { openaiModel } from './openai'
import { ask, collect, type Reply, serve } from './test-server'

/** Streams that real servers have sent, kept beside the checkout; see the README there. */
const folder = join(import.meta.dirname, '../../../shared/streams')
const isThere = existsSync(folder)
if (!isThere) console.log(`The recorded streams are not at ${folder}, so their tests are skipped.`)

const key = () => null

/** The body byte for byte, in pieces that end anywhere. */
const replay =
  (body: Buffer, size: number): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let at = 0; at < body.length; at += size) response.write(body.subarray(at, at + size))
    response.end()
  }

const decode = async (dialect: string, body: Buffer, request: Partial<ModelRequest> = {}, size = 1009) => {
  await using server = await serve(replay(body, size))
  const model =
    dialect === 'anthropic'
      ? anthropicModel({ baseUrl: server.url, key })
      : openaiModel(
          { baseUrl: server.url, key },
          { of: () => ({ api: dialect === 'responses' ? 'responses' : 'chat' }), learn: () => {}, restore: () => {} },
        )
  return await collect(model.stream(ask(request)))
}

const gather = (events: ModelEvent[]) => {
  const words = (type: 'text' | 'reasoning') => events.map((event) => (event.type === type ? event.text : '')).join('')
  const usage = events.find((event) => event.type === 'usage')
  const error = events.find((event) => event.type === 'error')
  return {
    text: words('text'),
    reasoning: words('reasoning'),
    calls: events.flatMap((event) => (event.type === 'call' ? [event.call] : [])),
    usage: usage ? { input: usage.inputTokens, output: usage.outputTokens } : null,
    error: error?.error.kind ?? null,
    native: events.find((event) => event.type === 'native')?.native ?? null,
    last: events.at(-1),
  }
}

interface Recorded {
  file: string
  dialect: string
  back?: string
  expect: {
    text: string
    reasoning: string
    calls: { id: string; name: string; arguments: string; extra_content?: unknown }[]
    usage: { input: number; output: number } | null
    finish: string | null
  }
}

const recorded = (): Recorded[] => JSON.parse(readFileSync(join(folder, 'chat/expected.json'), 'utf8'))

describe.skipIf(!isThere)('chat completions and messages, as recorded', () => {
  for (const { file, dialect, back, expect: expected } of isThere ? recorded() : [])
    it(file, async () => {
      const events = await decode(dialect, readFileSync(join(folder, 'chat', file)))
      const { text, reasoning, calls, usage, error, native, last } = gather(events)
      expect({ text, reasoning, calls, usage, error }).toEqual({
        text: expected.text,
        reasoning: expected.reasoning,
        calls: expected.calls.map(({ extra_content: _, ...call }) => call),
        usage: expected.usage,
        error: null,
      })
      expect(last).toEqual({ type: 'end', reason: 'stop' })
      if (!back) return

      // What the server wants back with the results is in the next request.
      const [call] = calls
      if (!call || !native) throw new Error('There is nothing to send back.')
      await using server = await serve(replay(readFileSync(join(folder, 'chat', file)), 1 << 20))
      const model = openaiModel({ baseUrl: server.url, key })
      const host = new URL(server.url).host
      await collect(
        model.stream(
          ask({
            messages: [
              { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
              { role: 'assistant', text, calls, native: { ...native, from: `chat ${host} test-model` } },
              {
                role: 'tool',
                callId: call.id,
                name: call.name,
                content: [{ type: 'text', text: 'ok' }],
                isError: false,
              },
            ],
          }),
        ),
      )
      const sent = server.requests[0]?.body.messages.find(({ role }: { role: string }) => role === 'assistant')
      if (back === 'reasoning_content') expect(sent.reasoning_content).toBe(expected.reasoning)
      else expect(sent.tool_calls[0].extra_content).toEqual(expected.calls[0]?.extra_content)
    })
})

/** What the events themselves say came out: the items of `output_item.done`, and their deltas. */
const readPlainly = (body: string) => {
  const values = body
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)
  const items = values.flatMap((value) =>
    value.type === 'response.output_item.done' && isRecord(value.item) ? [value.item] : [],
  )
  const messages = items
    .filter((item) => item.type === 'message')
    .map((item) =>
      listOf(item.content)
        .map((part) => textOf(field(part, 'text')))
        .join(''),
    )
  const ends = values.filter(({ type }) => type === 'response.completed')
  const usages = ends.map((value) => field(value.response, 'usage'))
  const deltas = (type: string) =>
    values.flatMap((value) => (value.type === type ? [textOf(value.delta)] : [])).join('')
  return {
    items,
    messages,
    failed: values.some(({ type }) => type === 'error' || type === 'response.failed'),
    thoughts: deltas('response.reasoning_summary_text.delta') + deltas('response.reasoning_text.delta'),
    input: usages.reduce<number>((sum, usage) => sum + Number(field(usage, 'input_tokens') ?? 0), 0),
    output: usages.reduce<number>((sum, usage) => sum + Number(field(usage, 'output_tokens') ?? 0), 0),
  }
}

describe.skipIf(!isThere)('responses, as recorded', () => {
  const files = isThere ? readdirSync(join(folder, 'responses')).filter((name) => name.endsWith('.sse')) : []
  for (const file of files)
    it(`${file} loses nothing`, async () => {
      const body = readFileSync(join(folder, 'responses', file))
      const plain = readPlainly(body.toString())
      const { text, reasoning, calls, usage, error, native, last } = gather(await decode('responses', body))
      if (plain.failed) {
        expect(error).toBe('quota')
        return
      }
      expect(last).toEqual({ type: 'end', reason: 'stop' })
      expect(text).toBe(plain.messages.filter(Boolean).join('\n\n'))
      expect(reasoning.replaceAll('\n', '')).toBe(plain.thoughts.replaceAll('\n', ''))
      expect(calls).toEqual(
        plain.items
          .filter((item) => item.type === 'function_call')
          .map((item) => ({ id: item.call_id, name: item.name, arguments: item.arguments })),
      )
      expect(usage).toEqual({ input: plain.input, output: plain.output })
      const isMore = (item: Record<string, unknown>) =>
        (item.type !== 'message' && item.type !== 'function_call') || item.phase !== undefined
      // Hosted tools, thoughts and encrypted thoughts are kept as they came.
      expect(native?.items ?? null).toEqual(plain.items.some(isMore) ? plain.items : null)
    })
})
