import type { channelCalls } from '../../src-preload/contract/channel-calls'
import type { Engine } from '../engine'
import { givenFields } from '../given-fields'
import { type HandlersFor, nothing } from './handlers'

/** Where messages go out and come in. */
export function channelHandlers({ channels }: Engine): HandlersFor<typeof channelCalls> {
  return {
    'channel.list': () => ({ type: 'channels', ...channels.view() }),
    'channel.save': (wish) => nothing(channels.save(givenFields(wish))),
    'channel.remove': ({ channel, accountId }) => nothing(channels.remove(channel, accountId)),
    'channel.test': ({ channel, accountId, to }) => channels.test(channel, accountId, to),
    'channel.settings': async (patch) => nothing(await channels.configure(givenFields(patch))),
    'channel.approve': async ({ channel, accountId = 'default', sender }) =>
      nothing(await channels.approve(channel, accountId, sender)),
    'channel.deny': ({ channel, accountId = 'default', sender }) => nothing(channels.deny(channel, accountId, sender)),
  }
}
