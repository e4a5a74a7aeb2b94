import { randomUUID } from 'node:crypto'
import type { PeerKind } from '../../src-preload/contract/channels'
import { isRecord } from '../is-record'
import { post } from './http'
import { idHeader, sign, signatureHeader, timestampHeader } from './signature'
import { splitText } from './split'
import { ChannelError } from './types'

/** What a service needs to send one message. */
interface Parcel {
  channel: string
  accountId: string
  to: string
  peerKind: PeerKind
  text: string
  replyToId?: string
  /** Address of the service, if not the usual one. */
  baseUrl: string | null
  secret(name: 'token' | 'url' | 'signingKey'): string | null
  now(): number
  signal: AbortSignal
  backoffMs: number
  fetch: typeof fetch
}

interface Service {
  /** Whether a message needs a `to`; for webhooks the URL determines the destination. */
  needsTo: boolean
  /** Sends the message, split if necessary. Returns the id of the first part, if the service provides one. */
  send(parcel: Parcel): Promise<string | undefined>
}

const longest = { slack: 4000, discord: 2000, telegram: 4096, webhook: 100_000 } as const

const needed = (parcel: Parcel, name: 'token' | 'url' | 'signingKey', what: string): string => {
  const secret = parcel.secret(name)
  if (!secret)
    throw new ChannelError(`The channel ${parcel.channel} has no ${what} yet. Enter it on the Channels page.`)
  return secret
}

/** Sends the parts in order, each only after the previous one was accepted. */
const inPieces = async (
  parcel: Parcel,
  limit: number,
  send: (text: string, first: boolean) => Promise<string | undefined>,
): Promise<string | undefined> => {
  const pieces = splitText(parcel.text, limit)
  let id: string | undefined
  for (const [index, piece] of pieces.entries()) {
    const given = await send(piece, index === 0)
    if (index === 0) id = given
  }
  return id
}

const options = ({ signal, backoffMs, fetch }: Parcel, ...secrets: string[]) => ({ signal, backoffMs, fetch, secrets })

const slack: Service = {
  needsTo: false,
  send: (parcel) => {
    const url = needed(parcel, 'url', 'webhook address')
    // Escaped as Slack requires; this also prevents mentions of the whole channel.
    const escaped = (text: string): string =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const thread = parcel.replyToId ? { thread_ts: parcel.replyToId } : {}
    return inPieces(parcel, longest.slack, async (text) => {
      await post(url, JSON.stringify({ text: escaped(text), ...thread }), options(parcel, url, new URL(url).pathname))
      return undefined
    })
  },
}

const discord: Service = {
  needsTo: false,
  send: (parcel) => {
    const secret = needed(parcel, 'url', 'webhook address')
    const url = new URL(secret)
    url.searchParams.set('wait', 'true')
    if (parcel.peerKind === 'thread' && /^\d+$/.test(parcel.to)) url.searchParams.set('thread_id', parcel.to)
    return inPieces(parcel, longest.discord, async (content) => {
      // Text of a model must not mention anybody.
      const body = JSON.stringify({ content, allowed_mentions: { parse: [] } })
      const reply = await post(url.href, body, options(parcel, secret, url.pathname))
      return field(reply, 'id')
    })
  },
}

export const telegramBase = 'https://api.telegram.org'

const telegram: Service = {
  needsTo: true,
  send: (parcel) => {
    const token = needed(parcel, 'token', 'bot token')
    const url = `${(parcel.baseUrl ?? telegramBase).replace(/\/+$/, '')}/bot${token}/sendMessage`
    const replyId = Number(parcel.replyToId)
    return inPieces(parcel, longest.telegram, async (text, first) => {
      const reply = first && Number.isInteger(replyId) ? { reply_parameters: { message_id: replyId } } : {}
      const answer = await post(url, JSON.stringify({ chat_id: parcel.to, text, ...reply }), options(parcel, token))
      return /"message_id"\s*:\s*(\d+)/.exec(answer)?.[1]
    })
  },
}

const webhook: Service = {
  needsTo: true,
  send: (parcel) => {
    const url = needed(parcel, 'url', 'webhook address')
    const key = needed(parcel, 'signingKey', 'signing key')
    const { channel, accountId, to, peerKind, replyToId } = parcel
    return inPieces(parcel, longest.webhook, async (text) => {
      const id = randomUUID()
      const timestamp = String(Math.floor(parcel.now() / 1000))
      const body = JSON.stringify({ id, channel, accountId, to, peerKind, text, ...(replyToId && { replyToId }) })
      const headers = {
        [timestampHeader]: timestamp,
        [idHeader]: id,
        [signatureHeader]: sign(key, timestamp, id, body),
      }
      const reply = await post(url, body, { ...options(parcel, url, key, new URL(url).pathname), headers })
      return field(reply, 'messageId') ?? id
    })
  },
}

/** Reads a short string from a JSON response, which may be malformed. */
const field = (json: string, name: string): string | undefined => {
  try {
    const reply: unknown = JSON.parse(json)
    const value = isRecord(reply) ? reply[name] : undefined
    return typeof value === 'string' && value.length <= 200 ? value : undefined
  } catch {
    // Not JSON, but the message was delivered anyway.
    return undefined
  }
}

export const services: ReadonlyMap<string, Service> = new Map(Object.entries({ slack, discord, telegram, webhook }))
