import { describe, expect, it } from 'vitest'
import type { Content } from '../../src-preload/contract/content'
import { type LoopEvent, runTurn, type TurnOptions, type TurnPorts } from './loop'
import type { Model, ModelCall, ModelEvent, ModelMessage } from './model'
import { openaiModel } from './openai'
import { callChunk, chat, finish, type Reply, say, serve, sse, status } from './test-server'

const text = (words: string): Content[] => [{ type: 'text', text: words }]

/** A session as small as can be: it keeps the conversation and a list of all that happened. */
const session = (over: Partial<TurnPorts> = {}) => {
  const log: string[] = []
  const events: LoopEvent[] = []
  const messages: ModelMessage[] = [{ role: 'user', content: text('Go.') }]
  let open = false
  const ports: TurnPorts = {
    nextRequest: async () => ({
      system: 'Be brief.',
      messages,
      tools: [{ name: 'Bash', description: 'Runs.', parameters: { type: 'object' } }],
    }),
    readOnly: (name) => name === 'Read',
    emit(event) {
      events.push(event)
      if (event.type === 'assistant-start') {
        expect(open).toBe(false)
        open = true
      }
      if (event.type === 'assistant-end' || event.type === 'discard') {
        expect(open).toBe(true)
        open = false
      }
      if (event.type === 'assistant-end') messages.push({ role: 'assistant', text: event.text, calls: event.calls })
    },
    async execute(call) {
      log.push(`${call.name} ${call.arguments}`)
      const content = text('ok')
      messages.push({ role: 'tool', callId: call.id, name: call.name, content, isError: false })
      return { content, isError: false }
    },
    remark: (call) => log.push(`remark ${call.name}`),
    steered: () => false,
    pause: async () => {
      log.push('pause')
      return 'stop'
    },
    ...over,
  }
  const ends = () => events.filter((event) => event.type === 'assistant-end')
  return { ports, log, events, messages, ends }
}

const optionsFor = (model: Model, over: Partial<TurnOptions> = {}): TurnOptions => ({
  model,
  modelName: 'test-model',
  maxIterations: 20,
  maxOutputTokens: 1000,
  firstByteMs: 20_000,
  idleMs: 20_000,
  attempts: 3,
  backoffMs: 1,
  signal: new AbortController().signal,
  ...over,
})

const turnWith = async (replies: Reply[], over: Partial<TurnOptions> = {}, ports: Partial<TurnPorts> = {}) => {
  await using server = await serve(...replies)
  const own = session(ports)
  const model = openaiModel({ baseUrl: server.url, key: () => null })
  const outcome = await runTurn(own.ports, optionsFor(model, over))
  return { ...own, outcome, requests: server.requests }
}

/** A model from a list of answers, where the network does not matter. */
const scripted = (...answers: ModelEvent[][]): Model => {
  let turn = 0
  return {
    async *stream() {
      yield* answers[Math.min(turn++, answers.length - 1)] ?? []
    },
  }
}

const end: ModelEvent = { type: 'end', reason: 'stop' }
const calling = (...calls: [string, string, unknown][]): ModelEvent[] => [
  ...calls.map(
    ([id, name, args]): ModelEvent => ({ type: 'call', call: { id, name, arguments: JSON.stringify(args) } }),
  ),
  end,
]

describe('a turn', () => {
  it('streams, runs the calls and asks again, whatever the finish reason says', async () => {
    const { outcome, log, events, requests } = await turnWith([
      chat(say('Looking. '), callChunk('a', 'Bash', { command: 'ls' }), finish('stop')),
      chat(say('Done'), say('.'), finish('tool_calls'), {
        choices: [],
        usage: { prompt_tokens: 9, completion_tokens: 2 },
      }),
    ])
    expect(outcome).toEqual({ reason: 'done', iterations: 2 })
    expect(log).toEqual(['Bash {"command":"ls"}'])
    expect(events).toEqual([
      { type: 'assistant-start' },
      { type: 'delta', kind: 'text', text: 'Looking. ' },
      { type: 'spent', usage: { inputTokens: expect.any(Number), outputTokens: 8, cachedTokens: 0 } },
      {
        type: 'assistant-end',
        text: 'Looking. ',
        reasoning: '',
        reasoningMs: 0,
        calls: [{ id: 'a', name: 'Bash', arguments: '{"command":"ls"}' }],
        usage: null,
      },
      { type: 'assistant-start' },
      { type: 'delta', kind: 'text', text: 'Done' },
      { type: 'delta', kind: 'text', text: '.' },
      {
        type: 'assistant-end',
        text: 'Done.',
        reasoning: '',
        reasoningMs: 0,
        calls: [],
        usage: { inputTokens: 9, outputTokens: 2, cachedTokens: 0 },
      },
    ])
    expect(requests[1]?.body.messages.at(-1)).toEqual({ role: 'tool', tool_call_id: 'a', content: 'ok' })
  })

  it('keeps a thought that came as text as what it was', async () => {
    const { outcome, events } = await turnWith([chat(say('Hm.\n'), say('</think>\n\n'), say('Yes.'), finish('stop'))])
    expect(outcome).toEqual({ reason: 'done', iterations: 1 })
    expect(events.at(-1)).toMatchObject({ type: 'assistant-end', text: 'Yes.', reasoning: 'Hm.' })
    const whole = { choices: [{ message: { content: 'Hm.\n</think>\n\nYes.' }, finish_reason: 'stop' }] }
    const atOnce = await turnWith([status(200, whole)])
    expect(atOnce.events.at(-1)).toMatchObject({ text: 'Yes.', reasoning: 'Hm.', reasoningMs: 0 })
  })

  it('stops at the limit of iterations', async () => {
    let n = 0
    const model: Model = { stream: () => scripted(calling(['', 'Bash', { n: n++ }])).stream({} as never) }
    const { ports, log } = session()
    expect(await runTurn(ports, optionsFor(model, { maxIterations: 4 }))).toEqual({ reason: 'limit', iterations: 4 })
    expect(log).toHaveLength(4)
  })

  it('goes on when the user has steered', async () => {
    const steers = [true, false]
    const { ports } = session({ steered: () => steers.shift() ?? false })
    const model = scripted([{ type: 'text', text: 'a' }, end])
    expect(await runTurn(ports, optionsFor(model))).toEqual({ reason: 'done', iterations: 2 })
  })

  it('runs neighbouring readers side by side, everything else in order', async () => {
    const order: string[] = []
    const gate = Promise.withResolvers<void>()
    const { ports } = session({
      async execute(call) {
        order.push(`+${call.id}`)
        if (call.id === 'r1') await gate.promise
        if (call.id === 'r2') gate.resolve()
        order.push(`-${call.id}`)
        return { content: text(call.id), isError: false }
      },
    })
    const calls = ['w1 Bash', 'r1 Read', 'r2 Read', 'w2 Bash', 'w3 Bash'].map((entry): [string, string, unknown] => {
      const [id = '', name = ''] = entry.split(' ')
      return [id, name, { id }]
    })
    await runTurn(ports, optionsFor(scripted(calling(...calls), [{ type: 'text', text: 'ok' }, end])))
    expect(order).toEqual(['+w1', '-w1', '+r1', '+r2', '-r2', '-r1', '+w2', '-w2', '+w3', '-w3'])
  })

  it('runs a hundred calls of one answer, a few at a time', async () => {
    let running = 0
    let most = 0
    const done: string[] = []
    const { ports } = session({
      async execute(call) {
        most = Math.max(most, ++running)
        await new Promise(setImmediate)
        running--
        done.push(call.id)
        return { content: text(call.id), isError: false }
      },
    })
    const calls = Array.from({ length: 100 }, (_, i): [string, string, unknown] => [`c${i}`, 'Read', { i }])
    await runTurn(ports, optionsFor(scripted(calling(...calls), [{ type: 'text', text: 'ok' }, end])))
    expect(done).toHaveLength(100)
    expect(most).toBe(8)
  })

  it('gives every call an id of its own', async () => {
    const { ports, ends, log } = session()
    const model = scripted(calling(['x', 'Bash', 1], ['x', 'Bash', 2], ['', 'Bash', 3]), calling(['x', 'Bash', 4]), [
      { type: 'text', text: 'ok' },
      end,
    ])
    await runTurn(ports, optionsFor(model))
    // The second one repeats an id of its own answer and is not run; the fourth comes from a server that counts afresh.
    expect(log).toEqual(['Bash 1', 'Bash 3', 'Bash 4'])
    const ids = ends().flatMap((event) => event.calls.map((call) => call.id))
    expect(ids[0]).toBe('x')
    expect(new Set(ids).size).toBe(4)
    expect(ids.every((id) => /^[\w-]{1,40}$/.test(id))).toBe(true)
  })

  it('turns a bug in a tool into a failure that is shown', async () => {
    const bug = new Error('table locked')
    const { ports, ends } = session({ execute: () => Promise.reject(bug) })
    const outcome = await runTurn(ports, optionsFor(scripted(calling(['a', 'Bash', {}]))))
    expect(outcome).toMatchObject({ reason: 'failed', error: { kind: 'internal' }, cause: bug })
    expect(ends().at(-1)?.error?.message).toContain('table locked')
  })
})

describe('calls that are not run', () => {
  const cut = (n: number): ModelEvent[] => [
    { type: 'call', call: { id: `c${n}`, name: 'Bash', arguments: '{"command":"rm -r bui' } },
    { type: 'end', reason: 'length' },
  ]

  it('go back to the model, which may go on', async () => {
    const { ports, log, ends } = session()
    const model = scripted(cut(1), calling(['b', 'Bash', 2]), [{ type: 'text', text: 'ok' }, end])
    expect((await runTurn(ports, optionsFor(model))).reason).toBe('done')
    expect(log).toEqual(['Bash 2'])
    expect(ends()[0]?.calls[0]?.refused).toContain('1000 tokens')
  })

  it('end the turn when nothing else comes', async () => {
    let n = 0
    const model: Model = { stream: () => scripted(cut(n++)).stream({} as never) }
    const { ports, log, ends } = session()
    expect(await runTurn(ports, optionsFor(model))).toMatchObject({
      reason: 'failed',
      iterations: 3,
      error: { kind: 'cut' },
    })
    expect(log).toEqual([])
    expect(ends().at(-1)?.error?.message).toContain('last 3 answers')
  })
})

describe('repetition', () => {
  const poll = { id: '', name: 'Read', arguments: '{"path":"log"}' }
  const again: ModelEvent[] = [{ type: 'call', call: poll }, end]
  const result = (n: number) =>
    text(JSON.stringify({ status: 'completed', sessionId: `id-${n}`, startedAt: n, durationMs: n, output: 'same' }))

  it('tells the model at the third and asks the user at the fifth', async () => {
    let n = 0
    const { ports, log } = session({ execute: async () => ({ content: result(n++), isError: false }) })
    expect(await runTurn(ports, optionsFor(scripted(again)))).toEqual({ reason: 'stopped', iterations: 5 })
    expect(log).toEqual(['remark Read', 'pause'])
  })

  it('starts to count afresh when the user lets it go on', async () => {
    let pauses = 0
    const { ports } = session({ pause: async () => (++pauses === 2 ? 'stop' : 'continue') })
    expect(await runTurn(ports, optionsFor(scripted(again)))).toEqual({ reason: 'stopped', iterations: 10 })
  })

  it('lets a call be repeated whose result changes, or between changes', async () => {
    let n = 0
    const changing = session({ execute: async () => ({ content: text(`${n++}`), isError: false }) })
    expect((await runTurn(changing.ports, optionsFor(scripted(again)))).reason).toBe('limit')
    let step = 0
    const edits: Model = {
      stream: () => scripted(step++ % 2 ? again : calling(['', 'Edit', { step }])).stream({} as never),
    }
    const working = session()
    expect((await runTurn(working.ports, optionsFor(edits))).reason).toBe('limit')
    expect(working.log).not.toContain('pause')
  })

  it('sees through two calls that alternate', async () => {
    let step = 0
    const model: Model = {
      stream: () => scripted(calling(['', 'Bash', { command: step++ % 2 ? 'a' : 'b' }])).stream({} as never),
    }
    const { ports, log } = session()
    expect((await runTurn(ports, optionsFor(model))).reason).toBe('stopped')
    expect(log.at(-1)).toBe('pause')
  })
})

describe('trouble on the way', () => {
  it('tries again before any output, and says so', async () => {
    const { outcome, events, requests } = await turnWith([
      status(503, ''),
      status(429, {}, { 'retry-after-ms': '20' }),
      chat(say('ok', 'stop')),
    ])
    expect(outcome).toEqual({ reason: 'done', iterations: 1 })
    expect(requests).toHaveLength(3)
    expect(events.filter((event) => event.type === 'waiting')).toEqual([
      { type: 'waiting', phase: 'retry', secondsLeft: 1, attempt: 2, reason: expect.stringContaining('503') },
      {
        type: 'waiting',
        phase: 'retry',
        secondsLeft: 1,
        attempt: 3,
        reason: expect.stringContaining('Too many requests'),
      },
    ])
  })

  it('gives up after the given attempts, with the error in the transcript', async () => {
    const { outcome, requests, ends } = await turnWith([status(500, '')])
    expect(requests).toHaveLength(3)
    expect(outcome).toMatchObject({ reason: 'failed', error: { kind: 'server', retryable: true } })
    expect(ends().map((event) => event.error?.kind)).toEqual(['server'])
  })

  it('does not try again what would fail again, or later than is sensible', async () => {
    for (const reply of [
      status(401, {}),
      status(400, {}),
      status(402, {}),
      status(429, {}, { 'retry-after': '3600' }),
    ]) {
      const { outcome, requests } = await turnWith([reply])
      expect(outcome.reason).toBe('failed')
      expect(requests).toHaveLength(1)
    }
  })

  it('keeps the text of a cut answer, runs none of its calls and offers a retry', async () => {
    const cut: Reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`${sse(say('Half of'), callChunk('a', 'Bash', { command: 'rm x' }))}data: {"cho`, () =>
        response.destroy(),
      )
    }
    const { outcome, log, ends, requests } = await turnWith([cut])
    expect(outcome).toMatchObject({ reason: 'failed', error: { kind: 'cut', retryable: true } })
    expect(ends()).toMatchObject([{ text: 'Half of', calls: [], error: { kind: 'cut' } }])
    expect(log).toEqual([])
    expect(requests).toHaveLength(1)
  })

  it('repeats a cut answer once when nothing of it was shown', async () => {
    const broken: ModelEvent[] = [
      { type: 'call', call: { id: 'a', name: 'Bash', arguments: '{}' } },
      { type: 'error', error: { kind: 'cut', message: 'cut', retryable: true } },
    ]
    const good = session()
    const mended = await runTurn(good.ports, optionsFor(scripted(broken, [{ type: 'text', text: 'ok' }, end])))
    expect(mended.reason).toBe('done')
    expect(good.events.map((event) => event.type)).toEqual([
      'assistant-start',
      'spent',
      'discard',
      'waiting',
      'again',
      'assistant-start',
      'delta',
      'spent',
      'assistant-end',
    ])
    const bad = session()
    expect(await runTurn(bad.ports, optionsFor(scripted(broken)))).toMatchObject({
      reason: 'failed',
      error: { kind: 'cut' },
    })
    expect(bad.log).toEqual([])
    expect(bad.events.filter((event) => event.type === 'discard')).toHaveLength(1)
  })

  it('keeps what came before an error inside the stream', async () => {
    const overloaded = { error: { type: 'overloaded_error', message: 'Overloaded' } }
    const { outcome, ends } = await turnWith([chat(say('Partial'), overloaded)])
    expect(outcome.error?.kind).toBe('server')
    expect(ends()).toMatchObject([{ text: 'Partial', error: { kind: 'server' } }])
  })

  it('asks once more after an empty answer, then says so', async () => {
    const { outcome, requests, ends } = await turnWith([chat(finish('stop'))])
    expect(requests).toHaveLength(2)
    expect(outcome).toMatchObject({ reason: 'failed', error: { kind: 'bad-response' } })
    expect(ends()).toHaveLength(1)
    const second = await turnWith([chat(finish('stop')), chat(say('There', 'stop'))])
    expect(second.outcome.reason).toBe('done')
  })

  it('says when an answer was cut by its limit, and does not run a call of it', async () => {
    const long = await turnWith([chat(say('Once upon', 'length'))])
    expect(long.outcome.reason).toBe('done')
    expect(long.ends()[0]?.error?.message).toContain('1000 tokens')
    const half = {
      choices: [{ delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'Bash', arguments: '{"comm' } }] } }],
    }
    const call = await turnWith([chat(half, finish('length')), chat(say('ok', 'stop'))])
    expect(call.log).toEqual([])
    expect(call.outcome.reason).toBe('done')
  })

  it('shrinks a conversation that does not fit, once', async () => {
    const tooLong = status(400, { error: { code: 'context_length_exceeded', message: 'too long' } })
    let shrinks = 0
    const shrink = async () => ++shrinks > 0
    const mended = await turnWith([tooLong, chat(say('ok', 'stop'))], {}, { shrink })
    expect(mended.outcome).toEqual({ reason: 'done', iterations: 1 })
    const hopeless = await turnWith([tooLong], {}, { shrink })
    expect(hopeless.outcome).toMatchObject({ reason: 'failed', error: { kind: 'context-overflow' } })
    expect(hopeless.ends()).toHaveLength(1)
    expect(shrinks).toBe(2)
  })
})

describe('silence', () => {
  const silent: Reply = () => {}

  it('counts down, gives up and tries again when no answer begins', async () => {
    const { outcome, events, requests } = await turnWith([silent, chat(say('ok', 'stop'))], { firstByteMs: 4500 })
    expect(outcome.reason).toBe('done')
    expect(requests).toHaveLength(2)
    const waits = events.filter((event) => event.type === 'waiting')
    const [first, ...others] = waits
    expect(first).toEqual({ type: 'waiting', phase: 'first-byte', secondsLeft: 2, attempt: 1 })
    expect(others.at(-1)).toMatchObject({ type: 'waiting', phase: 'retry', secondsLeft: 1, attempt: 2 })
    expect(waits.map((wait) => wait.secondsLeft)).toEqual(
      waits.map((wait) => wait.secondsLeft).toSorted((x, y) => y - x),
    )
  })

  it('keeps the text of an answer that falls silent', async () => {
    const stalls: Reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(sse(say('Well,')))
    }
    const { outcome, ends } = await turnWith([stalls], { idleMs: 100 })
    expect(outcome).toMatchObject({ reason: 'failed', error: { kind: 'timeout' } })
    expect(ends()).toMatchObject([{ text: 'Well,', error: { kind: 'timeout' } }])
  })

  it('takes keep-alive bytes as a sign of life', async () => {
    const pings: Reply = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let i = 0; i < 10; i++) {
        response.write(': ping\n\n')
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      response.end(sse(say('ok', 'stop')))
    }
    const { outcome, requests } = await turnWith([pings], { firstByteMs: 500, idleMs: 500 })
    expect(outcome.reason).toBe('done')
    expect(requests).toHaveLength(1)
  })
})

describe('keep-alives alone', () => {
  const holdOpen =
    (line: string): Reply =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const timer = setInterval(() => response.write(line), 20)
      response.on('close', () => clearInterval(timer))
    }

  it.each([': ping\n\n', 'data: {"choices":[]}\n\n'])('time out in the end: %j', async (line) => {
    const { outcome } = await turnWith([holdOpen(line)], { firstByteMs: 600, idleMs: 600, attempts: 1 })
    expect(outcome).toMatchObject({
      reason: 'failed',
      error: { kind: 'timeout', message: expect.stringContaining('held the connection open') },
    })
  })

  it('are not what a long call is made of', async () => {
    const writes: Reply = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const piece = (args: string, id?: string) =>
        sse({
          choices: [
            {
              delta: {
                tool_calls: [
                  { index: 0, ...(id && { id }), function: { ...(id && { name: 'Write' }), arguments: args } },
                ],
              },
            },
          ],
        })
      response.write(piece('{"text":"', 'w'))
      for (let i = 0; i < 60; i++) {
        response.write(piece('x'))
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      response.end(piece('"}') + sse(finish('tool_calls')))
    }
    const { outcome, log } = await turnWith([writes, chat(say('ok', 'stop'))], {
      firstByteMs: 500,
      idleMs: 500,
      attempts: 1,
    })
    expect(outcome.reason).toBe('done')
    expect(log).toHaveLength(1)
  })
})

describe('stopping', () => {
  it('stops at every event, keeps what was shown and runs nothing afterwards', async () => {
    const answer = [
      say('One '),
      say('two '),
      callChunk('a', 'Bash', { n: 1 }),
      callChunk('b', 'Bash', { n: 2 }, 1),
      finish('stop'),
    ]
    let stoppedEverywhere = false
    for (let boundary = 1; !stoppedEverywhere; boundary++) {
      await using server = await serve(chat(...answer), chat(say('Done', 'stop')))
      const controller = new AbortController()
      let seen = 0
      let ranAfter = 0
      const own = session()
      const step = () => {
        if (++seen === boundary) controller.abort()
      }
      const ports: TurnPorts = {
        ...own.ports,
        emit(event) {
          own.ports.emit(event)
          step()
        },
        async execute(call: ModelCall) {
          if (controller.signal.aborted) ranAfter++
          step()
          return own.ports.execute(call)
        },
      }
      const model = openaiModel({ baseUrl: server.url, key: () => null })
      const outcome = await runTurn(ports, optionsFor(model, { signal: controller.signal }))
      expect(ranAfter).toBe(0)
      stoppedEverywhere = !controller.signal.aborted
      // A stop that comes with the very last event finds the turn done.
      if (controller.signal.aborted && seen > boundary - 1 && outcome.reason !== 'stopped')
        expect(own.events.at(-1)?.type).toBe('assistant-end')
      const open = own.events.filter((event) => event.type === 'assistant-start').length
      const closed = own.events.filter((event) => event.type === 'assistant-end' || event.type === 'discard').length
      expect(closed).toBe(open)
    }
  })

  it('does not wait for a model or a tool that ignores its signal', async () => {
    const deaf: Model = { stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }) }
    const first = new AbortController()
    const turn = runTurn(session().ports, optionsFor(deaf, { signal: first.signal }))
    setTimeout(() => first.abort(), 20)
    expect(await turn).toEqual({ reason: 'stopped', iterations: 1 })

    const second = new AbortController()
    const { ports } = session({
      execute: () => {
        second.abort()
        return new Promise(() => {})
      },
    })
    const stuck = runTurn(ports, optionsFor(scripted(calling(['a', 'Bash', {}])), { signal: second.signal }))
    expect((await stuck).reason).toBe('stopped')
  })

  it('stops while it waits to try again', async () => {
    const controller = new AbortController()
    const { outcome } = await turnWith(
      [status(503, '')],
      { backoffMs: 15_000, signal: controller.signal },
      {
        emit: (event) => {
          if (event.type === 'waiting') setTimeout(() => controller.abort(), 10)
        },
      },
    )
    expect(outcome.reason).toBe('stopped')
  })
})
