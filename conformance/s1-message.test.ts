import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEcho } from './echo-model'
import { decides, until } from './harness'
import { openOutside } from './outside'
import { openWorld } from './world'

describe('Message', () => {
  const world = openWorld()
  const { result, error } = world
  const echo = openEcho()
  const outside = openOutside()
  const { delivered } = outside
  const last = () => delivered.at(-1)
  const main = () => world.engine.post.find('main')?.id ?? ''
  /** In the session that the last message from outside came into. */
  const reply = (args: object) => result('Message', args, main())

  beforeAll(async () => {
    world.engine.updateSettings({ defaultModel: `${world.engine.providers.addTemporary('openai', echo.url())}/echo` })
    await world.engine.channels.configure({ inboundEnabled: true, dmScope: 'main' })
    outside.addChannel(world, 'signal')
    outside.addChannel(world, 'signal', 'work')
    outside.addChannel(world, 'pager')
    await world.engine.channels.start()
  })
  afterAll(() => echo.close())

  const anna = async (message: { channel?: string; accountId?: string; peerKind?: string; peer?: string } = {}) => {
    const before = delivered.length
    expect(await outside.speak(world, { channel: 'signal', sender: '+4912', text: 'hi', ...message })).toBe(202)
    await until(() => delivered.length > before)
  }

  it('S1-Message-01 has its name', () => expect(world.definitions().map(({ name }) => name)).toContain('gsv__Message'))
  it('S1-Message-02 needs a text', async () => {
    expect(await error('Message', {})).toContain('text')
    expect(await error('Message', { text: '  ' })).toContain('text')
  })
  it('S1-Message-10 reaches the channel', async () => {
    expect(await result('Message', { text: 'outwards', channel: 'signal', to: '+4999' })).toEqual({
      sent: true,
      channel: 'signal',
      to: '+4999',
      peerKind: 'dm',
      accountId: 'default',
      messageId: expect.stringMatching(/^id-/),
    })
    expect(last()).toMatchObject({ text: 'outwards', to: '+4999', channel: 'signal' })
    expect(await error('Message', { text: 'x', channel: 'nowhere', to: 'y' })).toContain('nowhere')
  })
  decides(
    'S1-Message-03 S1-Message-04 S1-Message-11',
    'without channel and to it goes where the session was last active',
    async () => {
      await anna()
      expect(await reply({ text: 'to Anna' })).toMatchObject({ sent: true, channel: 'signal', to: '+4912' })
      expect(last()).toMatchObject({ text: 'to Anna', to: '+4912', channel: 'signal' })
      await anna({ channel: 'pager' })
      expect(await reply({ text: 'and there' })).toMatchObject({ channel: 'pager' })
      expect(await reply({ text: 'somebody else', to: '+4977' })).toMatchObject({ channel: 'pager', to: '+4977' })
    },
  )
  it.each(['dm', 'group', 'channel', 'thread'])('S1-Message-05 peerKind %s is accepted', async (peerKind) => {
    await result('Message', { text: 'kind', channel: 'signal', to: 'x', peerKind })
    expect(last()).toMatchObject({ peerKind })
  })
  it('S1-Message-05 another peerKind is not', async () => {
    expect(await error('Message', { text: 'x', peerKind: 'crowd' })).toContain('peerKind')
  })
  it('S1-Message-06 peerKind is that of the current peer', async () => {
    await anna({ peerKind: 'group', peer: 'G1' })
    const group = world.engine.post.find('agent:main:signal:group:G1')?.id ?? ''
    expect(await result('Message', { text: 'to the group' }, group)).toMatchObject({ to: 'G1', peerKind: 'group' })
    expect(last()).toMatchObject({ peerKind: 'group', to: 'G1' })
  })
  it('S1-Message-07 peerKind is dm when nobody knows', async () => {
    expect(await result('Message', { text: 'x', channel: 'pager', to: 'stranger' })).toMatchObject({ peerKind: 'dm' })
  })
  it('S1-Message-08 the account is the current one', async () => {
    await anna({ accountId: 'work' })
    expect(await reply({ text: 'from work' })).toMatchObject({ channel: 'signal', accountId: 'work' })
    expect(last()).toMatchObject({ accountId: 'work' })
    expect(await reply({ text: 'from home', accountId: 'default' })).toMatchObject({ accountId: 'default' })
  })
  it('S1-Message-09 a reply names its message', async () => {
    await reply({ text: 'a reply', replyToId: 'm-7' })
    expect(last()).toMatchObject({ replyToId: 'm-7' })
  })
})
