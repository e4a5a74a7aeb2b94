import { setTimeout as sleep } from 'node:timers/promises'
import { isLoopback } from '../../src-preload/contract/loopback'
import { troubleIn } from '../network/trouble'
import { redact } from '../redact'
import { ChannelError } from './types'

interface PostOptions {
  headers?: Record<string, string>
  signal: AbortSignal
  backoffMs: number
  /** How requests leave this machine. */
  fetch: typeof fetch
  /** Values that must not appear in any error, even if the server echoes them. */
  secrets: readonly string[]
  timeoutMs?: number
}

interface Reply {
  status: number
  text: string
  retryAfterMs: number | null
}

const attempts = 4
const usualTimeoutMs = 20_000
const longestWaitMs = 60_000
const mostReplyBytes = 256 * 1024

/** These URLs contain secrets, so they must use HTTPS or stay on this machine. */
export const checkedAddress = (address: string): URL => {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !/^https?:$/.test(url.protocol)) throw new ChannelError('The address must begin with https://.')
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new ChannelError('The address must begin with https://; http is only for this machine itself.')
  }
  if (url.username || url.password) throw new ChannelError('The address must not hold a user name or password.')
  return url
}

/** Posts JSON and retries where that may help. Returns the response body; throws a `ChannelError` on failure. */
export const post = async (address: string, body: string, options: PostOptions): Promise<string> => {
  const url = checkedAddress(address)
  for (let attempt = 1; ; attempt++) {
    const { reply, problem } = await tryOnce(url, body, options)
    if (reply && reply.status >= 200 && reply.status < 300) return reply.text
    const passing = !reply || reply.status === 429 || reply.status >= 500
    const waitMs = reply?.retryAfterMs ?? options.backoffMs * 2 ** (attempt - 1)
    if (!passing || attempt >= attempts || waitMs > longestWaitMs) {
      throw new ChannelError(
        reply ? refusal(reply, url, options.secrets) : (problem ?? 'The service could not be reached.'),
      )
    }
    await sleep(waitMs, undefined, { signal: options.signal })
  }
}

const tryOnce = async (
  url: URL,
  body: string,
  options: PostOptions,
): Promise<{ reply: Reply | null; problem: string | null }> => {
  const { headers, signal, timeoutMs = usualTimeoutMs } = options
  try {
    const response = await options.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      // A redirect would carry the secret to another host.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const text = await readSome(response)
    return { reply: { status: response.status, text, retryAfterMs: retryAfter(response, text) }, problem: null }
  } catch (error) {
    signal.throwIfAborted()
    const trouble = troubleIn(error)
    if (trouble) return { reply: null, problem: `${trouble.message} ${trouble.hint}` }
    return { reply: null, problem: `${url.host} could not be reached: ${redact(causeOf(error), options.secrets)}` }
  }
}

/** The system's error message, which `fetch` wraps twice. */
const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it did not answer in time.'
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message
}

const readSome = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes > mostReplyBytes) break
  }
  return Buffer.concat(chunks).subarray(0, mostReplyBytes).toString('utf8')
}

/** Reads the delay from the header, or from where Telegram and Discord put it in the body. */
const retryAfter = (response: Response, text: string): number | null => {
  if (response.status !== 429 && response.status !== 503) return null
  const header = Number(response.headers.get('retry-after') ?? Number.NaN)
  if (header >= 0) return header * 1000
  const seconds = /"retry_after"\s*:\s*([\d.]+)/.exec(text)?.[1]
  return seconds === undefined ? null : Number(seconds) * 1000
}

const refusal = ({ status, text }: Reply, url: URL, secrets: readonly string[]): string => {
  const said = /"(?:description|message|error)"\s*:\s*"((?:[^"\\]|\\.){1,300})"/.exec(text)?.[1] ?? text.slice(0, 200)
  const words = redact(said.replace(/\s+/g, ' ').trim(), secrets)
  if (status >= 300 && status < 400) return `${url.host} points to another address, which is not followed.`
  return `${url.host} refused it (${status}${words ? `: ${words}` : ''}).`
}
