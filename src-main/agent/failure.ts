import { isLoopback } from '../../src-preload/contract/loopback'
import type { TurnError } from '../../src-preload/contract/messages'
import { isRecord } from '../is-record'
import { troubleIn } from '../network/trouble'
import { redact } from '../redact'
import { field, listOf, textOf } from './json'
import { TooLarge } from './sse'

interface FailureDetail {
  status?: number
  retryAfterMs?: number
  /** What the server said, with the code and the parameter that it names; for whoever can ask in another way. */
  refusal?: Refusal
}

export interface Refusal {
  status: number
  code: string
  param: string
  said: string
}

/** A request that failed, already in words for the user; the adapters throw it and end their stream with it. */
export class ProviderFailure extends Error {
  constructor(
    readonly error: TurnError,
    readonly detail: FailureDetail = {},
  ) {
    super(error.message)
    this.name = 'ProviderFailure'
  }
}

/** Who was asked, for the words of an error. */
export interface Asked {
  host: string
  model: string
  key: string | null
}

const excerptChars = 300
/** The limit of Node's client. */
const maxHeaderSize = 16 * 1024

/** The sentence and the code that a provider's error body holds, in the several shapes that are about. */
const readErrorBody = (value: unknown): { message: string; code: string; param: string } => {
  const outer = Array.isArray(value) ? value[0] : value
  const inner = field(outer, 'error') ?? field(outer, 'detail') ?? outer
  if (typeof inner === 'string') return { message: inner, code: textOf(field(outer, 'code')), param: '' }
  if (Array.isArray(inner)) {
    // As pydantic writes it: what is wrong, and where.
    const issues = inner.map((each) => `${textOf(field(each, 'msg'))} (${listOf(field(each, 'loc')).join('.')})`)
    return { message: issues.join('; '), code: '', param: '' }
  }
  // OpenRouter wraps what the real provider said.
  const raw = textOf(field(field(inner, 'metadata'), 'raw'))
  const codes = [field(inner, 'code'), field(inner, 'type'), field(inner, 'status')]
  return {
    message: [textOf(field(inner, 'message')), raw].filter(Boolean).join(': '),
    code: codes.filter((code) => typeof code === 'string').join(' '),
    param: textOf(field(inner, 'param')),
  }
}

const overflowText =
  /context.?(length|window|size)|maximum context|prompt is too long|too many (input )?tokens|exceeds? the (maximum|available).{0,40}(tokens|context)|input is too long|exceed.{0,10}context.?limit/i
const quotaText =
  /insufficient_quota|billing|credit balance|out of credits|insufficient (credits|balance|funds)|payment required|exceeded your current quota/i
const noModelText =
  /model.{0,80}(not found|not exist|does not exist|is not available|not a valid model|unknown)|(no such|unknown|invalid) model|model_not_found|not_found_error model/i

/** Whether it is the length that was refused, whatever parameters the words name. */
export const isOverflow = ({ code, said }: Pick<Refusal, 'code' | 'said'>): boolean =>
  overflowText.test(`${code} ${said}`)

export const describeStatus = (status: number, body: string, asked: Asked, retryAfterMs?: number): ProviderFailure => {
  const { message, code, param } = readErrorBody(parseOrNull(body))
  const isPage = /^\s*</.test(body)
  const said = tidy(message || (isPage ? '' : body), asked.key)
  const about = `${code} ${message}`
  const fail = (error: Omit<TurnError, 'retryable'>, retryable = true) =>
    new ProviderFailure(
      { ...error, retryable },
      {
        status,
        retryAfterMs,
        refusal: { status, code, param, said: message || (isPage ? '' : body) },
      },
    )
  const withSaid = (sentence: string) => (said ? `${sentence} It said: ${said}` : sentence)

  if (status === 413 || ((status === 400 || status === 422 || status >= 500) && isOverflow({ code, said: message })))
    return fail({
      kind: 'context-overflow',
      message: withSaid(`The conversation is too long for ${asked.model}.`),
      hint: 'Summarise it, start a new session, or choose a model with a larger window.',
    })
  if (status === 402 || (status !== 401 && quotaText.test(about)))
    return fail({
      kind: 'quota',
      message: withSaid(`The account at ${asked.host} has no credit left.`),
      hint: 'Check the plan and billing at the provider, or choose another model.',
    })
  if (status === 401 || status === 403)
    return fail({
      kind: 'auth',
      message: withSaid(
        asked.key ? `${asked.host} rejected the API key.` : `${asked.host} needs an API key, and none is stored.`,
      ),
      hint: 'Check the key of this provider in the settings.',
    })
  if ((status === 404 || status === 400) && noModelText.test(about))
    return fail({
      kind: 'model-not-found',
      message: withSaid(`${asked.host} does not know the model ${asked.model}.`),
      hint: 'Choose another model, or refresh the list of models in the settings.',
    })
  if (status === 404 || status === 405)
    return fail({
      kind: 'bad-response',
      message: withSaid(`No chat API at this URL of ${asked.host} (${status}).`),
      hint: 'Check the base URL of this provider in the settings; it usually ends in /v1.',
    })
  if (status === 429)
    return fail({
      kind: 'rate-limit',
      message: withSaid(`Too many requests to ${asked.host}.`),
      hint: 'Wait a moment and try again.',
    })
  if (status === 529 || /overloaded/i.test(about))
    return fail({ kind: 'server', message: withSaid(`${asked.host} is overloaded.`), hint: 'Try again in a moment.' })
  if (status >= 500 || status === 408)
    return fail({
      kind: 'server',
      message: withSaid(`${asked.host} failed (${status}).`),
      hint: 'This is on their side. Try again in a moment.',
    })
  if (status >= 300 && status < 400)
    return fail({
      kind: 'bad-response',
      message: `${asked.host} redirects to another address (${status}). Redirects are not followed, to protect your key.`,
      hint: 'Enter the final address as the base URL in the settings.',
    })
  return fail({
    kind: 'bad-response',
    message: withSaid(`${asked.host} did not accept the request (${status}).`),
    hint: 'Try again, or choose another model.',
  })
}

/** An error that came inside a stream that had begun well. */
export const describeStreamError = (body: unknown, asked: Asked): ProviderFailure => {
  const { message, code } = readErrorBody(body)
  const number = Number(field(field(body, 'error'), 'code') ?? field(body, 'code'))
  const known = /rate.?limit/i.test(code)
    ? 429
    : /overloaded/i.test(code)
      ? 529
      : /auth|permission/i.test(code)
        ? 401
        : 0
  const guess = known || (/invalid_request|not_found/i.test(code) ? 400 : 500)
  const status = number >= 400 && number < 600 ? number : guess
  return describeStatus(status, JSON.stringify({ error: { message: message || code, code } }), asked)
}

export const notAnAnswer = (text: string, asked: Asked): ProviderFailure => {
  const page = /^\s*</.test(text)
  const said = tidy(page ? (/<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? '') : text, asked.key)
  return new ProviderFailure({
    kind: 'bad-response',
    message: `${asked.host} answered with ${page ? 'a web page' : 'something'} that is not a model's answer${said ? `: ${said}` : '.'}`,
    hint: 'Check the base URL of this provider in the settings, and whether a proxy or login page is in between.',
    retryable: true,
  })
}

export const cutShort = (asked: Asked): ProviderFailure =>
  new ProviderFailure({
    kind: 'cut',
    message: `The answer from ${asked.host} broke off before it was complete.`,
    hint: 'What arrived is kept, and none of its tools were run. Try again.',
    retryable: true,
  })

const networkWords: Record<string, (host: string) => string> = {
  ECONNREFUSED: (host) => `Could not connect to ${host}.`,
  ENOTFOUND: (host) => `The host ${host} was not found.`,
  EAI_AGAIN: (host) => `The host ${host} could not be looked up right now.`,
  ETIMEDOUT: (host) => `${host} did not answer in time.`,
  ECONNRESET: (host) => `${host} closed the connection.`,
  EPIPE: (host) => `${host} closed the connection.`,
  ENETUNREACH: (host) => `${host} is not reachable from this network.`,
  EHOSTUNREACH: (host) => `${host} is not reachable from this network.`,
}

/** What the connection threw. Its message is not shown: it can hold the header that it did not like. */
export const describeThrown = (thrown: unknown, asked: Asked, begun: boolean): ProviderFailure => {
  if (thrown instanceof ProviderFailure) return thrown
  if (thrown instanceof TooLarge)
    return new ProviderFailure({
      kind: 'bad-response',
      message: `The answer from ${asked.host} was given up: ${thrown.message}.`,
      retryable: true,
    })
  const trouble = troubleIn(thrown)
  if (trouble && !begun)
    return new ProviderFailure({
      kind: trouble.kind,
      message: trouble.message,
      hint: trouble.hint,
      retryable: true,
    })
  const code = thrown instanceof Error && 'code' in thrown ? textOf(thrown.code) : ''
  if (code.startsWith('HPE_') && !begun) return notHttp(code, asked)
  if (begun) return cutShort(asked)
  const words = Object.hasOwn(networkWords, code) ? networkWords[code] : undefined
  return new ProviderFailure({
    kind: 'network',
    message: words?.(asked.host) ?? `${asked.host} could not be reached${code ? ` (${code})` : ''}.`,
    hint: /SSL|TLS/.test(code)
      ? 'This port may not use https. Check the base URL in the settings: should it begin with http://?'
      : isLoopback(asked.host.replace(/:\d+$/, ''))
        ? 'Is the local server running, and on this port?'
        : 'Check the network connection and the base URL in the settings.',
    retryable: true,
  })
}

/** The response was not valid HTTP. The codes are those of Node's parser. */
const notHttp = (code: string, { host }: Asked): ProviderFailure =>
  new ProviderFailure({
    kind: 'bad-response',
    message:
      code === 'HPE_HEADER_OVERFLOW'
        ? `The response headers of ${host} are too large: more than ${Math.round(maxHeaderSize / 1024)} kB.`
        : `${host} answered with something that is not valid HTTP (${code}).`,
    hint: 'Check the base URL of this provider in the settings, and whether a proxy in between adds headers.',
    retryable: true,
  })

const parseOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const tidy = (text: string, key: string | null) => {
  const line = redact(text, key ? [key] : [])
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > excerptChars ? `${line.slice(0, excerptChars)}…` : line
}

export const isErrorBody = (value: unknown): boolean => isRecord(value) && field(value, 'error') != null
