import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll } from 'vitest'

interface Asked {
  model: string
  messages: { role: string; content: unknown }[]
  [field: string]: unknown
}

interface EchoModel {
  url(): string
  /** Every request, as it came. */
  requests: Asked[]
  /** Answers wait until the returned function is called. */
  hold(): () => void
  /** What it says instead of an echo, when that is not enough. */
  script: ((request: Asked) => string | null) | null
  close(): void
}

/** A model behind real HTTP that says what was last said to it. */
export function openEcho(): EchoModel {
  let port = 0
  let gate: Promise<void> = Promise.resolve()
  const server = createServer(async (incoming, response) => {
    let text = ''
    for await (const chunk of incoming) text += chunk
    const request = JSON.parse(text || '{}') as Asked
    model.requests.push(request)
    await gate
    const words = model.script?.(request) ?? `You said: ${lastWords(request)}`
    const chunk = { choices: [{ index: 0, delta: { content: words }, finish_reason: 'stop' }] }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  })
  const model: EchoModel = {
    url: () => `http://127.0.0.1:${port}`,
    requests: [],
    script: null,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  return model
}

export const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : (content as { text?: string }[]).map((part) => part.text ?? '').join('\n')

const lastWords = ({ messages }: Asked): string =>
  textOf(messages.filter(({ role }) => role === 'user').at(-1)?.content ?? '')
