import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { verify } from './signature'
import { createChannelBench, type Received, type Reply, serve, until } from './test-bench'

let bench: ReturnType<typeof createChannelBench>
let server: Awaited<ReturnType<typeof serve>>
let reply: (request: Received, count: number) => Reply | Promise<Reply>

beforeEach(async () => {
  bench = createChannelBench()
  reply = () => ({})
  server = await serve((request, count) => reply(request, count))
})
afterEach(async () => {
  await bench.close()
  await server.close()
})

const token = '123456:AAsecretTokenOfTheBot'

describe('services', () => {
  it('Slack gets text that calls nobody', async () => {
    const { channels } = bench.open()
    channels.save({ channel: 'slack', kind: 'slack', url: `${server.url}/services/T0/B0/secret` })
    const sent = await channels.send({ text: '<!channel> a & b', channel: 'slack', replyToId: '17.4' }, 's_1')
    expect(sent).toEqual({ sent: true, channel: 'slack', to: 'webhook', peerKind: 'dm', accountId: 'default' })
    expect(server.requests.map(({ method, url, body }) => ({ method, url, body }))).toEqual([
      {
        method: 'POST',
        url: '/services/T0/B0/secret',
        body: { text: '&lt;!channel&gt; a &amp; b', thread_ts: '17.4' },
      },
    ])
  })

  it('Discord gets pieces of at most 2000 characters, in order', async () => {
    const { channels } = bench.open()
    reply = (_, count) => ({ body: { id: `m${count}` } })
    channels.save({ channel: 'discord', kind: 'discord', url: `${server.url}/api/webhooks/1/secret` })
    const sent = await channels.send(
      { text: 'A sentence of words. '.repeat(250), channel: 'discord', to: '77', peerKind: 'thread' },
      's_1',
    )
    expect(sent).toEqual({
      sent: true,
      channel: 'discord',
      to: '77',
      peerKind: 'thread',
      accountId: 'default',
      messageId: 'm1',
    })
    expect(server.requests).toHaveLength(3)
    expect(server.requests[0]).toMatchObject({
      url: '/api/webhooks/1/secret?wait=true&thread_id=77',
      body: { allowed_mentions: { parse: [] } },
    })
    expect(server.requests.every(({ body }) => body.content.length <= 2000)).toBe(true)
  })

  it('Telegram gets a chat and gives a message id', async () => {
    const { channels } = bench.open()
    reply = () => ({ body: { ok: true, result: { message_id: 99 } } })
    channels.save({ channel: 'telegram', kind: 'telegram', baseUrl: server.url, token })
    const sent = await channels.send({ text: 'Hi', channel: 'telegram', to: '4711', replyToId: '12' }, 's_1')
    expect(sent).toEqual({
      sent: true,
      channel: 'telegram',
      to: '4711',
      peerKind: 'dm',
      accountId: 'default',
      messageId: '99',
    })
    expect(server.requests[0]).toMatchObject({
      url: `/bot${token}/sendMessage`,
      body: { chat_id: '4711', text: 'Hi', reply_parameters: { message_id: 12 } },
    })
  })

  it('a webhook gets a signature that its receiver can check', async () => {
    const { channels } = bench.open()
    reply = () => ({ status: 202, body: { messageId: 'abc' } })
    channels.save({ channel: 'signal', kind: 'webhook', url: `${server.url}/in`, signingKey: 'a long shared key' })
    const sent = await channels.send({ text: 'Hi', channel: 'signal', to: '+15551234567' }, 's_1')
    expect(sent).toMatchObject({ channel: 'signal', to: '+15551234567', messageId: 'abc' })
    const [request] = server.requests
    const signed = {
      timestamp: String(request?.headers['x-deckhand-timestamp']),
      id: String(request?.headers['x-deckhand-id']),
      signature: String(request?.headers['x-deckhand-signature']),
      body: Buffer.from(request?.text ?? ''),
    }
    expect(verify('a long shared key', signed, bench.now())).toBe('fine')
    expect(verify('another key', signed, bench.now())).toBe('wrong')
    expect(request?.body).toEqual({
      id: signed.id,
      channel: 'signal',
      accountId: 'default',
      to: '+15551234567',
      peerKind: 'dm',
      text: 'Hi',
    })
  })

  it('the app shows it in a conversation and tells the desktop', async () => {
    const { channels, shown, events } = bench.open()
    expect(await channels.send({ text: 'Look here', title: 'backup' }, 's_1')).toEqual({
      sent: true,
      channel: 'app',
      to: 's_1',
      peerKind: 'dm',
      accountId: 'default',
    })
    expect(shown).toEqual([{ sessionId: 's_1', text: 'Look here' }])
    expect(events).toContainEqual({ type: 'notify', sessionId: 's_1', title: 'backup', text: 'Look here' })
    await expect(channels.send({ text: 'x', channel: 'app', to: 'nowhere' }, 's_1')).rejects.toThrow(
      'no conversation "nowhere"',
    )
  })
})

describe('failures', () => {
  const telegram = { channel: 'telegram', kind: 'telegram', token } as const

  it('that pass are tried again, with the pause that was asked for', async () => {
    const { channels } = bench.open()
    reply = (_, count) =>
      count === 1
        ? { status: 429, body: { ok: false, parameters: { retry_after: 0.01 } } }
        : count === 2
          ? { status: 502, body: 'bad gateway' }
          : { body: { ok: true, result: { message_id: 1 } } }
    channels.save({ ...telegram, baseUrl: server.url })
    expect(await channels.send({ text: 'Hi', channel: 'telegram', to: '1' }, 's_1')).toMatchObject({ sent: true })
    expect(server.requests).toHaveLength(3)
  })

  it('that stay are told after a few tries', async () => {
    const { channels } = bench.open()
    reply = () => ({ status: 500, body: 'sorry' })
    channels.save({ ...telegram, baseUrl: server.url })
    await expect(channels.send({ text: 'Hi', channel: 'telegram', to: '1' }, 's_1')).rejects.toThrow(
      'refused it (500: sorry)',
    )
    expect(server.requests).toHaveLength(4)
    expect(channels.view().channels[1]).toMatchObject({ state: 'problem', problem: expect.stringContaining('500') })
    reply = () => ({ body: { ok: true, result: { message_id: 1 } } })
    await channels.send({ text: 'Hi', channel: 'telegram', to: '1' }, 's_1')
    expect(channels.view().channels[1]).toMatchObject({ state: 'ready', problem: null })
  })

  it('of our own making are not tried again', async () => {
    const { channels } = bench.open()
    reply = () => ({ status: 400, body: { ok: false, description: 'chat not found' } })
    channels.save({ ...telegram, baseUrl: server.url })
    await expect(channels.send({ text: 'Hi', channel: 'telegram', to: '1' }, 's_1')).rejects.toThrow('chat not found')
    expect(server.requests).toHaveLength(1)
  })

  it('never show a secret, whatever the other side echoes', async () => {
    const { channels, events, logged } = bench.open()
    reply = ({ url }) => ({ status: 404, body: { description: `no route ${url} for bot ${token}` } })
    channels.save({ ...telegram, baseUrl: server.url })
    const error = await channels
      .send({ text: 'Hi', channel: 'telegram', to: '1' }, 's_1')
      .catch((thrown: Error) => thrown)
    const everything = JSON.stringify([events, logged, channels.view(), (error as Error).message])
    expect(everything).toContain('[hidden]')
    expect(everything).not.toContain(token)
    await server.close()
    const unreachable = await channels
      .send({ text: 'Hi', channel: 'telegram', to: '1' }, 's_1')
      .catch((thrown: Error) => thrown)
    expect((unreachable as Error).message).toMatch(/could not be reached/)
    expect(JSON.stringify([events, logged, (unreachable as Error).message])).not.toContain(token)
  })

  it('a redirect is not followed with the secret in hand', async () => {
    const { channels } = bench.open()
    reply = () => ({ status: 307, headers: { location: `${server.url}/elsewhere` } })
    channels.save({ channel: 'slack', kind: 'slack', url: `${server.url}/hook` })
    await expect(channels.send({ text: 'Hi', channel: 'slack' }, 's_1')).rejects.toThrow('not followed')
    expect(server.requests.map(({ url }) => url)).toEqual(['/hook'])
  })

  it('secrets are kept in the keychain only, and forgotten with their place', async () => {
    const { channels } = bench.open()
    channels.save({ ...telegram, baseUrl: server.url })
    expect([...bench.secrets.values()]).toEqual([token])
    expect(JSON.stringify(channels.view())).not.toContain(token)
    expect(channels.view().channels[1]?.secrets).toEqual({ token: true, url: false, signingKey: false })
    channels.save({ channel: 'telegram', kind: 'telegram', baseUrl: 'https://elsewhere.example' })
    expect([...bench.secrets.values()]).toEqual([])
    channels.save({ ...telegram })
    channels.remove('telegram')
    expect([...bench.secrets.values()]).toEqual([])
  })

  it.each(['http://hooks.example/x', 'ftp://127.0.0.1/x', 'https://user:pw@hooks.example/x', 'nonsense'])(
    'an address like %s is refused',
    (url) => {
      const { channels } = bench.open()
      expect(() => channels.save({ channel: 'slack', kind: 'slack', url })).toThrow(/The address must/)
    },
  )

  it('a test says where to look, also where an address is all there is', async () => {
    const { channels } = bench.open()
    const url = `${server.url}/hook`
    for (const kind of ['slack', 'discord'] as const) channels.save({ channel: `my-${kind}`, kind, url })
    channels.save({ channel: 'telegram', kind: 'telegram', baseUrl: server.url, token, defaultTo: '42' })
    const words = await Promise.all(['my-slack', 'my-discord', 'telegram', 'app'].map((name) => channels.test(name)))
    expect(words).toEqual([
      { ok: true, message: 'Sent. It should now be in the Slack channel that the webhook was made for.' },
      { ok: true, message: 'Sent. It should now be in the Discord channel that the webhook was made for.' },
      { ok: true, message: 'Sent to 42.' },
      { ok: true, message: 'Sent. It is in the main session.' },
    ])
  })

  it('a signing key that could be guessed is refused', () => {
    const { channels } = bench.open()
    expect(() => channels.save({ channel: 'hook', kind: 'webhook', signingKey: 'secret' })).toThrow('at least 16')
  })

  it.each(['app', 'main', 'cron'])('a channel cannot be called %s', (channel) => {
    const { channels } = bench.open()
    expect(() => channels.save({ channel, kind: 'slack' })).toThrow('cannot be called')
  })
})

describe('where a message goes', () => {
  it('is said in words when it cannot be known', async () => {
    const { channels } = bench.open()
    channels.save({ channel: 'telegram', kind: 'telegram', baseUrl: server.url })
    channels.save({ channel: 'slack', kind: 'slack', enabled: false })
    const refused = (message: Parameters<typeof channels.send>[0]): Promise<string> =>
      channels.send(message, 's_1').then(
        () => 'sent',
        (error: Error) => error.message,
      )
    expect(await refused({ text: ' ' })).toBe('text is required.')
    expect(await refused({ text: 'x', channel: 'whatsapp' })).toBe(
      'There is no channel named "whatsapp". There is: app, slack, telegram.',
    )
    expect(await refused({ text: 'x', channel: 'telegram' })).toBe(
      'to is required: there is no current peer on the channel telegram.',
    )
    expect(await refused({ text: 'x', channel: 'telegram', to: '1' })).toMatch(/no bot token yet/)
    expect(await refused({ text: 'x', channel: 'telegram', to: '1', accountId: 'work' })).toMatch(
      /no account named "work"/,
    )
    expect(await refused({ text: 'x', channel: 'slack' })).toBe('The channel slack is switched off.')
  })

  it('several accounts of a channel are kept apart', async () => {
    const { channels } = bench.open()
    channels.save({ channel: 'slack', kind: 'slack', url: `${server.url}/one` })
    channels.save({ channel: 'slack', accountId: 'work', kind: 'slack', url: `${server.url}/two` })
    await channels.send({ text: 'x', channel: 'slack', accountId: 'work' }, 's_1')
    await channels.send({ text: 'x', channel: 'slack' }, 's_1')
    expect(server.requests.map(({ url }) => url)).toEqual(['/two', '/one'])
  })

  it('is the default peer of the channel when nobody else is known', async () => {
    const { channels } = bench.open()
    channels.save({ channel: 'telegram', kind: 'telegram', baseUrl: server.url, token, defaultTo: '42' })
    expect(await channels.send({ text: 'x', channel: 'telegram' }, 's_1')).toMatchObject({ to: '42' })
  })
})

describe('the bus', () => {
  it('answers before anything has arrived, and tells later how it fared', async () => {
    const { channels, events } = bench.open()
    let arrived: (reply: Reply) => void = () => {}
    reply = () => new Promise((resolve) => (arrived = resolve))
    channels.save({ channel: 'slack', kind: 'slack', url: `${server.url}/hook` })
    const told: unknown[] = []
    channels.onDelivery((delivery) => told.push(delivery))
    const dispatched = channels.dispatch({ text: 'Hi', channel: 'slack', to: 'general' }, 's_1')
    expect(dispatched).toEqual({
      id: dispatched.id,
      channel: 'slack',
      to: 'general',
      peerKind: 'dm',
      accountId: 'default',
    })
    await until(() => server.requests.length === 1)
    expect(told).toEqual([])
    arrived({ status: 410, body: 'no_service' })
    await until(() => told.length === 1)
    expect(told).toEqual([
      {
        id: dispatched.id,
        channel: 'slack',
        to: 'general',
        accountId: 'default',
        sessionId: 's_1',
        at: bench.now(),
        outcome: 'failed',
        error: expect.stringContaining('410'),
      },
    ])
    expect(events).toContainEqual({ type: 'delivery', delivery: told[0] })
  })

  it('keeps the order of one account, also after a failure', async () => {
    const { channels } = bench.open()
    reply = async ({ body }) => {
      await new Promise((resolve) => setTimeout(resolve, body.text === 'first' ? 50 : 0))
      return body.text === 'second' ? { status: 400 } : {}
    }
    channels.save({ channel: 'slack', kind: 'slack', url: `${server.url}/hook` })
    for (const text of ['first', 'second', 'third']) channels.dispatch({ text, channel: 'slack' }, 's_1')
    await until(() => server.requests.length === 3)
    expect(server.requests.map(({ body }) => body.text)).toEqual(['first', 'second', 'third'])
  })
})

describe('the answer of a job', () => {
  it('is only announced where it can be read already', async () => {
    const { channels, shown, events } = bench.open()
    await channels.deliver({ text: 'Done', title: 'backup' }, 's_main_of_main', 's_main_of_main')
    expect(shown).toEqual([])
    expect(events).toContainEqual({ type: 'notify', sessionId: 's_main_of_main', title: 'backup', text: 'Done' })
    await channels.deliver({ text: 'Done', title: 'backup' }, 's_job', 's_main_of_main')
    expect(shown).toEqual([{ sessionId: 's_main_of_main', text: 'Done' }])
  })
})
