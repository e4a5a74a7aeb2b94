import type { ChannelConfig, KeptChannel } from './channel-rows'
import { checkedAddress } from './http'
import { ChannelError, type ChannelWish } from './types'

const shortestKey = 16
/** These words have another meaning in session keys. */
const reserved = new Set(['app', 'main', 'cron', 'dm', 'group', 'channel', 'thread', 'agent'])

/** The settings of a channel after a change: what the wish leaves out stays as it was. Throws `ChannelError`. */
export function channelConfig(wish: ChannelWish, before: KeptChannel | null): ChannelConfig {
  const { channel, accountId = 'default', kind } = wish
  if (reserved.has(channel)) throw new ChannelError(`A channel cannot be called ${channel}.`)
  if (before && before.kind !== kind)
    throw new ChannelError(`The channel ${channel} exists already, and is of another kind.`)
  const baseUrl = wish.baseUrl === undefined ? (before?.baseUrl ?? null) : wish.baseUrl || null
  for (const address of [baseUrl, wish.url]) if (address) checkedAddress(address)
  if (wish.signingKey && wish.signingKey.trim().length < shortestKey) {
    throw new ChannelError(
      `The signing key needs at least ${shortestKey} characters: whoever guesses it can speak here.`,
    )
  }
  return {
    channel,
    accountId,
    kind,
    enabled: wish.enabled ?? before?.enabled ?? true,
    baseUrl,
    defaultTo: wish.defaultTo === undefined ? (before?.defaultTo ?? null) : wish.defaultTo || null,
    inbound: (kind === 'telegram' || kind === 'webhook') && (wish.inbound ?? before?.inbound ?? false),
    agentId: wish.agentId ?? before?.agentId ?? 'main',
    policy: wish.policy ?? before?.policy ?? 'pairing',
    allowFrom: wish.allowFrom ?? before?.allowFrom ?? [],
  }
}
