/** The ways by which messages come in and go out, as plain data. */

export type ChannelKind = 'app' | 'slack' | 'discord' | 'telegram' | 'webhook'

export type PeerKind = 'dm' | 'group' | 'channel' | 'thread'

/** Who may speak to the agent in a direct message: everybody, the listed ones, or whoever the user lets in when asked. */
export type SenderPolicy = 'open' | 'allowlist' | 'pairing'

/** Which direct messages share a session. */
export type DmScope = 'main' | 'per-peer' | 'per-channel-peer' | 'per-account-channel-peer'

export interface ChannelInfo {
  /** Its name in messages and session keys: `telegram`, `slack`, `signal`. `app` is always there. */
  channel: string
  /** Several accounts of one channel are told apart by this; `default` for the usual one. */
  accountId: string
  kind: ChannelKind
  enabled: boolean
  /** Which secrets are stored. They themselves never leave the main process. */
  secrets: { token: boolean; url: boolean; signingKey: boolean }
  /** Address of the service, where it is not the usual one. */
  baseUrl: string | null
  /** Who gets a message when nobody is named. */
  defaultTo: string | null
  /** Whether it takes messages in; only Telegram and signed webhooks can. */
  inbound: boolean
  /** The agent that answers. */
  agentId: string
  policy: SenderPolicy
  allowFrom: string[]
  /** Where to post to, for a webhook that takes messages in; `null` while nothing listens. */
  inboundUrl: string | null
  state: 'ready' | 'off' | 'problem'
  /** What is wrong, in words. */
  problem: string | null
  lastSentAt: number | null
  lastReceivedAt: number | null
}

/** Somebody who wrote and is not known yet. */
export interface PendingSender {
  channel: string
  accountId: string
  sender: string
  /** As they call themselves, which proves nothing. */
  name: string
  /** The beginning of what they wrote. */
  text: string
  at: number
}

export interface ChannelSettings {
  dmScope: DmScope
  /** Whether the address for signed webhooks is open. Loopback only, unless another host is set. */
  inboundEnabled: boolean
  inboundHost: string
  /** 0: any free one, and the same again at the next start. */
  inboundPort: number
}

export interface ChannelsState {
  channels: ChannelInfo[]
  pending: PendingSender[]
  settings: ChannelSettings
}

/** How a message that was sent off fared. */
export interface Delivery {
  id: string
  channel: string
  to: string
  accountId: string
  sessionId: string | null
  at: number
  outcome: 'delivered' | 'failed'
  messageId?: string
  error?: string
}

export type ChannelsEvent =
  | ({ type: 'channels' } & ChannelsState)
  | { type: 'delivery'; delivery: Delivery }
  /** Something for the user that deserves a desktop notification. */
  | { type: 'notify'; sessionId: string; title: string; text: string }
