import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A model that answers at once: a number of calls of the agent's shell tool, then an end. What passes between one answer
 * and the next request is the agent's own cost of a turn. Each command has a number of its own, since a model that makes
 * the same call again and again is stopped or warned, and that is not what is measured.
 */
export interface InstantModel {
  address: string
  /** Starts over and forgets what was seen. */
  reset(): void
  /** Milliseconds from the end of each answer to the next request of the same conversation. */
  gaps(): number[]
  /** Bytes of the first request that offers tools. */
  firstBytes(): number
  close(): void
}

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
}

interface ChatRequest {
  stream?: boolean
  messages?: { role: string }[]
  tools?: { function: { name: string; parameters?: Schema } }[]
}

const shellNames = /^(developer__)?(bash|shell|exec|execute|run_command)$/i

export async function startInstantModel(calls: number, command: string): Promise<InstantModel> {
  let gaps: number[] = []
  let firstBytes = 0
  let answeredAt = 0

  const answer = (body: string, response: ServerResponse): void => {
    const request = JSON.parse(body) as ChatRequest
    const shell = request.tools?.map((tool) => tool.function).find(({ name }) => shellNames.test(name))
    // Agents also ask for a title and the like, without tools and beside the conversation.
    if (!shell) {
      reply(response, request, { content: 'done' }, 'stop')
      return
    }
    if (answeredAt > 0) gaps.push(performance.now() - answeredAt)
    firstBytes ||= Buffer.byteLength(body)
    const made = request.messages?.filter(({ role }) => role === 'tool').length ?? 0
    if (made >= calls) {
      reply(response, request, { content: 'done' }, 'stop')
      return
    }
    const call = { name: shell.name, arguments: JSON.stringify(argumentsFor(shell.parameters, `${command} ${made}`)) }
    const delta = { tool_calls: [{ index: 0, id: `call_${made}`, type: 'function', function: call }] }
    reply(response, request, delta, 'tool_calls')
    answeredAt = performance.now()
  }

  const server = createServer((request, response) => {
    if (request.method === 'GET') return void json(response, { object: 'list', data: [{ id: 'instant' }] })
    readBody(request).then(
      (body) => answer(body, response),
      () => response.destroy(),
    )
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reset() {
      gaps = []
      firstBytes = 0
      answeredAt = 0
    },
    gaps: () => gaps,
    firstBytes: () => firstBytes,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Whatever the tool calls its command, and something harmless for all else that it cannot do without. */
function argumentsFor(schema: Schema | undefined, command: string): Record<string, unknown> {
  const wanted = Object.entries(schema?.properties ?? {}).filter(
    ([name]) => name === 'command' || schema?.required?.includes(name),
  )
  return Object.fromEntries(wanted.map(([name, { type }]) => [name, name === 'command' ? command : harmless(type)]))
}

const harmless = (type: string | undefined): unknown =>
  type === 'number' || type === 'integer' ? 10_000 : type === 'boolean' ? false : 'a step'

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

function reply(response: ServerResponse, request: ChatRequest, delta: object, reason: string): void {
  const common = { id: 'answer', created: 1, model: 'instant' }
  if (!request.stream) {
    const message = { role: 'assistant', content: null, ...delta }
    const choices = [{ index: 0, message, finish_reason: reason }]
    json(response, { ...common, object: 'chat.completion', choices, usage })
    return
  }
  const chunk = (choices: object[], more: object = {}): string =>
    `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(
    chunk([{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }]) +
      chunk([{ index: 0, delta: {}, finish_reason: reason }]) +
      chunk([], { usage }) +
      'data: [DONE]\n\n',
  )
}

function json(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}
