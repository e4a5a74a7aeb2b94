import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * For the tests: model servers over HTTP that refuse exactly what the vendors refuse, by vendor and generation. Each plays
 * one turn: it thinks and calls a tool, and with the result of that call it answers. What it wants back it looks for.
 */

// biome-ignore lint/suspicious/noExplicitAny: stand-ins look at whatever was sent
type Body = any

export interface VendorRequest {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Body
}

type Outcome = { refuse: { status: number; body: unknown } } | { events: object[]; named?: boolean; done?: boolean }

/** One interface of a vendor: what it answers to a request, or refuses. */
export type Endpoint = (request: VendorRequest) => Outcome

export const serveVendor = async (paths: Record<string, Endpoint>) => {
  const requests: (VendorRequest & { refused: string | null })[] = []
  const server = createServer(async (incoming, response) => {
    let text = ''
    for await (const chunk of incoming) text += chunk
    const path = (incoming.url ?? '').replace(/^\/v1/, '')
    const request = { path, headers: incoming.headers, body: JSON.parse(text || 'null') }
    const endpoint = Object.hasOwn(paths, path) ? paths[path] : undefined
    const outcome = endpoint
      ? endpoint(request)
      : { refuse: { status: 404, body: { error: { message: `Not Found: ${path}` } } } }
    requests.push({ ...request, refused: 'refuse' in outcome ? JSON.stringify(outcome.refuse.body) : null })
    answer(response, outcome)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const answer = (response: ServerResponse, outcome: Outcome) => {
  if ('refuse' in outcome) {
    response.writeHead(outcome.refuse.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(outcome.refuse.body))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of outcome.events) {
    const name = outcome.named && 'type' in event ? `event: ${String(event.type)}\n` : ''
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
  response.end(outcome.done ? 'data: [DONE]\n\n' : '')
}

/** OpenAI's form of a refusal. */
export const refusal = (message: string, param: string | null = null, code: string | null = null): Outcome => ({
  refuse: { status: 400, body: { error: { message, type: 'invalid_request_error', param, code } } },
})

export const claudeRefusal = (message: string): Outcome => ({
  refuse: { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } },
})
