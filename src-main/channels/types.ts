import type {
  ChannelSettings,
  ChannelsEvent,
  ChannelsState,
  Delivery,
  PeerKind,
} from '../../src-preload/contract/channels'
import type { Database } from '../database'
import type { Logger } from '../log'

/** A message cannot be sent or taken; the message says why, for the model as for the user. */
export class ChannelError extends Error {
  override name = 'ChannelError'
}

/** The other end of a conversation. */
export interface Route {
  channel: string
  to: string
  peerKind: PeerKind
  accountId: string
}

export interface OutgoingMessage {
  text: string
  channel?: string
  to?: string
  peerKind?: PeerKind
  accountId?: string
  replyToId?: string
  /** What a notification is headed with, where the channel is the app. */
  title?: string
}

export interface SentMessage extends Route {
  sent: true
  messageId?: string
}

/** Ways in and out of the app. What is refused is thrown as a `ChannelError`. */
export interface Channels {
  /** Settles once the service has taken the message. What is not said comes from the session's current route. */
  send(message: OutgoingMessage, sessionId: string): Promise<SentMessage>
  /** Puts it on its way and answers at once; how it fared is told by `onDelivery` and as an event. Refuses nonsense. */
  dispatch(message: OutgoingMessage, sessionId: string): Route & { id: string }
  /**
   * Brings the answer of a job to where it should be read: as told, or else to the last active channel of `home`. What can
   * be read in that very session already is only announced.
   */
  deliver(message: OutgoingMessage, sessionId: string, home: string): Promise<void>
  onDelivery(listener: (delivery: Delivery) => void): () => void
  /** Where an answer of this session would go: the last active channel and peer. */
  route(sessionId: string): Route | null
  /** The user has spoken in the window: from now on the session's channel is the app. */
  spokeHere(sessionId: string): void
  /** Names that messages can be sent to. */
  names(): string[]

  /** For the window. */
  view(): ChannelsState
  save(channel: ChannelWish): ChannelsState
  remove(channel: string, accountId?: string): ChannelsState
  test(channel: string, accountId?: string, to?: string): Promise<{ ok: boolean; message: string }>
  configure(patch: Partial<ChannelSettings>): Promise<ChannelsState>
  approve(channel: string, accountId: string, sender: string): Promise<ChannelsState>
  deny(channel: string, accountId: string, sender: string): ChannelsState

  /** Begins to take messages in, where a channel is set up for that. */
  start(): Promise<void>
  close(): Promise<void>
}

export interface ChannelWish {
  channel: string
  accountId?: string
  kind: 'slack' | 'discord' | 'telegram' | 'webhook'
  enabled?: boolean
  baseUrl?: string
  defaultTo?: string
  inbound?: boolean
  agentId?: string
  policy?: 'open' | 'allowlist' | 'pairing'
  allowFrom?: string[]
  token?: string
  url?: string
  signingKey?: string
}

/** A message from outside. */
export interface IncomingMessage {
  channel: string
  accountId: string
  sender: string
  senderName: string
  /** The conversation it belongs to; the sender itself in a direct message. */
  peer: string
  peerKind: PeerKind
  text: string
  messageId?: string
}

/** What channels need of sessions. */
export interface ChannelSessions {
  /** By id or key; `null` when there is none. */
  find(idOrKey: string): { id: string; key: string; agentId: string } | null
  /** The session of a conversation, made if there is none. */
  forPeer(agentId: string, message: IncomingMessage, scope: ChannelSettings['dmScope']): string
  main(agentId: string): string
  /** Says something there, and settles with the end of the turn that answers it. */
  say(
    sessionId: string,
    text: string,
    options: { origin: { label: string; mayDoAll: boolean }; signal: AbortSignal },
  ): Promise<{ reason: string; text: string; error?: { message: string } }>
  /** Shows a message of the agent's in a conversation of the app. */
  show(sessionId: string, text: string): void
  /** Marks the session as one that has read untrusted text. */
  taint(sessionId: string): void
  /** The session on whose behalf it works, where it has no conversation of its own: a job's, the agent's main one. */
  homeOf(sessionId: string): string | null
}

/** The operating system's keychain, or what stands for it. */
export interface ChannelSecrets {
  has(name: string): boolean
  get(name: string): string | null
  set(name: string, secret: string): void
  remove(name: string): void
}

export interface ChannelsOptions {
  database: Database
  secrets: ChannelSecrets
  sessions: ChannelSessions
  publish(event: ChannelsEvent): void
  log: Logger
  /** Called with every secret before it is used, so that no log shows it. */
  onSecret(secret: string): void
  now?(): number
  /** The pause before the second try, doubled with each further one. */
  backoffMs?: number
  /** How long one question for new messages stays open. */
  pollSeconds?: number
}
