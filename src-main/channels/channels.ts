import type { ChannelInfo, ChannelKind, ChannelsState } from '../../src-preload/contract/channels'
import { createChannelChanges, createProblems } from './channel-changes'
import { createChannelFacts, type SavedChannel, type SecretName, secretKey } from './channel-facts'
import { createChannelRows } from './channel-rows'
import { createInbound } from './inbound'
import { createIntake } from './intake'
import { createOutbox } from './outbox'
import { ChannelError, type Channels, type ChannelsOptions } from './types'

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

  const facts = createChannelFacts(rows, secrets)
  const { settings } = facts

  const secretOf = (channel: string, accountId: string, name: SecretName): string | null => {
    const secret = secrets.get(secretKey(channel, accountId, name))
    if (secret) options.onSecret(secret)
    return secret
  }

  const { signal } = closing
  const problems = createProblems(changed)
  const shared = { rows, sessions, settings, secretOf, log, now, backoffMs, fetch: fetchBy, signal, changed }
  const outbox = createOutbox({ ...shared, publish, setProblem: problems.set })
  const intake = createIntake({ ...shared, send: outbox.send })
  const inbound = createInbound({
    ...shared,
    setProblem: problems.set,
    take: intake.take,
    pollSeconds: options.pollSeconds ?? usualPollSeconds,
  })

  const infoOf = (kept: SavedChannel): ChannelInfo => {
    const problem = problems.of(kept.channel, kept.accountId)
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

  const changes = createChannelChanges({ ...options, rows, facts, problems, inbound, intake, changed, view })

  const test: Channels['test'] = async (channel, accountId = 'default', to) => {
    try {
      const home = sessions.main('main')
      const message = { text: 'Hello from Deckhand: this channel works.', channel, accountId, title: 'Deckhand' }
      const sent = await outbox.send({ ...message, ...(to && { to }) }, home)
      return { ok: true, message: arrivalWords(rows.find(channel, accountId)?.kind ?? 'app', sent.to) }
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error
      return { ok: false, message: error.message }
    }
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
    test,
    ...changes,

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
