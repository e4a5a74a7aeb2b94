import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTransfers } from '../src-main/gateway/transfer'
import { createTransferTool } from '../src-main/tools/nodes/transfer'
import { openFrameCounter } from './frame-counter'
import { decides, until, withoutRoot } from './harness'
import { type JoinedNode, openWorld } from './world'

const megabyte = 1024 * 1024
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('transfer', () => {
  const world = openWorld()
  const { result, error } = world
  let laptop: JoinedNode
  let server: JoinedNode
  let wire: Awaited<ReturnType<typeof openFrameCounter>>

  beforeAll(async () => {
    laptop = await world.join('laptop', {
      dial: async (url) => {
        wire = await openFrameCounter(url)
        return wire.url
      },
    })
    server = await world.join('server')
  })
  afterAll(() => wire.close())

  const transfer = (source: string, destination: string) => result('Transfer', { source, destination })
  const refusal = (source: string, destination: string) => error('Transfer', { source, destination })
  const on = (node: JoinedNode, path: string) => `${node.id}:${join(node.workspace, path)}`
  const own = (path: string) => join(world.dataDir, 'agents/main', path)
  const put = (node: JoinedNode, path: string, data: Buffer | string) => writeFileSync(join(node.workspace, path), data)
  const at = (node: JoinedNode, path: string) => readFileSync(join(node.workspace, path))

  it('S1-Transfer-01 has its name', () =>
    expect(world.definitions().map(({ name }) => name)).toContain('gsv__Transfer'))
  it('S1-Transfer-02 needs a source', async () =>
    expect(await error('Transfer', { destination: 'gsv:a' })).toContain('source'))
  it('S1-Transfer-03 needs a destination', async () =>
    expect(await error('Transfer', { source: 'gsv:a' })).toContain('destination'))

  decides(
    'S1-Transfer-04 S1-Transfer-06 S1-Transfer-07 S1-Transfer-08 S1-Transfer-09 S1-Transfer-10 S1-Transfer-11 S1-Transfer-12',
    'from one node to another, whole, into folders that are made',
    async () => {
      const data = Buffer.concat([Buffer.from(png, 'base64'), randomBytes(3 * megabyte)])
      put(laptop, 'photo.png', data)
      const [source, destination] = [on(laptop, 'photo.png'), on(server, 'not/there/yet/photo.png')]
      const moved = transfer(source, destination)
      expect(await moved).toEqual({ source, destination, bytesTransferred: data.length, mime: 'image/png' })
      // By the time the answer is there, so is the last byte.
      expect(at(server, 'not/there/yet/photo.png').equals(data)).toBe(true)
    },
  )
  decides('S1-Transfer-13 S1-Transfer-16', 'the bytes travel in binary frames', async () => {
    const before = { ...wire.sent }
    put(laptop, 'bulk.bin', randomBytes(2 * megabyte))
    await transfer(on(laptop, 'bulk.bin'), on(server, 'bulk.bin'))
    expect(wire.sent.binaryBytes - before.binaryBytes).toBeGreaterThanOrEqual(2 * megabyte)
    expect(wire.sent.binary - before.binary).toBeGreaterThanOrEqual(8)
    expect(at(server, 'bulk.bin').equals(at(laptop, 'bulk.bin'))).toBe(true)
  })
  decides(
    'S1-Transfer-05 S1-Transfer-14',
    'from a node into the own files, a leading workspace/ meaning nothing',
    async () => {
      put(laptop, 'up.bin', randomBytes(megabyte))
      const destination = 'gsv:workspace/inbox/up.bin'
      expect(await transfer(on(laptop, 'up.bin'), destination)).toMatchObject({
        destination,
        bytesTransferred: megabyte,
      })
      expect(readFileSync(own('inbox/up.bin')).equals(at(laptop, 'up.bin'))).toBe(true)
      await transfer(on(laptop, 'up.bin'), 'gsv:inbox/again.bin')
      expect(existsSync(own('inbox/again.bin'))).toBe(true)
    },
  )
  it('S1-Transfer-15 from the own files to a node', async () => {
    const before = wire.received.binaryBytes
    await transfer('gsv:workspace/inbox/up.bin', on(laptop, 'down/up.bin'))
    expect(at(laptop, 'down/up.bin').equals(at(laptop, 'up.bin'))).toBe(true)
    expect(wire.received.binaryBytes - before).toBeGreaterThanOrEqual(megabyte)
  })

  it.each([
    ['S1-Transfer-17', 'source', (bad: string) => refusal(bad, 'gsv:x')],
    ['S1-Transfer-18', 'destination', (bad: string) => refusal(on(laptop, 'up.bin'), bad)],
  ])('%s a %s that nobody can read is refused', async (_, end, attempt) => {
    for (const bad of ['nonsense', ':/path', 'laptop:', 'gsv:', '/just/a/path'])
      expect(await attempt(bad)).toContain(end)
    expect(await attempt('gsv:../../outside')).not.toBe('')
  })
  it('S1-Transfer-19 the source must be connected', async () => {
    expect(await refusal('nobody:/etc/hosts', 'gsv:x')).toMatch(/nobody.*not connected/)
  })
  it('S1-Transfer-20 the destination must be connected', async () => {
    expect(await refusal(on(laptop, 'up.bin'), 'nobody:/tmp/x')).toMatch(/nobody.*not connected/)
  })
  it('S1-Transfer-21 the source must exist', async () => {
    expect(await refusal(on(laptop, 'missing.bin'), 'gsv:x')).toContain('missing.bin')
    expect(await refusal('gsv:missing.bin', on(laptop, 'x'))).toContain('missing.bin')
    expect(existsSync(own('x'))).toBe(false)
  })
  it('S1-Transfer-22 the source must be readable', async () => {
    const file = join(world.workspace, 'locked.bin')
    writeFileSync(file, 'secret')
    chmodSync(file, 0o000)
    const here = world.engine.nodes.registry.localId()
    expect(await withoutRoot(() => refusal(`${here}:${file}`, on(server, 'locked.bin')))).toMatch(
      /permission|denied|read/i,
    )
    expect(existsSync(join(server.workspace, 'locked.bin'))).toBe(false)
  })
  it('S1-Transfer-23 the destination must be writable', async () => {
    const folder = join(world.workspace, 'shut')
    mkdirSync(folder)
    chmodSync(folder, 0o555)
    const here = world.engine.nodes.registry.localId()
    expect(await withoutRoot(() => refusal(on(laptop, 'up.bin'), `${here}:${folder}/x.bin`))).toMatch(
      /permission|denied|writ/i,
    )
    // Also where the machine is another one; what is in the way is kept.
    put(server, 'in-the-way', 'a file')
    expect(await refusal(on(laptop, 'up.bin'), on(server, 'in-the-way/x.bin'))).not.toBe('')
    expect(at(server, 'in-the-way').toString()).toBe('a file')
  })
  it('S1-Transfer-24 a transfer that does not get on is given up', async () => {
    const { hub } = world.engine.nodes.gateway
    const impatient = createTransfers({
      hub,
      ownRoot: (agentId) => join(world.dataDir, 'agents', agentId),
      isLocal: () => false,
      localWorkspace: () => world.workspace,
      publish: () => {},
      idleMs: 300,
    })
    const tool = createTransferTool({ transfers: impatient, agentOf: () => 'main' })
    server.child.kill('SIGSTOP')
    const context = { sessionId: world.session.id, callId: 'c', workspace: '/', resultBytes: 1e6, show: () => {} }
    const { signal } = new AbortController()
    const call = tool.execute(
      { source: on(laptop, 'bulk.bin'), destination: on(server, 'late.bin') },
      { ...context, signal },
    )
    await expect(call).rejects.toThrow('timeout')
    server.child.kill('SIGCONT')
    await until(() => world.engine.nodes.registry.get('server')?.state === 'connected')
    expect(existsSync(join(server.workspace, 'late.bin'))).toBe(false)
  })
})
