import { generateKeyPairSync, sign } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GatewayBench, greeting, openBench, openRaw, until } from './test-bench'
import { newToken } from './tokens'
import { proofText } from './wire'

let bench: GatewayBench
let url: string
let token: string
const now = 1_800_000_000_000

beforeEach(async () => {
  bench = openBench({ takenIds: () => ['github'], clock: () => now })
  url = await bench.url()
  token = bench.gateway.add({ id: 'server' }).token
})
afterEach(() => bench.close())

/** The status of a raw upgrade request with any headers. */
const upgrade = (
  headers: Record<string, string>,
  path = '/ws',
): Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(url)
    const usual = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version': '13',
    }
    const asked = request({ host: '127.0.0.1', port, path, headers: { ...usual, ...headers } })
    asked.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode ?? 0, body: '', headers: response.headers })
    })
    asked.on('response', (response) => {
      let body = ''
      response.on('data', (text) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }))
    })
    asked.on('error', reject)
    asked.end()
  })
const bearer = (text: string) => ({ Authorization: `Bearer ${text}` })

describe('at the door', () => {
  it.each([
    ['no token', {}],
    ['an empty one', { Authorization: 'Bearer ' }],
    ['the word null', bearer('null')],
    ['another scheme', { Authorization: 'Basic dXNlcjpwYXNz' }],
    ['a claim to be local', { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1' }],
  ])('refuses %s before there is a socket', async (_, headers) => {
    expect(await upgrade(headers)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
  })

  it('refuses a wrong token, a part of the right one, and one with something after it', async () => {
    for (const wrong of [newToken(), token.slice(0, -1), `${token}x`, token.toUpperCase()]) {
      expect((await upgrade(bearer(wrong))).status).toBe(401)
    }
    expect((await upgrade(bearer(token))).status).toBe(101)
  })

  it('takes no token from the address', async () => {
    expect((await upgrade({}, `/ws?token=${token}`)).status).toBe(401)
  })

  it.each([
    'https://evil.test',
    'http://localhost:1234',
    'http://127.0.0.1',
    'null',
    'file://',
    'chrome-extension://abc',
    '',
  ])('refuses a web page of origin %j although it has the token', async (Origin) => {
    expect((await upgrade({ ...bearer(token), Origin })).status).toBe(403)
  })

  it.each([
    'evil.test:PORT',
    '127.0.0.1.nip.io',
    '127.0.0.1.nip.io:PORT',
    'localhost.evil.test:PORT',
    '127.0.0.1:1',
    'localhost',
    '10.0.0.1:PORT',
    '0.0.0.0:PORT',
    'user@127.0.0.1:PORT',
  ])('refuses the rebound name %s', async (Host) => {
    const { port } = new URL(url)
    expect((await upgrade({ ...bearer(token), Host: Host.replace('PORT', port) })).status).toBe(403)
  })

  it.each(['127.0.0.1:PORT', 'localhost:PORT', '[::1]:PORT'])('knows itself as %s', async (Host) => {
    const { port } = new URL(url)
    expect((await upgrade({ ...bearer(token), Host: Host.replace('PORT', port) })).status).toBe(101)
  })

  it('asks for the right version of the protocol', async () => {
    expect(await upgrade({ ...bearer(token), 'Sec-WebSocket-Version': '7' })).toMatchObject({
      status: 426,
      headers: { 'sec-websocket-version': '13' },
    })
  })

  it('shows nothing to whoever looks around', async () => {
    for (const path of ['/', '/health', '/ws/', '/ws/..', '/index.html', '/metrics']) {
      const { port } = new URL(url)
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      expect([path, answer.status, await answer.text()]).toEqual([path, 404, ''])
      expect(JSON.stringify([...answer.headers])).not.toMatch(/deckhand|electron|version/i)
    }
    expect((await upgrade(bearer(token), '/other')).status).toBe(404)
    expect((await fetch(url.replace('ws:', 'http:'))).status).toBe(426)
  })

  it('slows down whoever guesses, from this machine too', async () => {
    const statuses = []
    for (let attempt = 0; attempt < 40; attempt++) statuses.push((await upgrade(bearer(newToken()))).status)
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401))
    expect(statuses.slice(20)).toEqual(Array(20).fill(429))
  })

  it('survives what is not HTTP at all', async () => {
    const { port } = new URL(url)
    for (const text of ['\0\0\0', 'GET /ws HTTP/1.1\r\nHost\r\n\r\n', `GET ${'/'.repeat(100_000)} HTTP/1.1\r\n\r\n`]) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
        socket.on('close', () => resolve()).on('error', () => resolve())
        setTimeout(() => socket.destroy(), 300)
      })
    }
    expect((await upgrade(bearer(token))).status).toBe(101)
  })
})

describe('the greeting', () => {
  it('answers with who it is, and lists the node', async () => {
    const raw = await openRaw(url, token)
    const answer = await raw.request('connect', greeting('server'))
    expect(answer).toMatchObject({
      ok: true,
      payload: {
        type: 'hello-ok',
        protocol: 1,
        server: { version: '0.0.0', connectionId: expect.any(String) },
        features: { methods: expect.arrayContaining(['tool.result']) },
      },
    })
    await until(() => bench.gateway.isConnected('server'))
    expect(bench.registry.get('server')).toMatchObject({
      state: 'connected',
      role: 'execution',
      os: 'linux',
      capabilities: expect.arrayContaining(['shell.exec']),
    })
    await until(() => bench.registry.get('server')?.latencyMs !== null)
  })

  it.each<[string, object, number]>([
    ['another protocol', { minProtocol: 2, maxProtocol: 3 }, 102],
    ['an unknown mode', { client: { id: 'server', mode: 'master' } }, 103],
    ['no tools', { tools: [] }, 103],
    ['no runtime', { nodeRuntime: undefined }, 103],
    ['no client', { client: undefined }, 103],
    ['another id than that of the token', { client: { id: 'other', mode: 'node' } }, 403],
    ['the mode of a client', { client: { id: 'server', mode: 'client' } }, 403],
    ['another token inside', { auth: { token: 'wrong' } }, 401],
  ])('refuses %s', async (_, changes, code) => {
    const raw = await openRaw(url, token)
    expect(await raw.request('connect', greeting('server', undefined, changes))).toMatchObject({
      ok: false,
      error: { code },
    })
    if (code === 401 || code === 403) expect((await until(raw.closed)).code).toBe(4001)
    expect(bench.gateway.isConnected('server')).toBe(false)
  })

  it.each([
    ['a__b'],
    ['gsv'],
    ['GSV'],
    ['github'],
    ['here'],
    ['local'],
    ['-x'],
    ['a b'],
    [''],
    ['x'.repeat(60)],
    ['../x'],
    ['__proto__'],
  ])('gives no node the id %j', (id) => {
    expect(() => bench.gateway.add({ id })).toThrow()
  })

  it('hears nothing before it, and no second one after it', async () => {
    const raw = await openRaw(url, token)
    expect(await raw.request('tool.result', { callId: 'x' })).toMatchObject({
      error: { code: 101, message: 'Not connected' },
    })
    await raw.request('connect', greeting('server'))
    await until(() => bench.gateway.isConnected('server'))
    expect(await raw.request('connect', greeting('server'))).toMatchObject({ error: { code: 400 } })
  })

  it('has to come in time', async () => {
    await bench.close()
    bench = openBench()
    const added = bench.gateway.add({ id: 'slow' })
    const raw = await openRaw(await bench.url(), added.token)
    expect((await until(raw.closed)).code).toBe(1008)
  })

  it('lets only so many strangers wait', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => openRaw(url, token)))
    expect(all.filter((raw) => raw.status() === 503).length).toBeGreaterThanOrEqual(8)
    for (const raw of all) raw.socket.terminate()
  })
})

describe('a device key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url')
  const proof = (nonce: string, id = 'server') =>
    sign(null, Buffer.from(proofText(nonce, id)), privateKey).toString('base64url')

  it('is needed from its first use on, and its proof is worth nothing on another socket', async () => {
    const first = await openRaw(url, token)
    const recorded = greeting('server', undefined, { auth: { token, key, proof: proof(await first.nonce()) } })
    expect(await first.request('connect', recorded)).toMatchObject({ ok: true })

    const replay = await openRaw(url, token)
    expect(await replay.request('connect', recorded)).toMatchObject({ error: { code: 401 } })
    const bare = await openRaw(url, token)
    expect(await bare.request('connect', greeting('server'))).toMatchObject({ error: { code: 401 } })
    const again = await openRaw(url, token)
    expect(
      await again.request(
        'connect',
        greeting('server', undefined, { auth: { key, proof: proof(await again.nonce()) } }),
      ),
    ).toMatchObject({ ok: true })
  })

  it('may change when the user renews the token', async () => {
    const first = await openRaw(url, token)
    await first.request('connect', greeting('server', undefined, { auth: { key, proof: proof(await first.nonce()) } }))
    const renewed = bench.gateway.renewToken('server')
    expect((await openRaw(url, token)).status()).toBe(401)
    const moved = await openRaw(url, renewed.token)
    expect(await moved.request('connect', greeting('server'))).toMatchObject({ ok: true })
  })
})

describe('a connected node', () => {
  const join = async (id = 'server', given = token) => {
    const raw = await openRaw(url, given)
    expect(await raw.request('connect', greeting(id))).toMatchObject({ ok: true })
    await until(() => bench.gateway.isConnected(id))
    return raw
  }
  const call = (nodeId = 'server') =>
    bench.gateway.invoke({ nodeId, tool: 'Read', args: { path: 'x' }, sessionId: 'session' })

  it.each([['not json'], ['{'], ['[]'], ['null'], ['7'], ['"text"'], ['']])(
    'is told to go after the frame %j',
    async (frame) => {
      const raw = await join()
      raw.send(frame)
      expect((await until(raw.closed)).code).toBe(1003)
      expect(raw.frames).toContainEqual(
        expect.objectContaining({ type: 'res', id: null, ok: false, error: expect.objectContaining({ code: 400 }) }),
      )
      await join()
    },
  )

  it('may send a frame of an unknown type, a response or an event without effect', async () => {
    const raw = await join()
    for (const frame of [
      { type: 'hello' },
      { type: 'res', id: '1', ok: true },
      { type: 'evt', event: 'tool.invoke' },
      {},
      { type: 'req' },
      { type: 'req', id: {}, method: 'x' },
    ])
      raw.send(frame)
    expect(await raw.request('tools.list')).toMatchObject({ ok: true })
  })

  it.each(['nonsense', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'gets 404 for the method %s',
    async (method) => {
      const raw = await join()
      expect(await raw.request(method, {})).toMatchObject({
        error: { code: 404, message: `Unknown method: ${method}` },
      })
    },
  )

  it('cannot use a request id twice', async () => {
    const raw = await join()
    raw.send({ type: 'req', id: '__proto__', method: 'tools.list' })
    raw.send({ type: 'req', id: '__proto__', method: 'tools.list' })
    const answers = await until(() => {
      const found = raw.frames.filter(({ id }) => id === '__proto__')
      return found.length === 2 && found
    })
    expect(answers).toMatchObject([{ ok: true }, { ok: false, error: { code: 409 } }])
  })

  it('is cut off when it floods, and when a frame is too big', async () => {
    const flood = await join()
    for (let count = 0; count < 6000; count++) flood.send({ type: 'req', id: count, method: 'tools.list' })
    expect((await until(flood.closed)).code).toBe(1008)
    const big = await join()
    big.send('x'.repeat(33 * 1024 * 1024))
    expect((await until(big.closed)).code).toBe(1009)
    await join()
  })

  it('gets no compressed frames past the limit, since none are agreed on', async () => {
    const raw = await join()
    expect(raw.socket.extensions).toBe('')
  })

  it('gives way to a newer connection of its own, whose place the old one cannot take away', async () => {
    const old = await join()
    const pending = call().catch((error: Error) => error)
    const { callId } = await old.event('tool.invoke')
    const newer = await join()
    expect(await until(old.closed)).toMatchObject({ code: 1000 })
    expect(await pending).toMatchObject({ code: 503, retryable: true })
    expect(bench.gateway.isConnected('server')).toBe(true)
    expect(await newer.request('tool.result', { callId, result: {} })).toMatchObject({
      payload: { ok: true, dropped: true },
    })
  })

  it('answers only its own calls, once, and not those it was never asked', async () => {
    const raw = await join()
    const other = await join('other', bench.gateway.add({ id: 'other' }).token)
    const answer = call()
    const { callId, tool, args } = await raw.event('tool.invoke')
    expect({ tool, args }).toEqual({ tool: 'Read', args: { path: 'x' } })
    expect(await other.request('tool.result', { callId, result: { forged: true } })).toMatchObject({
      error: { code: 404 },
    })
    expect(await raw.request('tool.result', { callId, result: { path: 'x' } })).toMatchObject({ payload: { ok: true } })
    expect(await answer).toEqual({ ok: true, result: { path: 'x' }, content: [{ type: 'text', text: '{"path":"x"}' }] })
    expect(await raw.request('tool.result', { callId, result: {} })).toMatchObject({ payload: { dropped: true } })
    expect(await raw.request('tool.result', { callId: 'unknown', result: {} })).toMatchObject({ error: { code: 404 } })
    expect(await raw.request('tool.result', { callId: 7 })).toMatchObject({ error: { code: 400 } })
  })

  it('gets each call with a permit for this connection that soon ends', async () => {
    const early = await openRaw(url, token)
    const first = await early.request('connect', greeting('server'))
    const raw = await openRaw(url, token)
    const { payload } = await raw.request('connect', greeting('server'))
    const { connectionId, time } = (payload as { server: { connectionId: string; time: number } }).server
    expect(connectionId).not.toBe((first.payload as { server: { connectionId: string } }).server.connectionId)
    await until(early.closed)
    const waiting = call().catch(() => null)
    const { permit } = await raw.event('tool.invoke')
    expect(time).toBe(now)
    expect(permit).toEqual({ connectionId, expiresAt: now + 120_000 })
    raw.socket.terminate()
    await waiting
  })

  it('is not asked what it would change unless it says that it can tell', async () => {
    const raw = await join()
    const request = { nodeId: 'server', tool: 'Write', args: { path: 'x', content: 'y' }, sessionId: 'session' }
    expect(await bench.gateway.preview(request)).toBeNull()
    expect(raw.frames.some(({ event }) => event === 'tool.preview')).toBe(false)
    await expect(bench.gateway.preview({ ...request, tool: 'Nonsense' })).rejects.toMatchObject({ code: 404 })
  })

  it('fails its calls at once when it is lost, and answers late ones to nobody', async () => {
    const raw = await join()
    const pending = call().catch((error: Error) => error)
    await raw.event('tool.invoke')
    raw.socket.terminate()
    expect(await pending).toMatchObject({ code: 503, message: expect.stringContaining('Node server was lost') })
    await expect(call()).rejects.toMatchObject({ code: 503, message: expect.stringContaining('not connected') })
  })

  it('is told when nobody waits any more', async () => {
    const raw = await join()
    const stop = new AbortController()
    const pending = bench.gateway
      .invoke({ nodeId: 'server', tool: 'Bash', args: {}, sessionId: 's', signal: stop.signal })
      .catch((error: Error) => error)
    const { callId } = await raw.event('tool.invoke')
    stop.abort(new DOMException('Stopped', 'AbortError'))
    expect(await pending).toMatchObject({ name: 'AbortError' })
    expect(await raw.event('tool.cancel')).toEqual({ callId })
    expect(await raw.request('tool.result', { callId, result: {} })).toMatchObject({ payload: { dropped: true } })
  })

  it('cannot make the window draw what is no drawing', async () => {
    const raw = await join()
    const answer = call()
    const { callId } = await raw.event('tool.invoke')
    await raw.request('tool.result', {
      callId,
      error: 'no',
      kind: 'constructor',
      content: [{ type: 'html', text: '<b>' }],
      display: { type: 'diff', files: 7 },
    })
    expect(await answer).toEqual({ ok: false, kind: 'ExecutionFailed', error: 'no' })
  })

  it('keeps what it newly claims for itself until the user agrees', async () => {
    const first = await openRaw(url, token)
    await first.request('connect', greeting('server', ['Read', 'Glob'], {}, { hostRole: 'specialized' }))
    await until(() => bench.gateway.isConnected('server'))
    expect(bench.registry.get('server')).toMatchObject({
      role: 'specialized',
      tools: ['Read', 'Glob'],
      newCapabilities: [],
    })
    await join()
    await until(() => bench.registry.get('server')?.newCapabilities.length)
    expect(bench.registry.get('server')).toMatchObject({
      role: 'specialized',
      newCapabilities: expect.arrayContaining(['shell.exec', 'role:execution']),
    })
    expect(
      bench.gateway
        .tools('server')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['Glob', 'Read'])
    await expect(
      bench.gateway.invoke({ nodeId: 'server', tool: 'Bash', args: {}, sessionId: 's' }),
    ).rejects.toMatchObject({ code: 403 })
    bench.gateway.approve('server')
    expect(bench.registry.get('server')).toMatchObject({
      role: 'execution',
      newCapabilities: [],
      tools: expect.arrayContaining(['Bash']),
    })
  })

  it('is gone for good when it is revoked', async () => {
    const raw = await join()
    bench.gateway.revoke('server')
    await until(raw.closed)
    expect((await openRaw(url, token)).status()).toBe(401)
    expect(bench.registry.get('server')).toBeUndefined()
    expect(bench.gateway.add({ id: 'server' }).token).not.toBe(token)
  })

  it('keeps its token when it is renamed, and comes back under the new name', async () => {
    const raw = await join()
    bench.nodes.rename('server', 'box')
    await until(raw.closed)
    const again = await openRaw(url, token)
    expect(await again.request('connect', greeting('server'))).toMatchObject({ ok: true, payload: { nodeId: 'box' } })
    await until(() => bench.gateway.isConnected('box'))
    expect(() => bench.gateway.add({ id: 'server' })).toThrow('already')
  })

  it('tells of each end of a background command once', async () => {
    const raw = await join()
    const told: unknown[] = []
    bench.gateway.onExecEvent((event) => void told.push(event))
    const event = {
      eventId: 'event-0001',
      sessionId: 'p1',
      event: 'finished',
      exitCode: 0,
      outputTail: 'x'.repeat(5000),
    }
    expect(await raw.request('node.exec.event', event)).toMatchObject({ payload: { dropped: true } })
    const answer = bench.gateway.invoke({
      nodeId: 'server',
      tool: 'Bash',
      args: { command: 'x', background: true },
      sessionId: 'session',
    })
    const { callId } = await raw.event('tool.invoke')
    await raw.request('tool.result', { callId, result: { status: 'running', sessionId: 'p1' } })
    await answer
    expect(await raw.request('node.exec.event', event)).toMatchObject({ payload: { ok: true } })
    expect(await raw.request('node.exec.event', event)).toMatchObject({ payload: { ok: true, duplicate: true } })
    expect(told).toEqual([{ ...event, nodeId: 'server', callId, outputTail: 'x'.repeat(4000) }])
  })

  it('sends binary frames of unknown numbers to nobody', async () => {
    const raw = await join()
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.alloc(3),
      Buffer.from([9, 0, 0, 0, 1]),
      Buffer.from([1, 0, 0, 128, 1]),
    ])
      raw.socket.send(bytes, { binary: true })
    expect(await raw.request('tools.list')).toMatchObject({ ok: true })
  })
})

it('notices a peer that is there but says nothing', async () => {
  const { createGateway } = await import('./gateway')
  const { openDatabase } = await import('../database')
  const { silentLog } = await import('../log')
  const database = openDatabase(`${bench.folder}/other`)
  const { settings: known, folder: dataDir } = bench
  const settings = () => known
  const gateway = createGateway({ database, log: silentLog, version: '0', settings, dataDir, heartbeatMs: 100 })
  const added = gateway.add({ id: 'dead' })
  const raw = await openRaw((await gateway.start()).url ?? '', added.token)
  await raw.request('connect', greeting('dead'))
  await until(() => gateway.isConnected('dead'))
  const pending = gateway
    .invoke({ nodeId: 'dead', tool: 'Read', args: {}, sessionId: 's' })
    .catch((error: Error) => error)
  // The TCP connection stays open, but nothing is read or answered any more.
  raw.socket.pause()
  expect(await pending).toMatchObject({ code: 503, message: expect.stringContaining('stopped answering') })
  raw.socket.terminate()
  await gateway.stop()
  database.close()
})

it('does not let a socket in that was opened with a token which is void meanwhile', async () => {
  const early = await openRaw(url, token)
  bench.gateway.renewToken('server')
  expect(await early.request('connect', greeting('server'))).toMatchObject({ error: { code: 401 } })
})
