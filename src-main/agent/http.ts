import type { Network } from '../network/network'
import { exchange, type Incoming, type Outgoing } from './exchange'
import { type Asked, describeStatus, describeThrown, notAnAnswer, ProviderFailure } from './failure'
import type { OnActivity } from './model'
import { type SseEvent, sseParser, TooLarge } from './sse'

/** Where a provider is, and how to get at its key when a request needs it. */
export interface Endpoint {
  baseUrl: string
  key(): string | null | Promise<string | null>
  /** How requests leave this machine. */
  network?: Network | undefined
}

const maxAnswerBytes = 64_000_000
const maxErrorBytes = 64_000

/** Addresses to try, the likeliest first: users paste a base URL with or without its version. */
export const baseCandidates = (baseUrl: string): string[] => {
  const trimmed = baseUrl.trim().replace(/\/+(chat\/completions|responses|messages|models)?\/*$/, '')
  const versioned = /\/v\d+\w*(\/|$)/.test(new URL(trimmed).pathname)
  return versioned ? [trimmed] : [`${trimmed}/v1`, trimmed]
}

export const anthropicHeaders = (key: string | null): Record<string, string> => ({
  'anthropic-version': '2023-06-01',
  ...(key && { 'x-api-key': key }),
})

export const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : 'this address')

/** Whether a header can hold it. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

export const checkedKey = async (endpoint: Endpoint): Promise<string | null> => {
  const key = (await endpoint.key())?.trim() || null
  if (key && !isKey(key))
    throw new ProviderFailure({
      kind: 'auth',
      message: 'The key holds characters that no key has, such as spaces or line breaks.',
      hint: 'Paste the key of this provider again in the settings, or on the command line into DECKHAND_API_KEY.',
      retryable: true,
    })
  return key
}

/** Sends a request. Anything but a success is thrown as a `ProviderFailure`. */
export const send = async (url: string, outgoing: Outgoing, asked: Asked): Promise<Incoming> => {
  let incoming: Incoming
  try {
    // A redirect would carry the key to another host; it counts as a failure.
    incoming = await exchange(url, outgoing)
  } catch (thrown) {
    throw describeThrown(thrown, asked, false)
  }
  const { status } = incoming
  if (status >= 200 && status < 300) return incoming
  throw describeStatus(status, await readSome(incoming), asked, retryAfter(incoming.headers))
}

const retryAfter = (headers: Incoming['headers']): number | undefined => {
  const inMs = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (inMs >= 0) return inMs
  const value = headers['retry-after']
  if (!value) return undefined
  const seconds = Number(value)
  if (seconds >= 0) return seconds * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** The beginning of an error's body; a body that breaks off still says something. */
const readSome = async ({ body }: Incoming): Promise<string> => {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > maxErrorBytes) break
    }
  } catch {
    return text
  }
  return text
}

/** A body's text as it comes, counted after unpacking so that a small body cannot unfold without end. */
export async function* readText({ body }: Incoming, onActivity?: OnActivity): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const piece of body) {
    onActivity?.('alive')
    bytes += piece.byteLength
    if (bytes > maxAnswerBytes) throw new TooLarge('It', maxAnswerBytes)
    yield decoder.decode(piece, { stream: true })
  }
  const rest = decoder.decode()
  if (rest) yield rest
}

type StreamItem = { type: 'event'; event: SseEvent } | { type: 'json'; value: unknown }

/**
 * The answer to a streaming request: events, or the one JSON body that some servers send instead. Told apart by the first
 * character, because content types cannot be trusted.
 */
export async function* readAnswerBody(
  incoming: Incoming,
  asked: Asked,
  onActivity?: OnActivity,
): AsyncGenerator<StreamItem> {
  const parser = sseParser()
  let head = ''
  let whole: string | null = null
  let events = 0
  for await (const text of readText(incoming, onActivity)) {
    if (events === 0 && head.length < 2000) head += text
    const first = whole === null && events === 0 ? head.trimStart()[0] : undefined
    if (whole !== null) whole += text
    else if (first === '{' || first === '<') whole = head
    if (whole !== null) continue
    for (const event of parser.push(text)) {
      events++
      yield { type: 'event', event }
    }
  }
  if (whole === null) {
    for (const event of parser.end()) {
      events++
      yield { type: 'event', event }
    }
    if (events === 0 && head.trim() !== '' && !/^(:|data|event|id|retry)/m.test(head)) throw notAnAnswer(head, asked)
    return
  }
  let value: unknown
  try {
    value = JSON.parse(whole)
  } catch {
    throw notAnAnswer(whole, asked)
  }
  yield { type: 'json', value }
}

/**
 * How far an answer has come; `finishing` when only figures should follow, `resumed` when more has followed all the same,
 * `ended` when nothing can.
 */
type Progress = 'answering' | 'finishing' | 'resumed' | 'ended'

const patienceMs: Record<Progress, number> = {
  answering: Number.POSITIVE_INFINITY,
  finishing: 3000,
  resumed: 30_000,
  ended: 50,
}

/**
 * Reads on to the end of the body, so that the connection can be used again, but does not wait long for a server that
 * leaves the line open after its answer.
 */
export async function* withPatience<T>(items: AsyncGenerator<T>, progress: () => Progress): AsyncGenerator<T> {
  for (;;) {
    const limitMs = patienceMs[progress()]
    const next = limitMs < Number.POSITIVE_INFINITY ? await withinMs(items.next(), limitMs) : await items.next()
    if (!next || next.done) return
    yield next.value
  }
}

const withinMs = async <T>(work: Promise<T>, ms: number): Promise<T | undefined> => {
  const limit = Promise.withResolvers<undefined>()
  const timer = setTimeout(limit.resolve, ms)
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
