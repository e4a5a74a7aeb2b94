import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { HostMessage } from '../pty-host/messages'
import type { HostLink } from './host-link'
import { createLocalNode } from './local'
import { createProcessTable } from './process-table'
import { shellRequest } from './test-table'

/** A terminal host in a process of its own, as for the window, but without Electron. */
let dir: string
let script: string
const pids: number[] = []

beforeAll(async () => {
  // Inside the project, so that the host finds node-pty.
  dir = mkdtempSync(resolve('node_modules/.host-test-'))
  const host = resolve(import.meta.dirname, '../pty-host/host')
  writeFileSync(
    join(dir, 'entry.ts'),
    `import { createPtyHost } from ${JSON.stringify(host)}
     const host = createPtyHost((message) => process.send(message))
     process.on('message', (request) => host.handle(request))`,
  )
  await build({
    root: dir,
    configFile: false,
    logLevel: 'silent',
    build: { ssr: join(dir, 'entry.ts'), outDir: dir, emptyOutDir: false },
  })
  script = join(dir, 'entry.js')
})

afterAll(() => rmSync(dir, { recursive: true, force: true }))

function openForkedHost(): HostLink {
  const child = fork(script, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  pids.push(child.pid ?? 0)
  let closing = false
  return {
    post: (request) => void child.send(request),
    onMessage: (listener) => void child.on('message', (message) => listener(message as HostMessage)),
    onLost: (listener) => void child.on('exit', () => closing || listener()),
    close() {
      closing = true
      child.kill()
    },
  }
}

describe('a terminal host that dies', () => {
  it('takes its processes with it, is replaced, and what outlives it is found at the next start', async () => {
    const logDir = mkdtempSync(join(tmpdir(), 'deckhand-lost-'))
    const rows = new Map<string, ProcessInfo>()
    const lost: number[] = []
    const openTable = () => {
      const node = createLocalNode({ openHost: openForkedHost, onHostLost: (count) => lost.push(count) })
      return createProcessTable({
        nodes: [node],
        logDir,
        save: (row) => rows.set(row.id, { ...row }),
        load: () => [...rows.values()],
        publish() {},
      })
    }
    const request = (command: string) => shellRequest(command, logDir, { background: true })
    const table = openTable()
    const mortal = await table.start(request('echo started; sleep 60'))
    const stubborn = await table.start(request('trap "" HUP; echo started; while :; do sleep 1; done'))
    while ((await table.tail(stubborn.id)) === '' || (await table.tail(mortal.id)) === '') {
      await new Promise((done) => setTimeout(done, 10))
    }
    process.kill(pids[0] as number, 'SIGKILL')
    await Promise.all([table.wait(mortal.id), table.wait(stubborn.id)])
    expect(lost).toEqual([2])
    expect(table.get(mortal.id)).toMatchObject({ status: 'lost', exitCode: null, signal: null })
    await expect(table.write(mortal.id, 'x')).rejects.toMatchObject({ kind: 'ended' })

    const next = await table.start(request('echo works again'))
    await table.wait(next.id)
    expect(await table.tail(next.id)).toBe('works again\n')
    expect(pids).toHaveLength(2)

    // As if the app itself had been killed: the rows still say that both are running.
    process.kill(pids[1] as number, 'SIGKILL')
    rows.set(mortal.id, mortal)
    rows.set(stubborn.id, stubborn)
    const restarted = openTable()
    expect(restarted.get(stubborn.id)).toMatchObject({ status: 'survived', pid: stubborn.pid })
    expect(restarted.get(mortal.id)).toMatchObject({ status: 'lost' })
    expect(readFileSync(restarted.logPath(mortal.id), 'utf8')).toBe('started\r\n')
    restarted.kill(stubborn.id)
    expect(restarted.get(stubborn.id)).toMatchObject({ status: 'lost', signal: 'SIGKILL' })
    await restarted.close()
    rmSync(logDir, { recursive: true, force: true })
  })
})
