import type {
  ChannelSettings,
  ChannelsEvent,
  ChannelsState,
  Delivery,
  PeerKind,
} from '../../src-preload/contract/channels'
import type { Database } from '../database'
import type { Logger } from '../log'

/** A message could not be sent or received. The error message explains why, for both the model and the user. */
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
  /** Title of the notification, if the channel is the app. */
  title?: string
}

export interface SentMessage extends Route {
  sent: true
  messageId?: string
}

/** Channels for incoming and outgoing messages. Refusals are thrown as a `ChannelError`. */
export interface Channels {
  /** Resolves when the service has accepted the message. Missing fields come from the session's current route. */
  send(message: OutgoingMessage, sessionId: string): Promise<SentMessage>
  /** Queues the message and returns at once; `onDelivery` and an event report the outcome. Throws if it is invalid. */
  dispatch(message: OutgoingMessage, sessionId: string): Route & { id: string }
  /**
   * Delivers the answer of a job to the given channel, or else to the last active channel of `home`. If the answer is
   * already visible in that session, only a notification is shown.
   */
  deliver(message: OutgoingMessage, sessionId: string, home: string): Promise<void>
  onDelivery(listener: (delivery: Delivery) => void): () => void
  /** Where answers of this session go: the last active channel and peer. */
  route(sessionId: string): Route | null
  /** The user wrote in the app window: from now on the session's channel is the app. */
  spokeHere(sessionId: string): void
  /** Names of the channels that messages can be sent to. */
  names(): string[]

  /** For the window. */
  view(): ChannelsState
  save(channel: ChannelWish): ChannelsState
  remove(channel: string, accountId?: string): ChannelsState
  test(channel: string, accountId?: string, to?: string): Promise<{ ok: boolean; message: string }>
  configure(patch: Partial<ChannelSettings>): Promise<ChannelsState>
  approve(channel: string, accountId: string, sender: string): Promise<ChannelsState>
  deny(channel: string, accountId: string, sender: string): ChannelsState

  /** Starts receiving messages on the channels that are set up for it. */
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
  /** Id of the conversation; in a direct message, the sender. */
  peer: string
  peerKind: PeerKind
  text: string
  messageId?: string
}

/** What channels need from sessions. */
export interface ChannelSessions {
  /** By id or key; `null` when there is none. */
  find(idOrKey: string): { id: string; key: string; agentId: string } | null
  /** The session of a conversation, made if there is none. */
  forPeer(agentId: string, message: IncomingMessage, scope: ChannelSettings['dmScope']): string
  main(agentId: string): string
  /** Sends a message to the session and resolves when the turn that answers it ends. */
  say(
    sessionId: string,
    text: string,
    options: { origin: { label: string; mayDoAll: boolean }; signal: AbortSignal },
  ): Promise<{ reason: string; text: string; error?: { message: string } }>
  /** Shows a message of the agent in a session of the app. */
  show(sessionId: string, text: string): void
  /** Marks the session as one that has read untrusted text. */
  taint(sessionId: string): void
  /** For a session without its own conversation, the one it works for: for a job, the agent's main session. */
  homeOf(sessionId: string): string | null
}

/** The operating system's keychain, or a replacement for it. */
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
  /** How requests leave this machine. */
  fetch?: typeof fetch
  now?(): number
  /** Delay before the first retry; doubled with each further one. */
  backoffMs?: number
  /** Duration of one long poll for new messages. */
  pollSeconds?: number
}
