import type { ChannelKind, PeerKind, PendingSender, SenderPolicy } from '../../src-preload/contract/channels'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'
import type { Route } from './types'

/** Stored settings of a channel, without its secrets. */
export interface ChannelConfig {
  channel: string
  accountId: string
  kind: Exclude<ChannelKind, 'app'>
  enabled: boolean
  baseUrl: string | null
  defaultTo: string | null
  inbound: boolean
  agentId: string
  policy: SenderPolicy
  allowFrom: string[]
}

export interface KeptChannel extends ChannelConfig {
  lastSentAt: number | null
  lastReceivedAt: number | null
}

interface ChannelRow {
  channel: string
  account_id: string
  kind: ChannelConfig['kind']
  config: string
  last_sent_at: number | null
  last_received_at: number | null
}

export type ChannelRows = ReturnType<typeof createChannelRows>

export const createChannelRows = (database: Database) => {
  const toChannel = (row: ChannelRow): KeptChannel | null => {
    const config = readJson<Omit<ChannelConfig, 'channel' | 'accountId' | 'kind'>, null>(row.config, null)
    return config && join(row, config)
  }
  const join = (row: ChannelRow, config: Omit<ChannelConfig, 'channel' | 'accountId' | 'kind'>): KeptChannel => ({
    ...config,
    channel: row.channel,
    accountId: row.account_id,
    kind: row.kind,
    lastSentAt: row.last_sent_at,
    lastReceivedAt: row.last_received_at,
  })

  return {
    list: (): KeptChannel[] =>
      database
        .prepare<ChannelRow>('SELECT * FROM channels ORDER BY channel, account_id')
        .all()
        .flatMap((row) => toChannel(row) ?? []),
    find: (channel: string, accountId: string): KeptChannel | null => {
      const row = database
        .prepare<ChannelRow>('SELECT * FROM channels WHERE channel = ? AND account_id = ?')
        .get(channel, accountId)
      return row ? toChannel(row) : null
    },
    save: ({ channel, accountId, kind, ...config }: ChannelConfig): void => {
      database
        .prepare(
          `INSERT INTO channels (channel, account_id, kind, config) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET kind = excluded.kind, config = excluded.config`,
        )
        .run(channel, accountId, kind, JSON.stringify(config))
    },
    remove: (channel: string, accountId: string): void => {
      database.prepare('DELETE FROM channels WHERE channel = ? AND account_id = ?').run(channel, accountId)
      database.prepare('DELETE FROM channel_pending WHERE channel = ? AND account_id = ?').run(channel, accountId)
    },
    sent: (channel: string, accountId: string, at: number): void => {
      database
        .prepare('UPDATE channels SET last_sent_at = ? WHERE channel = ? AND account_id = ?')
        .run(at, channel, accountId)
    },
    received: (channel: string, accountId: string, at: number): void => {
      database
        .prepare('UPDATE channels SET last_received_at = ? WHERE channel = ? AND account_id = ?')
        .run(at, channel, accountId)
    },

    pending: (): PendingSender[] =>
      database
        .prepare<PendingSender & { account_id: string }>('SELECT * FROM channel_pending ORDER BY at')
        .all()
        .map(({ channel, account_id, sender, name, text, at }) => ({
          channel,
          accountId: account_id,
          sender,
          name,
          text,
          at,
        })),
    /** True if the sender was not pending yet. */
    addPending: ({ channel, accountId, sender, name, text, at }: PendingSender): boolean =>
      database
        .prepare('INSERT OR IGNORE INTO channel_pending VALUES (?, ?, ?, ?, ?, ?)')
        .run(channel, accountId, sender, name, text, at) > 0,
    removePending: (channel: string, accountId: string, sender: string): boolean =>
      database
        .prepare('DELETE FROM channel_pending WHERE channel = ? AND account_id = ? AND sender = ?')
        .run(channel, accountId, sender) > 0,

    route: (sessionId: string): Route | null => {
      const row = database
        .prepare<{ channel: string; account_id: string; peer: string; peer_kind: PeerKind }>(
          'SELECT * FROM channel_routes WHERE session_id = ?',
        )
        .get(sessionId)
      if (!row) return null
      return { channel: row.channel, accountId: row.account_id, to: row.peer, peerKind: row.peer_kind }
    },
    setRoute: (sessionId: string, route: Route, at: number): void => {
      database
        .prepare('INSERT OR REPLACE INTO channel_routes VALUES (?, ?, ?, ?, ?, ?)')
        .run(sessionId, route.channel, route.accountId, route.to, route.peerKind, at)
    },

    /** True the first time this id is seen. */
    see: (id: string, at: number, forget: number): boolean => {
      database.prepare('DELETE FROM channel_seen WHERE at < ?').run(forget)
      return database.prepare('INSERT OR IGNORE INTO channel_seen VALUES (?, ?)').run(id, at) > 0
    },

    state: (name: string): string | null =>
      database.prepare<{ value: string }>('SELECT value FROM service_state WHERE name = ?').get(name)?.value ?? null,
    setState: (name: string, value: string): void => {
      database.prepare('INSERT OR REPLACE INTO service_state VALUES (?, ?)').run(name, value)
    },
  }
}
