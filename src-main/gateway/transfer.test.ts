import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Transfer } from '../../src-preload/contract/nodes'
import { makeFolder, removeFolder } from '../test-folder'
import { parseEndpoint } from './endpoint'
import { bundleAgent } from './test-agent'
import {
  type GatewayBench,
  greeting,
  openBench,
  openRaw,
  type RawNode,
  startNode,
  type TestNode,
  transferRequest,
  until,
} from './test-bench'
import { createTransfers } from './transfer'

const big = randomBytes(5 * 1024 * 1024 + 321)
const digest = (data: Buffer): string => createHash('sha256').update(data).digest('hex')

describe('endpoints', () => {
  it.each([
    ['laptop:/etc/hosts', { kind: 'node', nodeId: 'laptop', path: '/etc/hosts' }],
    ['laptop:C:\\x', { kind: 'node', nodeId: 'laptop', path: 'C:\\x' }],
    ['gsv:workspace/notes/a.md', { kind: 'own', path: 'notes/a.md' }],
    ['gsv:notes/a.md', { kind: 'own', path: 'notes/a.md' }],
    ['gsv:/workspace/a', { kind: 'own', path: 'a' }],
  ])('%s is understood', (text, expected) => expect(parseEndpoint(text, 'source')).toEqual(expected))

  it.each([
    '',
    'laptop',
    ':/path',
    'laptop:',
    'gsv:',
    'gsv:workspace/',
    'gsv:../x',
    'gsv:workspace/../../x',
    'gsv:a/..\\..\\x',
    'laptop:/a\0b',
    'gsv:a/',
  ])('%j is refused', (text) => {
    expect(() => parseEndpoint(text, 'destination')).toThrow('Malformed destination endpoint')
  })
})

describe('between real nodes', () => {
  let agent: Awaited<ReturnType<typeof bundleAgent>>
  let bench: GatewayBench
  let folder: string
  let alpha: TestNode
  let beta: TestNode
  let restart: (id: string) => TestNode

  beforeAll(async () => {
    agent = await bundleAgent()
    folder = makeFolder('transfer')
    bench = openBench()
    const url = await bench.url()
    const tokens = new Map(['alpha', 'beta'].map((id) => [id, bench.gateway.add({ id }).token]))
    restart = (id) =>
      startNode({ script: agent.script, url, token: tokens.get(id) ?? '', id, folder, unprivileged: true })
    alpha = restart('alpha')
    beta = restart('beta')
    await until(() => bench.gateway.isConnected('alpha') && bench.gateway.isConnected('beta'))
    writeFileSync(join(alpha.workspace, 'big.bin'), big)
  })
  afterAll(async () => {
    await Promise.all([alpha.stop(), beta.stop()])
    await bench.close()
    agent.remove()
    removeFolder(folder)
  })

  it('brings a file from one to the other, with folders made on the way', async () => {
    const [source, destination] = [`alpha:${alpha.workspace}/big.bin`, `beta:${beta.workspace}/deep/er/copy.bin`]
    const seen: Transfer[] = []
    const result = await bench.transfers.run(
      transferRequest(source, destination, { onProgress: (transfer: Transfer) => seen.push(transfer) }),
    )
    expect(result).toEqual({ source, destination, bytesTransferred: big.length })
    expect(digest(readFileSync(join(beta.workspace, 'deep/er/copy.bin')))).toBe(digest(big))
    expect(readdirSync(join(beta.workspace, 'deep/er'))).toEqual(['copy.bin'])
    expect(seen.at(-1)).toMatchObject({ state: 'done', bytes: big.length, size: big.length })
    expect(bench.events.some((event) => event.type === 'transfer' && event.transfer.state === 'starting')).toBe(true)
  })

  it('brings it to the agent’s own files and back', async () => {
    await bench.transfers.run(transferRequest(`alpha:${alpha.workspace}/big.bin`, 'gsv:workspace/in/big.bin'))
    const own = join(bench.folder, 'agents/main/in/big.bin')
    expect(digest(readFileSync(own))).toBe(digest(big))
    await bench.transfers.run(transferRequest('gsv:in/big.bin', `beta:${beta.workspace}/back.bin`))
    expect(digest(readFileSync(join(beta.workspace, 'back.bin')))).toBe(digest(big))
  })

  it('knows this machine by its name', async () => {
    const local = join(bench.folder, 'local.bin')
    await bench.transfers.run(transferRequest(`alpha:${alpha.workspace}/big.bin`, `here:${local}`))
    await bench.transfers.run(transferRequest(`here:${local}`, `alpha:${alpha.workspace}/again.bin`))
    expect(digest(readFileSync(join(alpha.workspace, 'again.bin')))).toBe(digest(big))
  })

  it('tells what kind of file it was', async () => {
    writeFileSync(
      join(alpha.workspace, 'dot.png'),
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
        'base64',
      ),
    )
    writeFileSync(join(alpha.workspace, 'note.txt'), 'grüße\n')
    writeFileSync(join(alpha.workspace, 'empty'), '')
    const mime = async (name: string) =>
      (await bench.transfers.run(transferRequest(`alpha:${alpha.workspace}/${name}`, `gsv:${name}`))).mime
    expect([await mime('dot.png'), await mime('note.txt'), await mime('empty')]).toEqual([
      'image/png',
      'text/plain',
      undefined,
    ])
    expect(readFileSync(join(bench.folder, 'agents/main/empty')).length).toBe(0)
  })

  it.each([
    ['nonsense', 'gsv:x', 'Malformed source'],
    ['gsv:x', 'nonsense', 'Malformed destination'],
    ['gsv:a', 'gsv:b', 'Cannot transfer from gsv to gsv'],
    ['nobody:/x', 'gsv:x', 'Node nobody is not connected'],
    ['gsv:x', 'nobody:/x', 'Node nobody is not connected'],
    ['alpha:missing', 'gsv:x', 'does not exist'],
    ['alpha:.', 'gsv:x', 'is a folder'],
    ['gsv:nowhere', 'alpha:x', 'does not exist'],
    ['alpha:big.bin', 'beta:/dev/null/x', 'not a folder'],
    ['alpha:big.bin', 'beta:.', 'is a folder'],
    ['alpha:/dev/zero', 'gsv:x', 'not a plain file'],
  ])('%s → %s fails with words', async (source, destination, words) => {
    await expect(bench.transfers.run(transferRequest(source, destination))).rejects.toThrow(words)
    expect(bench.transfers.list().filter(({ state }) => state === 'running')).toEqual([])
  })

  it('says that a file may not be read or written', async () => {
    writeFileSync(join(alpha.workspace, 'locked'), 'x')
    chmodSync(join(alpha.workspace, 'locked'), 0)
    await expect(bench.transfers.run(transferRequest('alpha:locked', 'gsv:x'))).rejects.toThrow('permission denied')
    mkdirSync(join(beta.workspace, 'closed'), { mode: 0o500 })
    await expect(bench.transfers.run(transferRequest('alpha:big.bin', 'beta:closed/x'))).rejects.toThrow(
      'permission denied',
    )
  })

  it('lets no link lead out of the agent’s own files', async () => {
    const own = join(bench.folder, 'agents/main')
    const outside = mkdtempSync(join(folder, 'outside-'))
    writeFileSync(join(outside, 'secret'), 'secret')
    symlinkSync(outside, join(own, 'door'))
    symlinkSync(join(outside, 'secret'), join(own, 'file'))
    symlinkSync(join(outside, 'new'), join(own, 'dangling'))
    for (const path of ['door/secret', 'file'])
      await expect(bench.transfers.run(transferRequest(`gsv:${path}`, 'alpha:x'))).rejects.toMatchObject({ code: 403 })
    for (const path of ['door/new', 'dangling', 'door/deep/new']) {
      await expect(bench.transfers.run(transferRequest('alpha:big.bin', `gsv:${path}`))).rejects.toMatchObject({
        code: 403,
      })
    }
    expect(readdirSync(outside)).toEqual(['secret'])
  })

  describe('that breaks off', () => {
    const size = 256 * 1024 ** 2 + 77
    const middle = 16 * 1024 ** 2
    const partsOf = (node: TestNode): string[] => readdirSync(node.workspace).filter((name) => name.endsWith('.part'))
    const same = (): boolean =>
      execFileSync('cmp', ['--silent', join(alpha.workspace, 'long'), join(beta.workspace, 'target')]).length === 0

    beforeEach(() => {
      // Random at its start and end, and too long to arrive at once.
      writeFileSync(join(alpha.workspace, 'long'), randomBytes(middle))
      truncateSync(join(alpha.workspace, 'long'), size - big.length)
      appendFileSync(join(alpha.workspace, 'long'), big)
      writeFileSync(join(beta.workspace, 'target'), 'before')
    })
    afterEach(() => {
      for (const name of ['target', ...partsOf(beta)]) rmSync(join(beta.workspace, name), { force: true })
    })

    /** Interrupts it after this many bytes, and returns how it ended. */
    const breakOff = async (cut: () => unknown): Promise<Error> => {
      const running = bench.transfers.run(transferRequest('alpha:long', 'beta:target')).catch((error: Error) => error)
      await until(() => bench.transfers.list().find(({ state, bytes }) => state === 'running' && bytes > middle))
      await cut()
      return (await running) as Error
    }
    /** Makes the same call again, and returns where it continued from. */
    const again = async (): Promise<number> => {
      await until(() => bench.gateway.isConnected('alpha') && bench.gateway.isConnected('beta'))
      const seen: Transfer[] = []
      const onProgress = (transfer: Transfer) => seen.push(transfer)
      await bench.transfers.run(transferRequest('alpha:long', 'beta:target', { onProgress }))
      return Math.min(...seen.filter(({ state }) => state !== 'starting').map(({ bytes }) => bytes))
    }

    it('leaves the destination alone, and goes on when it is asked for again', async () => {
      const error = await breakOff(() => bench.gateway.disconnect('beta'))
      expect(error).toMatchObject({ code: 503, retryable: true })
      expect(String(error)).toMatch(
        /Node disconnected: beta\. It stopped at \d+ of 268435533 bytes; the destination is unchanged\. Make the same call/,
      )
      expect(readFileSync(join(beta.workspace, 'target'), 'utf8')).toBe('before')
      expect(bench.transfers.list()[0]).toMatchObject({ state: 'failed', error: expect.any(String) })
      expect(await again()).toBeGreaterThan(middle)
      expect([same(), partsOf(beta)]).toEqual([true, []])
    })

    it('goes on after the node that receives was killed', async () => {
      await breakOff(() => beta.stop('SIGKILL'))
      expect(partsOf(beta).length).toBe(1)
      beta = restart('beta')
      expect(await again()).toBeGreaterThan(middle)
      expect([same(), partsOf(beta)]).toEqual([true, []])
    })

    it('goes on after the node that sends was killed', async () => {
      const error = await breakOff(() => alpha.stop('SIGKILL'))
      expect(String(error)).toContain('Node disconnected: alpha')
      alpha = restart('alpha')
      expect(await again()).toBeGreaterThan(middle)
      expect([same(), partsOf(beta)]).toEqual([true, []])
    })

    it('begins anew when the source has become another file', async () => {
      await breakOff(() => bench.gateway.disconnect('beta'))
      const file = openSync(join(alpha.workspace, 'long'), 'r+')
      writeSync(file, randomBytes(10), 0, 10, 1000)
      closeSync(file)
      await again()
      expect([same(), partsOf(beta)]).toEqual([true, []])
    })
  })

  it('stops when the call or the user stops it', async () => {
    writeFileSync(join(alpha.workspace, 'huge'), '')
    truncateSync(join(alpha.workspace, 'huge'), 4 * 1024 ** 3)
    const stop = new AbortController()
    const running = bench.transfers
      .run(transferRequest('alpha:huge', 'gsv:huge', { signal: stop.signal }))
      .catch((error: Error) => error)
    await until(() => bench.transfers.list().find(({ state, bytes }) => state === 'running' && bytes > 0))
    stop.abort(new DOMException('Stopped', 'AbortError'))
    expect(await running).toMatchObject({ name: 'AbortError' })
    const second = bench.transfers.run(transferRequest('alpha:huge', 'gsv:huge')).catch((error: Error) => error)
    const { id } = await until(() =>
      bench.transfers.list().find(({ state, bytes }) => state === 'running' && bytes > 0),
    )
    bench.transfers.cancel(id)
    expect(await second).toMatchObject({ code: 499 })
    await until(() => !readdirSync(join(bench.folder, 'agents/main')).some((name) => name.includes('huge')))
    expect(existsSync(join(bench.folder, 'agents/main/huge'))).toBe(false)
  })
})

describe('with a node that misbehaves', () => {
  let bench: GatewayBench
  let raw: RawNode

  beforeEach(async () => {
    bench = openBench()
    raw = await openRaw(await bench.url(), bench.gateway.add({ id: 'odd' }).token)
    await raw.request('connect', greeting('odd'))
    await until(() => bench.gateway.isConnected('odd'))
  })
  afterEach(() => bench.close())
  const frame = (id: number, bytes: number): Buffer => {
    const made = Buffer.alloc(4 + bytes)
    made.writeUInt32LE(id)
    return made
  }
  const begin = async (size: number) => {
    const running = bench.transfers.run(transferRequest('odd:/file', 'gsv:file')).catch((error: Error) => error)
    const { transferId } = (await raw.event('transfer.send')) as { transferId: number }
    await raw.request('transfer.meta', { transferId, size })
    await raw.event('transfer.start')
    return { running, transferId }
  }

  it('takes no more than was announced', async () => {
    const { running, transferId } = await begin(100)
    raw.socket.send(frame(transferId, 101), { binary: true })
    expect(await running).toMatchObject({ code: 413 })
    expect(existsSync(join(bench.folder, 'agents/main/file'))).toBe(false)
  })

  it('takes no less either', async () => {
    const { running, transferId } = await begin(100)
    raw.socket.send(frame(transferId, 99), { binary: true })
    await raw.request('transfer.complete', { transferId })
    expect(String(await running)).toContain('99 bytes came instead of 100')
  })

  it('passes its words on', async () => {
    const running = bench.transfers.run(transferRequest('odd:/file', 'gsv:file')).catch((error: Error) => error)
    const { transferId } = (await raw.event('transfer.send')) as { transferId: number }
    await raw.request('transfer.meta', { transferId, error: 'the tape is torn' })
    expect(String(await running)).toContain('the tape is torn')
  })

  it('answers what makes no sense, and ignores what is not its own', async () => {
    expect(await raw.request('transfer.meta', { size: 1 })).toMatchObject({ error: { code: 400 } })
    expect(await raw.request('transfer.meta', { transferId: '1' })).toMatchObject({ error: { code: 400 } })
    expect(await raw.request('transfer.done', { transferId: 99 })).toMatchObject({ ok: true })
    const { running, transferId } = await begin(8)
    const other = await openRaw(await bench.url(), bench.gateway.add({ id: 'other' }).token)
    await other.request('connect', greeting('other'))
    other.socket.send(frame(transferId, 8), { binary: true })
    await other.request('transfer.complete', { transferId, error: 'sabotage' })
    raw.socket.send(frame(transferId, 8), { binary: true })
    await raw.request('transfer.complete', { transferId })
    expect(await running).toMatchObject({ bytesTransferred: 8 })
  })

  it('gives up when nothing moves', async () => {
    const transfers = createTransfers({
      hub: bench.gateway.hub,
      ownRoot: () => join(bench.folder, 'own'),
      isLocal: () => false,
      localWorkspace: () => '/',
      publish: () => {},
      idleMs: 100,
    })
    const running = transfers.run(transferRequest('odd:/file', 'gsv:file')).catch((error: Error) => error)
    expect(await running).toMatchObject({ code: 504, message: expect.stringContaining('Transfer timeout') })
  })
})
