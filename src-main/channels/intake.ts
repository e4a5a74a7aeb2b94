import type { ChannelSettings } from '../../src-preload/contract/channels'
import type { Logger } from '../log'
import type { ChannelRows, KeptChannel } from './channel-rows'
import {
  ChannelError,
  type ChannelSessions,
  type IncomingMessage,
  type OutgoingMessage,
  type SentMessage,
} from './types'

const shownOfUnknown = 200
/** Most pending senders that are kept; nobody would look through more. */
const mostPending = 200
const noticeAgainMs = 24 * 3600 * 1000

const unknownNotice = 'I do not know you yet. My owner has been told that you wrote, and can let you in.'
const approvedNotice = 'You have been let in. Write to me.'
const failureNotice = 'I could not answer that. My owner can see why.'

interface IntakeOptions {
  rows: ChannelRows
  sessions: ChannelSessions
  settings(): ChannelSettings
  send(message: OutgoingMessage, sessionId: string | null): Promise<SentMessage>
  changed(): void
  log: Logger
  now(): number
  signal: AbortSignal
}

/** Handles incoming messages: who may write, which session gets the message, and where the answer goes. */
export const createIntake = (options: IntakeOptions) => {
  const { rows, sessions, log, now } = options
  /** When a rejected sender was last told so; they are not told for every message. */
  const noticed = new Map<string, number>()

  const take = (message: IncomingMessage): void => {
    const channel = rows.find(message.channel, message.accountId)
    if (!channel?.enabled || !channel.inbound) return
    rows.received(channel.channel, channel.accountId, now())
    if (mayspeak(channel, message)) startTurn(channel, message)
    else turnAway(channel, message)
  }

  const startTurn = (channel: KeptChannel, message: IncomingMessage): void => {
    const sessionId = sessions.forPeer(channel.agentId, message, options.settings().dmScope)
    const { accountId, peer: to, peerKind, messageId } = message
    // Taint the session before the message is in it, so that there is no moment in which it counts as trusted.
    sessions.taint(sessionId)
    rows.setRoute(sessionId, { channel: message.channel, accountId, to, peerKind }, now())
    const origin = { label: `${message.channel}: ${message.senderName}`, mayDoAll: false }
    const reply = (text: string): Promise<SentMessage> =>
      options.send(
        {
          text,
          channel: message.channel,
          accountId,
          to,
          peerKind,
          ...(peerKind !== 'dm' && messageId && { replyToId: messageId }),
        },
        sessionId,
      )
    const converse = async (): Promise<void> => {
      try {
        const { reason, text } = await sessions.say(sessionId, headed(message), { origin, signal: options.signal })
        if (text.trim() !== '') await reply(text)
        else if (reason !== 'done' && reason !== 'stopped') await reply(failureNotice)
      } catch (error) {
        if (options.signal.aborted) return
        log.warn('A message from outside was not answered', { channel: message.channel, error })
        if (!(error instanceof ChannelError)) tell(message, failureNotice)
      }
    }
    void converse()
  }

  const turnAway = (channel: KeptChannel, message: IncomingMessage): void => {
    if (channel.policy !== 'pairing' || message.peerKind !== 'dm') return
    const { channel: name, accountId, sender, senderName } = message
    const waiting = rows.pending().filter((each) => each.channel === name && each.accountId === accountId)
    if (waiting.length >= mostPending) return
    const text = message.text.slice(0, shownOfUnknown)
    const isNew = rows.addPending({ channel: name, accountId, sender, name: oneLine(senderName), text, at: now() })
    if (isNew) options.changed()
    const key = `${name}/${accountId}/${sender}`
    if (!isNew || (noticed.get(key) ?? Number.NEGATIVE_INFINITY) > now() - noticeAgainMs) return
    noticed.set(key, now())
    tell(message, unknownNotice)
  }

  const tell = (
    { channel, accountId, peer }: Pick<IncomingMessage, 'channel' | 'accountId' | 'peer'>,
    text: string,
  ): void => {
    options
      .send({ text, channel, accountId, to: peer, peerKind: 'dm' }, null)
      .catch((error: unknown) => log.warn('A sender could not be told', { channel, error }))
  }

  return {
    take,
    /** False if no such sender is pending. */
    approve: (channel: KeptChannel, sender: string): boolean => {
      if (!rows.removePending(channel.channel, channel.accountId, sender)) return false
      const { lastSentAt: _sent, lastReceivedAt: _received, ...config } = channel
      rows.save({ ...config, allowFrom: [...new Set([...config.allowFrom, sender])] })
      tell({ channel: channel.channel, accountId: channel.accountId, peer: sender }, approvedNotice)
      return true
    },
    deny: (channel: KeptChannel, sender: string): boolean =>
      rows.removePending(channel.channel, channel.accountId, sender),
  }
}

const mayspeak = ({ policy, allowFrom }: KeptChannel, { sender }: IncomingMessage): boolean =>
  policy === 'open' || allowFrom.includes(sender) || allowFrom.includes('*')

/** Tells the model that this message is not from its user, whatever the text says. */
const headed = ({ channel, senderName, sender, text }: IncomingMessage): string =>
  `[${channel} · ${oneLine(senderName)}${senderName === sender ? '' : ` (${oneLine(sender)})`}] ${text}`

const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}\p{Cf}[\]]+/gu, ' ')
    .trim()
    .slice(0, 100)
