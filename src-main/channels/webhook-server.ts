import { createServer, type IncomingMessage as HttpRequest, type Server, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { listeningAddress } from '../listening-address'
import { idHeader, signatureHeader, timestampHeader, verify } from './signature'
import type { IncomingMessage } from './types'

const mostBodyBytes = 256 * 1024
const mostConnections = 50
/** Rate limit per channel: more than people write, but too little to flood the agent. */
const mostInAMinute = 120

const body = z.object({
  text: z.string().trim().min(1).max(100_000),
  sender: z.string().min(1).max(200),
  senderName: z.string().max(200).optional(),
  peer: z.string().min(1).max(200).optional(),
  peerKind: z.enum(['dm', 'group', 'channel', 'thread']).optional(),
  messageId: z.string().max(200).optional(),
})

interface ServerOptions {
  host: string
  port: number
  now(): number
  /** The signing key of a channel that accepts messages; `null` if there is no such channel. */
  keyFor(channel: string, accountId: string): string | null
  /** True the first time this request id is seen. */
  isNew(id: string): boolean
  take(message: IncomingMessage): void
  log(message: string, fields: Record<string, unknown>): void
}

export interface WebhookServer {
  url: string
  port: number
  close(): Promise<void>
}

/** Receives signed messages: `POST /channels/{channel}[/{account}]`. Responds without waiting for the agent. */
export const openWebhookServer = async (options: ServerOptions): Promise<WebhookServer> => {
  const recent = new Map<string, number[]>()

  /** Counted after the signature check, so that nobody else can use up a sender's limit. */
  const isTooMuch = (path: string): boolean => {
    const since = options.now() - 60_000
    const times = (recent.get(path) ?? []).filter((at) => at > since)
    recent.set(path, [...times, options.now()])
    return times.length >= mostInAMinute
  }

  const handle = async (request: HttpRequest, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://local').pathname
    const [, channel = '', accountId = 'default'] =
      /^\/channels\/([a-z0-9_-]{1,32})(?:\/([a-z0-9_-]{1,32}))?$/.exec(path) ?? []
    if (channel === '') return answer(response, 404, 'There is nothing here.')
    if (request.method !== 'POST') return answer(response, 405, 'Messages are posted.')
    const raw = await readBody(request)
    if (raw === null) return answer(response, 413, 'The message is too large.')
    const header = (name: string): string => String(request.headers[name] ?? '')
    const key = options.keyFor(channel, accountId)
    const id = header(idHeader)
    const given = { timestamp: header(timestampHeader), id, signature: header(signatureHeader), body: raw }
    // Verified against a dummy key if there is no such channel, so that the response does not reveal which ones exist.
    const verdict = verify(key ?? 'no such channel', given, options.now())
    if (key === null || verdict !== 'fine') {
      options.log('Refused a message from outside', { channel, accountId, verdict: key === null ? 'unknown' : verdict })
      return answer(response, 401, 'The signature or its time is not right.')
    }
    if (isTooMuch(path)) return answer(response, 429, 'Too many messages. Wait a minute.')
    const read = body.safeParse(parseJson(raw))
    if (!read.success) return answer(response, 400, 'A message needs text and sender.')
    if (!options.isNew(`${channel}/${accountId}:${id}`)) return answer(response, 409, 'This message was taken already.')
    const { sender, senderName = sender, peer = sender, peerKind = 'dm', text, messageId } = read.data
    options.take({ channel, accountId, sender, senderName, peer, peerKind, text, ...(messageId && { messageId }) })
    return answer(response, 202, 'Taken.')
  }

  const server = createServer(
    { requestTimeout: 15_000, headersTimeout: 10_000, maxHeaderSize: 16 * 1024 },
    (request, response) => {
      handle(request, response).catch((error: unknown) => {
        options.log('A message from outside could not be taken', { error })
        answer(response, 500, 'It could not be taken.')
      })
    },
  )
  server.maxConnections = mostConnections
  await listen(server, options.host, options.port)
  const { port } = listeningAddress(server)
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    port,
    url: `http://${host}:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Listens on the given port if it is free, else on any port. */
const listen = async (server: Server, host: string, port: number): Promise<void> => {
  const tryPort = (wanted: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(wanted, host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  try {
    await tryPort(port)
  } catch (error) {
    if (port === 0 || !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    await tryPort(0)
  }
}

/** Null if the body is too large. Some of the excess is read and dropped, so that the client can read the refusal. */
const readBody = async (request: HttpRequest): Promise<Buffer | null> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > 16 * mostBodyBytes) break
    if (bytes <= mostBodyBytes) chunks.push(chunk)
  }
  return bytes > mostBodyBytes ? null : Buffer.concat(chunks)
}

const parseJson = (raw: Buffer): unknown => {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    // The schema check reports the error.
    return null
  }
}

const answer = (response: ServerResponse, status: number, message: string): void => {
  if (response.headersSent) return
  const headers = { 'content-type': 'application/json', ...(status === 413 && { connection: 'close' }) }
  response.writeHead(status, headers).end(JSON.stringify(status === 202 ? { ok: true } : { ok: false, error: message }))
}
