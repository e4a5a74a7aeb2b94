/**
 * A model server that says what a test tells it to, over real HTTP: OpenAI's /chat/completions and Anthropic's
 * /messages, streamed. Each request takes the next turn of the script; what was asked is kept for the test to read.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { anthropicWire } from './scripted-model-anthropic.ts'
import { openaiWire } from './scripted-model-openai.ts'

type Step =
  | { text: string }
  | { reasoning: string }
  /** `args` as a string is sent as it is, so that it may be broken JSON. */
  | { call: string; args?: unknown; id?: string }
  | { usage: { input: number; output: number; cached?: number } }
  /** Ends as an answer does that was cut at the token limit. */
  | { length: true }
  | { delay: number }
  /** Holds the stream until the test opens the gate. */
  | { gate: Gate }
  /** Answers with this status instead of a stream; only as the first step. */
  | { status: number; body?: unknown; headers?: Record<string, string> }
  /** Drops the connection in the middle of the stream. */
  | { cut: true }
  /** Says nothing more, and leaves the connection open. */
  | { silence: true }

export type Turn = readonly Step[]

interface Gate {
  readonly opened: Promise<void>
  /** Settles when a stream has come to this gate. */
  readonly reached: Promise<void>
  open(): void
  reach(): void
}

export interface ModelRequest {
  api: 'openai' | 'anthropic'
  path: string
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: the tests pick apart whatever was sent
  body: any
  /** The body as it came, byte by byte. */
  bytes: Buffer
  /** Whether the client hung up before the answer was complete. */
  aborted: boolean
}

export interface ScriptedModel {
  /** For an OpenAI-compatible provider; Anthropic's is the same address. */
  readonly baseUrl: string
  readonly requests: ModelRequest[]
  /** Adds turns to the end of the script. */
  push(...turns: Turn[]): void
  /** Turns that no request has taken yet. */
  readonly left: number
  /** Settles when at least this many requests have come in. */
  requested(count: number): Promise<ModelRequest>
  close(): Promise<void>
}

interface ScriptOptions {
  /** What GET /models lists. */
  models?: readonly string[]
  /** Answers requests beyond the end of the script; without it they get an error that says so. */
  otherwise?: (request: ModelRequest) => Turn
}

/** What differs between the two APIs: how a step is written to the stream. */
export interface Wire {
  begin(): string
  step(step: { text: string } | { reasoning: string } | { call: string; id: string; args: string }): string
  end(usage: { input: number; output: number; cached?: number }, why: 'stop' | 'calls' | 'length'): string
}

/** A turn that only says `text`, in a few pieces. */
export function says(text: string): Turn {
  const middle = Math.ceil(text.length / 2)
  return [{ text: text.slice(0, middle) }, { text: text.slice(middle) }]
}

/** A turn that calls one tool. */
export function calls(name: string, args: unknown = {}): Turn {
  return [{ call: name, args }]
}

export function gate(): Gate {
  let open = () => {}
  let reach = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  return { opened, reached, open: () => open(), reach: () => reach() }
}

export async function scriptedModel(turns: readonly Turn[] = [], options: ScriptOptions = {}): Promise<ScriptedModel> {
  const script = [...turns]
  const requests: ModelRequest[] = []
  const arrivals = new Set<() => void>()

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '/').split('?')[0] ?? '/'
    if (path.endsWith('/models')) {
      const data = (options.models ?? ['scripted']).map((id) => ({
        id,
        object: 'model',
        type: 'model',
        display_name: id,
      }))
      return sendJson(response, 200, { object: 'list', data })
    }
    const api = path.endsWith('/messages') ? 'anthropic' : path.endsWith('/chat/completions') ? 'openai' : undefined
    if (!api || incoming.method !== 'POST')
      return sendJson(response, 404, { error: { message: `no such path: ${path}` } })

    const bytes = await readBytes(incoming)
    const request: ModelRequest = {
      api,
      path,
      headers: incoming.headers,
      body: JSON.parse(bytes.toString('utf8') || 'null'),
      bytes,
      aborted: false,
    }
    response.on('close', () => {
      request.aborted = !response.writableFinished
    })
    requests.push(request)
    for (const arrived of arrivals) arrived()
    const turn = script.shift() ?? options.otherwise?.(request)
    if (!turn)
      return sendJson(response, 400, { error: { type: 'invalid_request_error', message: 'the script has ended' } })
    await play(turn, request, response)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    push: (...more) => void script.push(...more),
    get left() {
      return script.length
    },
    requested: (count) =>
      new Promise((resolve) => {
        const look = () => {
          const last = requests[count - 1]
          if (!last) return
          arrivals.delete(look)
          resolve(last)
        }
        arrivals.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

async function play(turn: Turn, request: ModelRequest, response: ServerResponse): Promise<void> {
  const first = turn[0]
  if (first && 'status' in first) {
    const body = first.body ?? { error: { type: 'scripted', message: `scripted status ${first.status}` } }
    return sendJson(response, first.status, body, first.headers)
  }
  const wire = request.api === 'openai' ? openaiWire(request.body) : anthropicWire(request.body)
  let usage = { input: 10, output: 5 }
  let why: 'stop' | 'calls' | 'length' = 'stop'
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.write(wire.begin())
  for (const step of turn) {
    if (response.destroyed) return
    if ('usage' in step) usage = step.usage
    else if ('length' in step) why = 'length'
    else if ('delay' in step) await sleep(step.delay)
    else if ('gate' in step) {
      step.gate.reach()
      await step.gate.opened
    } else if ('silence' in step) return
    else if ('cut' in step) return cut(response)
    else if ('call' in step) {
      why = 'calls'
      const args = typeof step.args === 'string' ? step.args : JSON.stringify(step.args ?? {})
      const id = step.id ?? `call_${Math.random().toString(36).slice(2, 10)}`
      response.write(wire.step({ call: step.call, id, args }))
    } else if ('text' in step || 'reasoning' in step) response.write(wire.step(step))
    else throw new Error('a status can only be the first step of a turn')
  }
  response.end(wire.end(usage, why))
}

/** Lets what was written reach the client first, or the cut would look like a refused connection. */
async function cut(response: ServerResponse): Promise<void> {
  await sleep(20)
  response.destroy()
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

async function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
