import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelEvent, ModelRequest } from './model'

/** For the tests: a real HTTP server whose replies are functions, one for each request in turn (the last one repeats). */

interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into whatever was sent
  body: any
}

export type Reply = (response: ServerResponse, request: Received) => void | Promise<void>

export const serve = async (...replies: Reply[]) => {
  const requests: Received[] = []
  const server = createServer(async (incoming, response) => {
    let text = ''
    for await (const chunk of incoming) text += chunk
    const { method = '', url = '', headers } = incoming
    const received = { method, url, headers, body: text ? JSON.parse(text) : null }
    requests.push(received)
    await replies[Math.min(requests.length, replies.length) - 1]?.(response, received)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let connections = 0
  server.on('connection', () => connections++)
  return {
    connections: () => connections,
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const sse = (...events: unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')

/** A reply of server-sent events in the manner of OpenAI, with [DONE] at its end. */
export const chat =
  (...chunks: unknown[]): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(sse(...chunks, '[DONE]'))
  }

export const say = (content: string, finish: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
})

export const callChunk = (id: string, name: string, args: unknown, index = 0) => ({
  choices: [
    {
      index: 0,
      delta: { tool_calls: [{ index, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }] },
      finish_reason: null,
    },
  ],
})

export const finish = (reason: string) => ({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })

export const status =
  (code: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const type = text.startsWith('<') ? 'text/html' : 'application/json'
    response.writeHead(code, { 'content-type': type, ...headers })
    response.end(text)
  }

export const ask = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'test-model',
  system: 'Be brief.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  maxOutputTokens: 1000,
  signal: new AbortController().signal,
  ...over,
})

export const collect = async (stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> => {
  const events: ModelEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}
