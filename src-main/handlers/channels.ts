import type { channelCalls } from '../../src-preload/contract/channel-calls'
import type { Engine } from '../engine'
import type { HandlersFor } from './handlers'

/** Where messages go out and come in. */
export function channelHandlers({ channels }: Engine): HandlersFor<typeof channelCalls> {
  return {
    'channel.list': () => channels.view(),
    'channel.save': (wish) => channels.save(given(wish)),
    'channel.remove': ({ channel, accountId }) => channels.remove(channel, accountId),
    'channel.test': ({ channel, accountId, to }) => channels.test(channel, accountId, to),
    'channel.settings': (patch) => channels.configure(given(patch)),
    'channel.approve': ({ channel, accountId = 'default', sender }) => channels.approve(channel, accountId, sender),
    'channel.deny': ({ channel, accountId = 'default', sender }) => channels.deny(channel, accountId, sender),
  }
}

type Given<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> }

/** Without the fields that hold nothing: those keep their value. */
const given = <Fields extends object>(fields: Fields): Given<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>
