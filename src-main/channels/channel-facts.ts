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

/** A channel in its saved form. The app itself is also listed as one, but is not saved. */
export type SavedChannel = Omit<KeptChannel, 'kind'> & Pick<ChannelInfo, 'kind'>

export type ChannelFacts = ReturnType<typeof createChannelFacts>

/** Read access to the saved channels, without opening any of them. */
export const createChannelFacts = (rows: ChannelRows, secrets: Pick<ChannelSecrets, 'has'>) => ({
  settings: (): ChannelSettings => ({ ...defaults, ...JSON.parse(rows.state('channels') ?? '{}') }),
  list: (): SavedChannel[] => [theApp, ...rows.list()],
  /** Which secrets an account has; never the secrets themselves. */
  secretsOf: ({ channel, accountId }: SavedChannel): ChannelInfo['secrets'] => {
    const has = (name: SecretName): boolean => secrets.has(secretKey(channel, accountId, name))
    return { token: has('token'), url: has('url'), signingKey: has('signingKey') }
  },
  /** The channel that answers of this session go to. */
  channelOf: (sessionId: string): string | undefined => rows.route(sessionId)?.channel,
})

/** The app window is a channel, too. */
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
