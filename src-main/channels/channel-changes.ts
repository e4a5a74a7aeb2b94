import type { ChannelsState } from '../../src-preload/contract/channels'
import { problemWith, signingKeyRule } from '../../src-preload/contract/field-rules'
import { type ChannelFacts, channelKey, secretKey, secretNames } from './channel-facts'
import type { ChannelConfig, ChannelRows, KeptChannel } from './channel-rows'
import { checkedAddress } from './http'
import type { createInbound } from './inbound'
import type { createIntake } from './intake'
import { ChannelError, type Channels, type ChannelsOptions, type ChannelWish } from './types'

/** These words have another meaning in session keys. */
const reserved = new Set(['app', 'main', 'cron', 'dm', 'group', 'channel', 'thread', 'agent'])

interface ChannelChangesOptions extends Pick<ChannelsOptions, 'database' | 'secrets' | 'onSecret'> {
  rows: ChannelRows
  facts: ChannelFacts
  problems: ReturnType<typeof createProblems>
  inbound: ReturnType<typeof createInbound>
  intake: ReturnType<typeof createIntake>
  changed(): void
  view(): ChannelsState
}

type Changes = Pick<Channels, 'save' | 'remove' | 'configure' | 'approve' | 'deny'>

/** What the user changes about channels, and who may write through them. */
export const createChannelChanges = (options: ChannelChangesOptions): Changes => {
  const { database, rows, secrets, facts, problems, inbound, intake, changed, view } = options
  const { settings } = facts

  const existing = (channel: string, accountId: string): KeptChannel => {
    const kept = rows.find(channel, accountId)
    if (!kept) throw new ChannelError(`There is no channel ${channelKey(channel, accountId)}.`)
    return kept
  }

  const keepSecrets = (wish: ChannelWish, before: KeptChannel | null, now: Pick<KeptChannel, 'baseUrl'>): void => {
    const { channel, accountId = 'default' } = wish
    // A token is valid for one server only. If the address changes, it has to be entered again.
    if (before && before.baseUrl !== now.baseUrl && wish.token === undefined)
      secrets.remove(secretKey(channel, accountId, 'token'))
    for (const name of secretNames) {
      const secret = wish[name]?.trim()
      if (secret) options.onSecret(secret)
      if (secret) secrets.set(secretKey(channel, accountId, name), secret)
      else if (secret === '') secrets.remove(secretKey(channel, accountId, name))
    }
  }

  const save = (wish: ChannelWish): ChannelsState => {
    const { channel, accountId = 'default' } = wish
    const before = rows.find(channel, accountId)
    const config = channelConfig(wish, before)
    database.durably(() => rows.save(config))
    keepSecrets(wish, before, config)
    problems.forget(channel, accountId)
    inbound.refresh()
    changed()
    return view()
  }

  return {
    save,
    remove: (channel, accountId = 'default') => {
      rows.remove(channel, accountId)
      for (const name of secretNames) secrets.remove(secretKey(channel, accountId, name))
      problems.forget(channel, accountId)
      inbound.refresh()
      changed()
      return view()
    },
    configure: async (patch) => {
      rows.setState('channels', JSON.stringify({ ...settings(), ...patch }))
      await inbound.reopen()
      changed()
      return view()
    },
    approve: async (channel, accountId, sender) => {
      if (!intake.approve(existing(channel, accountId), sender)) throw new ChannelError('Nobody of that name waits.')
      changed()
      return view()
    },
    deny: (channel, accountId, sender) => {
      if (!intake.deny(existing(channel, accountId), sender)) throw new ChannelError('Nobody of that name waits.')
      changed()
      return view()
    },
  }
}

/** The error message of each account whose last attempt failed. */
export const createProblems = (changed: () => void) => {
  const problems = new Map<string, string>()
  const of = (channel: string, accountId: string): string | null => problems.get(channelKey(channel, accountId)) ?? null
  return {
    of,
    set: (channel: string, accountId: string, words: string | null): void => {
      if (of(channel, accountId) === words) return
      if (words === null) problems.delete(channelKey(channel, accountId))
      else problems.set(channelKey(channel, accountId), words)
      changed()
    },
    forget: (channel: string, accountId: string): void => void problems.delete(channelKey(channel, accountId)),
  }
}

/** The settings of a channel after a change: what the wish leaves out stays as it was. Throws `ChannelError`. */
function channelConfig(wish: ChannelWish, before: KeptChannel | null): ChannelConfig {
  const { channel, accountId = 'default', kind } = wish
  if (reserved.has(channel)) throw new ChannelError(`A channel cannot be called ${channel}.`)
  if (before && before.kind !== kind)
    throw new ChannelError(`The channel ${channel} exists already, and is of another kind.`)
  const baseUrl = wish.baseUrl === undefined ? (before?.baseUrl ?? null) : wish.baseUrl || null
  for (const address of [baseUrl, wish.url]) if (address) checkedAddress(address)
  const wrongKey = wish.signingKey && problemWith(wish.signingKey.trim(), signingKeyRule)
  if (wrongKey) throw new ChannelError(`The signing key cannot be used. ${wrongKey}`)
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
