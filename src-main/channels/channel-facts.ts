import type { ChannelInfo, ChannelSettings } from '../../src-preload/contract/channels'
import type { ChannelRows, KeptChannel } from './channel-rows'
import type { ChannelSecrets } from './types'

export const secretNames = ['token', 'url', 'signingKey'] as const
export type SecretName = (typeof secretNames)[number]

const defaults: ChannelSettings = {
  dmScope: 'per-channel-peer',
  inboundEnabled: false,
  inboundHost: '127.0.0.1',
  inboundPort: 0,
}

export const channelKey = (channel: string, accountId: string): string => `${channel}/${accountId}`

export const secretKey = (channel: string, accountId: string, name: SecretName): string =>
  `channel:${channelKey(channel, accountId)}:${name}`

/** A channel as it is saved; the app itself is one that is not. */
export type SavedChannel = Omit<KeptChannel, 'kind'> & Pick<ChannelInfo, 'kind'>

export type ChannelFacts = ReturnType<typeof createChannelFacts>

/** What is saved about the channels, to be read without opening any of them. */
export const createChannelFacts = (rows: ChannelRows, secrets: Pick<ChannelSecrets, 'has'>) => ({
  settings: (): ChannelSettings => ({ ...defaults, ...JSON.parse(rows.state('channels') ?? '{}') }),
  list: (): SavedChannel[] => [theApp, ...rows.list()],
  /** Which secrets an account has; never the secrets themselves. */
  secretsOf: ({ channel, accountId }: SavedChannel): ChannelInfo['secrets'] => {
    const has = (name: SecretName): boolean => secrets.has(secretKey(channel, accountId, name))
    return { token: has('token'), url: has('url'), signingKey: has('signingKey') }
  },
  /** The channel that an answer of this session would go to. */
  channelOf: (sessionId: string): string | undefined => rows.route(sessionId)?.channel,
})

/** The window itself is a channel, too. */
const theApp: SavedChannel = {
  channel: 'app',
  accountId: 'default',
  kind: 'app',
  enabled: true,
  baseUrl: null,
  defaultTo: null,
  inbound: true,
  agentId: 'main',
  policy: 'open',
  allowFrom: [],
  lastSentAt: null,
  lastReceivedAt: null,
}
