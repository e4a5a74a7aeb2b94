import { z } from 'zod'
import { agentId } from './agent-calls'
import { call, none, read, textBy, webAddress } from './call'
import type { ChannelsEvent } from './channels'
import { channelNameRule } from './field-rules'

const channelName = textBy(channelNameRule)
const account = channelName.optional()
const sender = z.string().min(1).max(500)
/** Absent: keep the stored one. Empty: forget it. */
const secret = z.string().max(10_000).optional()

/** Where messages go out and come in. */
export const channelCalls = {
  'channel.list': read<ChannelsEvent>()(none),
  /** Adds or changes one; fields that are left out keep their value. */
  'channel.save': call<null>()(
    () =>
      z.strictObject({
        channel: channelName,
        accountId: account,
        kind: z.enum(['slack', 'discord', 'telegram', 'webhook']),
        enabled: z.boolean().optional(),
        baseUrl: z.union([webAddress, z.literal('')]).optional(),
        defaultTo: z.string().max(500).optional(),
        inbound: z.boolean().optional(),
        agentId: agentId.optional(),
        policy: z.enum(['open', 'allowlist', 'pairing']).optional(),
        allowFrom: z.array(sender).max(1000).optional(),
        /** Of a Telegram bot. */
        token: secret,
        /** An incoming webhook's address is a secret: whoever knows it can post. */
        url: z.union([webAddress, z.literal('')]).optional(),
        signingKey: secret,
      }),
    'Save a channel for messages?',
  ),
  'channel.remove': call<null>()(() => z.strictObject({ channel: channelName, accountId: account })),
  /** Sends a short message, and tells how that went. */
  'channel.test': call<{ ok: boolean; message: string }>()(
    () => z.strictObject({ channel: z.string().max(32), accountId: account, to: z.string().max(500).optional() }),
    'Send a test message?',
  ),
  'channel.settings': call<null>()(() =>
    z.strictObject({
      dmScope: z.enum(['main', 'per-peer', 'per-channel-peer', 'per-account-channel-peer']).optional(),
      inboundEnabled: z.boolean().optional(),
      inboundHost: z.string().trim().min(1).max(253).optional(),
      inboundPort: z.int().min(0).max(65535).optional(),
    }),
  ),
  /** Lets a sender in from now on, and tells them. */
  'channel.approve': call<null>()(
    () => z.strictObject({ channel: channelName, accountId: account, sender }),
    'Let a sender talk to the agent?',
  ),
  'channel.deny': call<null>()(() => z.strictObject({ channel: channelName, accountId: account, sender })),
} as const
