import { expect, test } from '@playwright/test'
import { calls, gate, says, scriptedModel, type Turn } from './scripted-model'

async function ask(turns: Turn[], path = '/chat/completions') {
  const model = await scriptedModel(turns)
  const response = await fetch(model.baseUrl + path, { method: 'POST', body: JSON.stringify({ model: 'm', n: 1 }) })
  return { model, response }
}

function chunks(stream: string) {
  const data = stream.split('\n').filter((line) => line.startsWith('data: {'))
  return data.map((line) => JSON.parse(line.slice('data: '.length)))
}

test('streams text and records the request', async () => {
  const { model, response } = await ask([says('Hello there')])
  const stream = await response.text()
  const text = chunks(stream).map((chunk) => chunk.choices[0]?.delta.content ?? '')
  expect(text.join('')).toBe('Hello there')
  expect(stream).toContain('data: [DONE]')
  expect(model.requests.map(({ api, body, aborted }) => ({ api, body, aborted }))).toEqual([
    { api: 'openai', body: { model: 'm', n: 1 }, aborted: false },
  ])
  expect(model.left).toBe(0)
  await model.close()
})

test('sends the arguments of a call in pieces and as they are, even broken', async () => {
  const { model, response } = await ask([[{ call: 'Bash', id: 'c1', args: '{"command": ' }]])
  const deltas = chunks(await response.text()).flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])
  expect(deltas.map((delta) => delta.function.arguments).join('')).toBe('{"command": ')
  expect(deltas[0]).toMatchObject({ index: 0, id: 'c1', function: { name: 'Bash' } })
  await model.close()
})

test('speaks the other API with one block after the other', async () => {
  const turn: Turn = [{ reasoning: 'hm' }, { text: 'a' }, { text: 'b' }, ...calls('Read', { path: 'x' })]
  const { model, response } = await ask([turn], '/messages')
  const events = chunks(await response.text())
  const started = events.filter((event) => event.type === 'content_block_start')
  expect(started.map((event) => [event.index, event.content_block.type])).toEqual([
    [0, 'thinking'],
    [1, 'text'],
    [2, 'tool_use'],
  ])
  const closed = events.filter((event) => event.type === 'content_block_stop')
  expect(closed.map((event) => event.index)).toEqual([0, 1, 2])
  await model.close()
})

test('holds the stream at a gate until it is opened', async () => {
  const door = gate()
  const { model, response } = await ask([[{ text: 'before' }, { gate: door }, { text: 'after' }]])
  await door.reached
  const reader = response.body?.getReader()
  const first = new TextDecoder().decode((await reader?.read())?.value)
  expect(first).not.toContain('after')
  door.open()
  let rest = ''
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    rest += new TextDecoder().decode(part.value)
  }
  expect(rest).toContain('after')
  await model.close()
})

test('fails as it is told to: by status, by a cut, by the end of the script', async () => {
  const model = await scriptedModel([
    [{ status: 429, headers: { 'retry-after': '1' } }],
    [{ text: 'x' }, { cut: true }],
  ])
  const post = () => fetch(`${model.baseUrl}/chat/completions`, { method: 'POST', body: '{}' })
  const limited = await post()
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1'])
  await expect(post().then((response) => response.text())).rejects.toThrow()
  expect((await post()).status).toBe(400)
  expect(model.requests[1]?.aborted).toBe(true)
  await model.close()
})
