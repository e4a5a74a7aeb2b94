import type { ChannelInfo, ChannelKind, ChannelsState } from '../../src-preload/contract/channels'
import { channelConfig } from './channel-config'
import {
  channelKey,
  createChannelFacts,
  type SavedChannel,
  type SecretName,
  secretKey,
  secretNames,
} from './channel-facts'
import { createChannelRows, type KeptChannel } from './channel-rows'
import { createInbound } from './inbound'
import { createIntake } from './intake'
import { createOutbox } from './outbox'
import { ChannelError, type Channels, type ChannelsOptions, type ChannelWish } from './types'

const usualBackoffMs = 1000
const usualPollSeconds = 30

/** Channels for incoming and outgoing messages. */
export const createChannels = (options: ChannelsOptions): Channels => {
  const { database, secrets, sessions, publish, log } = options
  const now = options.now ?? Date.now
  const backoffMs = options.backoffMs ?? usualBackoffMs
  const fetchBy = options.fetch ?? fetch
  const rows = createChannelRows(database)
  const closing = new AbortController()
  /** Error message of each account whose last attempt failed. */
  const problems = new Map<string, string>()

  const facts = createChannelFacts(rows, secrets)
  const { settings } = facts

  const secretOf = (channel: string, accountId: string, name: SecretName): string | null => {
    const secret = secrets.get(secretKey(channel, accountId, name))
    if (secret) options.onSecret(secret)
    return secret
  }

  const outbox = createOutbox({
    rows,
    sessions,
    publish,
    log,
    now,
    backoffMs,
    fetch: fetchBy,
    secretOf,
    setProblem,
    signal: closing.signal,
  })

  const intake = createIntake({
    rows,
    sessions,
    settings,
    send: outbox.send,
    changed,
    log,
    now,
    signal: closing.signal,
  })
  const inbound = createInbound({
    rows,
    settings,
    secretOf,
    setProblem,
    changed,
    take: intake.take,
    log,
    now,
    backoffMs,
    fetch: fetchBy,
    pollSeconds: options.pollSeconds ?? usualPollSeconds,
  })

  function setProblem(channel: string, accountId: string, words: string | null): void {
    const key = channelKey(channel, accountId)
    if ((problems.get(key) ?? null) === words) return
    if (words === null) problems.delete(key)
    else problems.set(key, words)
    changed()
  }

  const infoOf = (kept: SavedChannel): ChannelInfo => {
    const problem = problems.get(channelKey(kept.channel, kept.accountId)) ?? null
    return {
      ...kept,
      secrets: facts.secretsOf(kept),
      inboundUrl: kept.kind === 'webhook' && kept.inbound ? inbound.urlOf(kept.channel, kept.accountId) : null,
      state: kept.enabled ? (problem === null ? 'ready' : 'problem') : 'off',
      problem: kept.enabled ? problem : null,
    }
  }

  const view = (): ChannelsState => ({
    channels: facts.list().map(infoOf),
    pending: rows.pending(),
    settings: settings(),
  })

  function changed(): void {
    if (!closing.signal.aborted) publish({ type: 'channels', ...view() })
  }

  const existing = (channel: string, accountId: string): KeptChannel => {
    const kept = rows.find(channel, accountId)
    if (!kept) throw new ChannelError(`There is no channel ${channelKey(channel, accountId)}.`)
    return kept
  }

  const save = (wish: ChannelWish): ChannelsState => {
    const { channel, accountId = 'default' } = wish
    const before = rows.find(channel, accountId)
    const config = channelConfig(wish, before)
    database.durably(() => rows.save(config))
    // A token is valid for one server only. If the address changes, it has to be entered again.
    if (before && before.baseUrl !== config.baseUrl && wish.token === undefined)
      secrets.remove(secretKey(channel, accountId, 'token'))
    for (const name of secretNames) {
      const secret = wish[name]?.trim()
      if (secret) options.onSecret(secret)
      if (secret) secrets.set(secretKey(channel, accountId, name), secret)
      else if (secret === '') secrets.remove(secretKey(channel, accountId, name))
    }
    problems.delete(channelKey(channel, accountId))
    inbound.refresh()
    changed()
    return view()
  }

  return {
    send: outbox.send,
    dispatch: outbox.dispatch,
    deliver: outbox.deliver,
    onDelivery: outbox.onDelivery,
    route: outbox.route,
    spokeHere: (sessionId) => {
      const route = rows.route(sessionId)
      if (route && route.channel !== 'app') {
        rows.setRoute(sessionId, { channel: 'app', to: sessionId, peerKind: 'dm', accountId: 'default' }, now())
      }
    },
    names: () => [...new Set(['app', ...rows.list().map(({ channel }) => channel)])],

    view,
    save,
    remove: (channel, accountId = 'default') => {
      rows.remove(channel, accountId)
      for (const name of secretNames) secrets.remove(secretKey(channel, accountId, name))
      problems.delete(channelKey(channel, accountId))
      inbound.refresh()
      changed()
      return view()
    },
    test: async (channel, accountId = 'default', to) => {
      try {
        const home = sessions.main('main')
        const message = { text: 'Hello from Deckhand: this channel works.', channel, accountId, title: 'Deckhand' }
        const sent = await outbox.send({ ...message, ...(to && { to }) }, home)
        return { ok: true, message: arrivalWords(rows.find(channel, accountId)?.kind ?? 'app', sent.to) }
      } catch (error) {
        if (!(error instanceof ChannelError)) throw error
        return { ok: false, message: error.message }
      }
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

    start: inbound.start,
    close: async () => {
      closing.abort(new DOMException('Deckhand is closing', 'AbortError'))
      await inbound.close()
    },
  }
}

/** Tells the user where to find a test message. The URL of a webhook would not help. */
const arrivalWords = (kind: ChannelKind, to: string): string => {
  if (kind === 'app') return 'Sent. It is in the main session.'
  if (kind === 'slack') return 'Sent. It should now be in the Slack channel that the webhook was made for.'
  if (kind === 'discord') return 'Sent. It should now be in the Discord channel that the webhook was made for.'
  return `Sent to ${to}.`
}
