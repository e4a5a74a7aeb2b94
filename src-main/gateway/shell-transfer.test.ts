import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PodmanContainer, startPodman } from '../../conformance/podman'
import type { Transfer } from '../../src-preload/contract/nodes'
import { commandEnv } from '../nodes/command-env'
import { openShellNode } from '../nodes/shell/open-node'
import type { ShellNode } from '../nodes/shell/shell-node'
import { hasSshd, startSshd, type TestSshd } from '../nodes/shell/test-sshd'
import { makeFolder, removeFolder } from '../test-folder'
import { type GatewayBench, openBench, transferRequest } from './test-bench'

const big = randomBytes(24 * 1024 * 1024 + 321)
const digest = (data: Buffer): string => createHash('sha256').update(data).digest('hex')

let folder: string
let bench: GatewayBench
const open = new Map<string, ShellNode>()
const workspaces = new Map<string, string>()
const run = (source: string, destination: string, more: object = {}) =>
  bench.transfers.run(transferRequest(source, destination, more))
const inside = (path: string): string => join(folder, path)
const bytesBelow = (path: string): number =>
  existsSync(path) ? readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0) : 0

const connect = async (id: string, place: Parameters<typeof openShellNode>[0], workspace: string, env: object = {}) => {
  open.set(id, await openShellNode(place, { id, env: commandEnv(process.env, { TMUX_TMPDIR: folder, ...env }) }))
  workspaces.set(id, workspace)
}

beforeAll(() => {
  folder = makeFolder('place-transfer')
  mkdirSync(inside('there'))
  writeFileSync(inside('big'), big)
  bench = openBench({
    shellNodes: {
      nodes: () => [],
      onChange: () => () => {},
      filesAt: (id) => {
        const found = open.get(id)
        return found && { files: found.files, workspace: workspaces.get(id) ?? '/' }
      },
    },
  })
})
afterAll(async () => {
  for (const each of open.values()) await each.close()
  execFileSync('sh', ['-c', 'tmux kill-server 2>/dev/null || true'], { env: { ...process.env, TMUX_TMPDIR: folder } })
  await bench.close()
  removeFolder(folder)
})

describe.skipIf(!hasSshd)('to and from an ssh host', () => {
  let sshd: TestSshd
  beforeAll(async () => {
    sshd = await startSshd({ home: inside('there'), tmuxFolder: folder })
    mkdirSync(inside('bin'))
    sshd.shim((name, body) => {
      writeFileSync(inside(`bin/${name}`), `#!/bin/sh\n${body}\n`)
      chmodSync(inside(`bin/${name}`), 0o755)
    })
    const PATH = `${inside('bin')}${delimiter}${process.env.PATH}`
    await connect('box', { kind: 'ssh', ...sshd.target }, inside('there'), { PATH })
    await connect('other', { kind: 'ssh', ...sshd.target }, inside('there'), { PATH })
  }, 60_000)
  afterAll(() => sshd?.stop())

  it('carries a file there and back, whatever its name, and keeps mode and links', async () => {
    const odd = `deep/- it's "odd" $(x) ü.bin`
    const states: Transfer['state'][] = []
    const done = await run(`here:${inside('big')}`, `box:${odd}`, {
      onProgress: ({ state }: Transfer) => states.push(state),
    })
    expect(done).toEqual({
      source: `here:${inside('big')}`,
      destination: `box:${odd}`,
      bytesTransferred: big.length,
    })
    expect(states).toEqual(expect.arrayContaining(['starting', 'running', 'done']))
    const there = inside(`there/${odd}`)
    expect(digest(readFileSync(there))).toBe(digest(big))

    chmodSync(there, 0o640)
    symlinkSync(there, inside('there/link'))
    writeFileSync(inside('small'), 'a few words\n')
    expect(await run(`here:${inside('small')}`, 'box:link')).toMatchObject({ mime: 'text/plain' })
    expect(readFileSync(there, 'utf8')).toBe('a few words\n')
    expect(statSync(there).mode & 0o777).toBe(0o640)

    writeFileSync(there, big)
    expect(await run('box:link', 'gsv:back.bin')).toMatchObject({ bytesTransferred: big.length })
    expect(digest(readFileSync(join(bench.folder, 'agents/main/back.bin')))).toBe(digest(big))
    expect(await run('box:link', 'other:copy.bin')).toMatchObject({ bytesTransferred: big.length })
    expect(digest(readFileSync(inside('there/copy.bin')))).toBe(digest(big))
    expect(readdirSync(inside('there/deep'))).toHaveLength(1)
  }, 120_000)

  it('carries what is empty', async () => {
    writeFileSync(inside('there/empty'), '')
    expect(await run('box:empty', 'other:empty-too')).toMatchObject({ bytesTransferred: 0 })
    expect(readFileSync(inside('there/empty-too'), 'utf8')).toBe('')
  }, 60_000)

  it.each([
    ['nothing', 'gsv:x', 'does not exist'],
    ['deep', 'gsv:x', 'is a folder'],
    ['pipe', 'gsv:x', 'is not a plain file'],
    [null, 'box:deep', 'is a folder'],
    [null, 'box:small/below', 'cannot be written'],
  ])(
    'says why: %s → %s',
    async (source, destination, words) => {
      mkdirSync(inside('there/deep'), { recursive: true })
      if (!existsSync(inside('there/pipe'))) execFileSync('mkfifo', [inside('there/pipe')])
      writeFileSync(inside('there/small'), 'x')
      const from = source === null ? `here:${inside('there/small')}` : `box:${source}`
      await expect(run(from, destination)).rejects.toThrow(words)
    },
    60_000,
  )

  it('leaves nothing behind when it is stopped', async () => {
    const stop = new AbortController()
    // Takes no space on the disk, and is too large to arrive before the first progress is reported.
    writeFileSync(inside('vast'), '')
    truncateSync(inside('vast'), 64 * 1024 ** 3)
    const running = run(`here:${inside('vast')}`, 'box:stopped/file', {
      signal: stop.signal,
      onProgress: ({ bytes }: Transfer) => bytes > 0 && stop.abort(new Error('enough')),
    })
    await expect(running).rejects.toThrow('enough')
    await expect.poll(() => readdirSync(inside('there/stopped')), { timeout: 20_000 }).toEqual([])
  }, 60_000)

  it.each([
    [`here:SOURCE`, 'box:resumed/there'],
    ['box:source', 'gsv:resumed/here'],
  ])(
    'goes on after a lost connection: %s → %s',
    async (from, to) => {
      const huge = randomBytes(96 * 1024 * 1024)
      writeFileSync(inside('source'), huge)
      writeFileSync(inside('there/source'), huge)
      const source = from.replace('SOURCE', inside('source'))
      const place = to.startsWith('box:') ? inside('there/resumed') : join(bench.folder, 'agents/main/resumed')
      const lost = run(source, to).catch((error: Error) => error)
      await expect.poll(() => bytesBelow(place), { timeout: 30_000, interval: 1 }).toBeGreaterThan(16 * 1024 * 1024)
      sshd.dropConnections()
      expect(String(await lost)).toMatch(/Node disconnected: box.*It stopped at \d+ of \d+ bytes.*to go on from there/s)

      const left = () => readdirSync(inside('there/resumed')).filter((name) => name.endsWith('.left'))
      // The host notices the loss on its own.
      if (to.startsWith('box:')) await expect.poll(left, { timeout: 30_000 }).toHaveLength(1)

      const seen: number[] = []
      const done = await run(source, to, {
        onProgress: ({ bytes, state }: Transfer) => state === 'running' && seen.push(bytes),
      })
      expect(done.bytesTransferred).toBe(huge.length)
      expect(readdirSync(place)).toHaveLength(1)
      expect(digest(readFileSync(join(place, readdirSync(place)[0] ?? '')))).toBe(digest(huge))
      expect(seen.length).toBeGreaterThan(0)
      expect(Math.min(...seen)).toBeGreaterThan(1024 * 1024)
    },
    120_000,
  )
})

it('carries a file through a tmux of this machine', async () => {
  await connect('tmux', { kind: 'local', tmux: 'carry' }, folder)
  expect(await run('tmux:big', 'tmux:again')).toMatchObject({ bytesTransferred: big.length })
  expect(digest(readFileSync(inside('again')))).toBe(digest(big))
}, 60_000)

describe('to and from a container', () => {
  let container: PodmanContainer | string
  beforeAll(() => {
    container = startPodman()
  }, 180_000)
  afterAll(() => {
    if (typeof container !== 'string') container.stop()
  })

  it('carries a file there and back', async ({ skip }) => {
    if (typeof container === 'string') return skip(container)
    await connect('web', { kind: 'container', name: container.name, engine: 'podman' }, '/tmp')
    expect(await run(`here:${inside('big')}`, 'web:in/side.bin')).toMatchObject({ bytesTransferred: big.length })
    expect(await run('web:/tmp/in/side.bin', 'gsv:from-container')).toMatchObject({ bytesTransferred: big.length })
    expect(digest(readFileSync(join(bench.folder, 'agents/main/from-container')))).toBe(digest(big))
  }, 120_000)
})
