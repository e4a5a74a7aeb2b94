import { randomUUID } from 'node:crypto'
import type { ChannelsEvent, Delivery } from '../../src-preload/contract/channels'
import type { Logger } from '../log'
import type { ChannelRows, KeptChannel } from './channel-rows'
import { type Destination, resolveDestination } from './resolve'
import { services } from './services'
import { ChannelError, type ChannelSessions, type OutgoingMessage, type Route, type SentMessage } from './types'

const longestText = 200_000

interface OutboxOptions {
  rows: ChannelRows
  sessions: ChannelSessions
  publish(event: ChannelsEvent): void
  log: Logger
  now(): number
  backoffMs: number
  fetch: typeof fetch
  secretOf(channel: string, accountId: string, name: 'token' | 'url' | 'signingKey'): string | null
  setProblem(channel: string, accountId: string, words: string | null): void
  signal: AbortSignal
}

/** Sends outgoing messages. */
export const createOutbox = (options: OutboxOptions) => {
  const { rows, sessions, publish, log, now } = options
  const listeners = new Set<(delivery: Delivery) => void>()
  const inOrder = createLines()

  const route = (sessionId: string): Route | null => {
    const own = rows.route(sessionId)
    const home = own ? null : sessions.homeOf(sessionId)
    return own ?? (home ? rows.route(home) : null)
  }

  const resolve = (message: OutgoingMessage, sessionId: string | null): Destination => {
    requireText(message)
    return resolveDestination(message, sessionId === null ? null : route(sessionId), sessionId, rows.list())
  }

  const hand = async (message: OutgoingMessage, to: Destination): Promise<string | undefined> => {
    if (!to.config) return showInApp(message, to)
    const { channel, accountId } = to.config
    try {
      const id = await sendByService(options, message, to, to.config)
      rows.sent(channel, accountId, now())
      options.setProblem(channel, accountId, null)
      return id
    } catch (error) {
      if (error instanceof ChannelError) options.setProblem(channel, accountId, error.message)
      throw error
    }
  }

  const showInApp = (message: OutgoingMessage, { to }: Destination): undefined => {
    const session = sessions.find(to)
    if (!session) throw new ChannelError(`There is no conversation ${JSON.stringify(to)} in the app.`)
    sessions.show(session.id, message.text)
    announce(session.id, message)
  }

  const announce = (sessionId: string, { title, text }: OutgoingMessage): void =>
    publish({ type: 'notify', sessionId, title: title ?? 'Deckhand', text: text.slice(0, 500) })

  /** Sends messages of one account in order, and reports the outcome to listeners. */
  const carry = (
    id: string,
    message: OutgoingMessage,
    to: Destination,
    sessionId: string | null,
  ): Promise<SentMessage> => {
    const { config: _, ...where } = to
    const sent = inOrder(`${to.channel}/${to.accountId}`, () => hand(message, to))
    sent.then(
      (messageId) => tell(id, to, sessionId, { outcome: 'delivered', messageId }),
      (error: unknown) => tell(id, to, sessionId, { outcome: 'failed', error: wordsOf(error) }),
    )
    return sent.then((messageId) => ({ sent: true, ...where, messageId }))
  }

  const tell = (
    id: string,
    { channel, to, accountId }: Destination,
    sessionId: string | null,
    how: Pick<Delivery, 'outcome' | 'messageId' | 'error'>,
  ): void => {
    if (options.signal.aborted) return
    const delivery: Delivery = { id, channel, to, accountId, sessionId, at: now(), ...how }
    if (delivery.outcome === 'failed') log.warn('A message was not delivered', { ...delivery })
    for (const listener of listeners) listener(delivery)
    publish({ type: 'delivery', delivery })
  }

  return {
    route,
    send: async (message: OutgoingMessage, sessionId: string | null): Promise<SentMessage> =>
      carry(randomUUID(), message, resolve(message, sessionId), sessionId),
    dispatch: (message: OutgoingMessage, sessionId: string): Route & { id: string } => {
      const to = resolve(message, sessionId)
      const id = randomUUID()
      // The outcome is reported to listeners.
      carry(id, message, to, sessionId).catch(() => undefined)
      const { config: _, ...where } = to
      return { id, ...where }
    },
    deliver: async (message: OutgoingMessage, sessionId: string, home: string): Promise<void> => {
      const to = resolve(message, home)
      const readThere = to.channel === 'app' && sessions.find(to.to)?.id === sessionId
      if (readThere) announce(sessionId, message)
      else await carry(randomUUID(), message, to, sessionId)
    },
    onDelivery: (listener: (delivery: Delivery) => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const sendByService = (
  { secretOf, now, signal, backoffMs, fetch }: OutboxOptions,
  { text, replyToId }: OutgoingMessage,
  to: Destination,
  { channel, accountId, kind, baseUrl }: KeptChannel,
): Promise<string | undefined> => {
  const service = services.get(kind)
  if (!service) throw new ChannelError(`The channel ${channel} is of an unknown kind.`)
  const secret = (name: 'token' | 'url' | 'signingKey') => secretOf(channel, accountId, name)
  return service.send({ ...to, text, ...(replyToId && { replyToId }), baseUrl, secret, now, signal, backoffMs, fetch })
}

/** Work of one line, such as an account, happens one after another. */
const createLines = () => {
  /** The last work in progress of each line. */
  const lines = new Map<string, Promise<unknown>>()
  return <Result>(line: string, work: () => Promise<Result>): Promise<Result> => {
    const done = (lines.get(line) ?? Promise.resolve()).then(work)
    const ended = done.then(
      () => undefined,
      () => undefined,
    )
    lines.set(line, ended)
    void ended.then(() => lines.get(line) === ended && lines.delete(line))
    return done
  }
}

const requireText = ({ text }: OutgoingMessage): void => {
  if (typeof text !== 'string' || text.trim() === '') throw new ChannelError('text is required.')
  if (text.length > longestText) throw new ChannelError(`text is longer than ${longestText} characters.`)
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
