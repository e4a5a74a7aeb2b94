import type { ChannelSettings } from '../../src-preload/contract/channels'
import type { Logger } from '../log'
import type { ChannelRows, KeptChannel } from './channel-rows'
import { windowMs } from './signature'
import { createTelegramPolls } from './telegram-polls'
import type { IncomingMessage } from './types'
import type { WebhookServer } from './webhook-server'

export interface InboundOptions {
  rows: ChannelRows
  settings(): ChannelSettings
  secretOf(channel: string, accountId: string, name: 'token' | 'signingKey'): string | null
  setProblem(channel: string, accountId: string, words: string | null): void
  changed(): void
  take(message: IncomingMessage): void
  log: Logger
  now(): number
  backoffMs: number
  fetch: typeof fetch
  pollSeconds: number
}

const portState = 'channels.port'

/** Receives messages: one poll per bot, and one server for signed webhooks while any channel needs it. */
export const createInbound = (options: InboundOptions) => {
  const { rows, log } = options
  const polls = createTelegramPolls(options)
  let started = false
  let server: WebhookServer | null = null
  let opening: Promise<void> = Promise.resolve()

  const listening = (): KeptChannel[] => rows.list().filter(({ enabled, inbound }) => enabled && inbound)

  /** The server is open only while there is a webhook channel that accepts messages. */
  const refreshServer = async (): Promise<void> => {
    const { inboundEnabled, inboundHost, inboundPort } = options.settings()
    const wanted = started && inboundEnabled && listening().some(({ kind }) => kind === 'webhook')
    if (wanted === (server !== null)) return
    if (!wanted) {
      await server?.close()
      server = null
      return
    }
    try {
      const { openWebhookServer } = await import('./webhook-server')
      server = await openWebhookServer({
        host: inboundHost,
        port: inboundPort || Number(rows.state(portState) ?? 0),
        now: options.now,
        keyFor: (channel, accountId) => {
          const known = listening().some(
            (each) => each.kind === 'webhook' && each.channel === channel && each.accountId === accountId,
          )
          return known ? options.secretOf(channel, accountId, 'signingKey') : null
        },
        isNew: (id) => rows.see(id, options.now(), options.now() - 2 * windowMs),
        take: options.take,
        log: (message, fields) => log.warn(message, fields),
      })
      rows.setState(portState, String(server.port))
    } catch (error) {
      const words = `Messages cannot be taken in: ${error instanceof Error ? error.message : String(error)}`
      log.error('The address for webhooks could not be opened', { error })
      for (const each of listening())
        if (each.kind === 'webhook') options.setProblem(each.channel, each.accountId, words)
    }
  }

  /** Runs changes one after another, since two servers cannot share the port. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    opening = opening.then(work).catch((error: unknown) => log.error('Channels could not be opened', { error }))
    return opening
  }

  const refresh = (): Promise<void> => {
    polls.refresh(started ? listening() : [])
    return inTurn(async () => {
      const before = server?.url
      await refreshServer()
      if (before !== server?.url) options.changed()
    })
  }

  return {
    urlOf: (channel: string, accountId: string): string | null =>
      server && `${server.url}/channels/${channel}${accountId === 'default' ? '' : `/${accountId}`}`,
    refresh: (): void => void refresh(),
    /** Call when the address or port was changed. */
    reopen: async (): Promise<void> => {
      await inTurn(async () => {
        await server?.close()
        server = null
      })
      await refresh()
    },
    start: async (): Promise<void> => {
      started = true
      await refresh()
    },
    close: async (): Promise<void> => {
      started = false
      const ending = polls.ends()
      await refresh()
      await Promise.all(ending)
    },
  }
}
