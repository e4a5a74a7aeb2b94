import type { KeptChannel } from './channel-rows'
import { services } from './services'
import { ChannelError, type OutgoingMessage, type Route } from './types'

export interface Destination extends Route {
  /** `null`: the app itself. */
  config: KeptChannel | null
}

/**
 * Resolves the destination of a message. Missing fields come from the current route, if it is of the same channel, then
 * from the settings of the channel. Throws an error that names what is still missing.
 */
export const resolveDestination = (
  message: OutgoingMessage,
  current: Route | null,
  sessionId: string | null,
  channels: readonly KeptChannel[],
): Destination => {
  const channel = message.channel?.trim().toLowerCase() || current?.channel || 'app'
  const here = current?.channel === channel ? current : null
  const peerKind = message.peerKind ?? here?.peerKind ?? 'dm'
  const accountId = message.accountId?.trim() || here?.accountId || 'default'
  if (channel === 'app') {
    const to = message.to?.trim() || here?.to || sessionId
    if (!to) throw new ChannelError('to is required: there is no current conversation in the app.')
    return { channel, to, peerKind, accountId, config: null }
  }
  const config = channels.find((each) => each.channel === channel && each.accountId === accountId)
  if (!config) throw new ChannelError(unknown(channel, accountId, channels))
  if (!config.enabled) throw new ChannelError(`The channel ${channel} is switched off.`)
  const needsTo = services.get(config.kind)?.needsTo ?? true
  const to = message.to?.trim() || here?.to || config.defaultTo || (needsTo ? null : 'webhook')
  if (!to) throw new ChannelError(`to is required: there is no current peer on the channel ${channel}.`)
  return { channel, to, peerKind, accountId, config }
}

const unknown = (channel: string, accountId: string, channels: readonly KeptChannel[]): string => {
  const accounts = channels.filter((each) => each.channel === channel).map((each) => each.accountId)
  if (accounts.length > 0) {
    return `The channel ${channel} has no account named ${JSON.stringify(accountId)}. There is: ${accounts.join(', ')}.`
  }
  const names = [...new Set(['app', ...channels.map((each) => each.channel)])]
  return `There is no channel named ${JSON.stringify(channel)}. There is: ${names.join(', ')}.`
}
