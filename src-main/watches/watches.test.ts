import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { silentLog } from '../log'
import type { ProcessTable } from '../nodes/process-table'
import { openTestTable, shellRequest } from '../nodes/test-table'
import { leftRunning } from '../receipts/left-running'
import { createWatches, type Watches } from './watches'

let folder: string
let table: ProcessTable
let watches: Watches
let now: number
let tripped: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-watches-'))
  now = 0
  tripped = []
  table = openTestTable(join(folder, 'logs'))
  watches = createWatches({
    table,
    portsOf: (process) => leftRunning([process]).ports.map(({ port }) => port),
    log: silentLog,
    clock: () => now,
  })
  watches.onTripped((process, words) => tripped.push(`${process.command} ${words}`))
})

afterEach(async () => {
  watches.close()
  await table.close()
  rmSync(folder, { recursive: true, force: true })
})

const start = (command: string): Promise<ProcessInfo> =>
  table.start(shellRequest(command, folder, { command: command.split(' ')[0] ?? '', background: true }))

const soon = (look: () => unknown) => expect.poll(look, { timeout: 20_000, interval: 20 })

/** A script that goes on when a file with this name is made. */
const once = (name: string) => `until [ -e ${name} ]; do sleep 0.02; done`
const make = (name: string) => writeFileSync(join(folder, name), '')

test('a text trips it once, with the line that it stands in', async () => {
  const ready = 'printf "\\033[32mserver ready\\033[0m on 80\\n"'
  const { id } = await start(`echo ready on 79; ${once('a')}; ${ready}; ${once('b')}; ${ready}; sleep 30`)
  await soon(() => table.tail(id)).toContain('79')
  watches.add(id, { kind: 'text', text: 'ready on' })
  expect(table.get(id)?.watches).toMatchObject([{ kind: 'text', text: 'ready on' }])
  make('a')
  await soon(() => tripped).toEqual(['echo printed what was watched for: server ready on 80'])
  expect(table.get(id)?.watches).toBeUndefined()
  make('b')
  await soon(async () => (await table.tail(id)).split('ready').length).toBe(4)
  expect(tripped).toHaveLength(1)
})

test('a text is found that comes in two pieces and without a line break behind it', async () => {
  const { id } = await start(`${once('a')}; printf "which po"; ${once('b')}; printf "rt? "; sleep 30`)
  watches.add(id, { kind: 'text', text: 'port?' })
  make('a')
  await soon(() => table.get(id)?.bytes).toBe(8)
  // Long enough for it to have looked at the first piece alone.
  await new Promise((resolve) => setTimeout(resolve, 700))
  make('b')
  await soon(() => tripped).toEqual(['until printed what was watched for: which port?'])
})

test('a flood does not hide what comes at its end', async () => {
  const { id } = await start(`${once('a')}; yes | head -c 8000000; echo the end; sleep 30`)
  watches.add(id, { kind: 'text', text: 'the end' })
  make('a')
  await soon(() => tripped).toEqual(['until printed what was watched for: the end'])
})

test('silence counts from the last output', async () => {
  const { id } = await start(`${once('a')}; echo busy; sleep 30`)
  watches.add(id, { kind: 'silence', seconds: 60 })
  now = 50_000
  make('a')
  await soon(() => table.get(id)?.bytes).toBeGreaterThan(0)
  // It has to have looked, and so to have seen that there was output.
  await new Promise((resolve) => setTimeout(resolve, 700))
  now = 100_000
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(tripped).toEqual([])
  now = 111_000
  await soon(() => tripped).toEqual(['until has printed nothing for 60 s'])
})

test.runIf(process.platform === 'linux')('a port that a child of it opens trips it', async () => {
  const free = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => free.once('listening', resolve))
  const { port } = free.address() as AddressInfo
  await new Promise((resolve) => free.close(resolve))
  const listen = `require('net').createServer().listen(${port}, '127.0.0.1')`
  const { id } = await start(`${once('a')}; ELECTRON_RUN_AS_NODE=1 "${process.execPath}" -e "${listen}"; true`)
  watches.add(id, { kind: 'port', port })
  make('a')
  await soon(() => tripped).toEqual([`until listens on port ${port} now`])
})

test('its end is told where it was asked for, and takes the others with it', async () => {
  const { id } = await start(`${once('a')}; exit 3`)
  watches.add(id, { kind: 'exit' })
  watches.add(id, { kind: 'text', text: 'never' })
  make('a')
  await soon(() => tripped).toEqual(['until ended with exit code 3'])
  expect(table.get(id)?.watches).toBeUndefined()
})

test('what is watched for can be taken back, and has limits', async () => {
  const { id } = await start('sleep 30')
  const watch = watches.add(id, { kind: 'text', text: 'x' })
  watches.remove(id, watch.id)
  expect(table.get(id)?.watches).toBeUndefined()
  for (let count = 0; count < 8; count++) watches.add(id, { kind: 'text', text: 'x' })
  expect(() => watches.add(id, { kind: 'exit' })).toThrow('At most 8')
  watches.clear(id)
  expect(table.get(id)?.watches).toBeUndefined()
  table.kill(id)
  await table.wait(id)
  expect(() => watches.add(id, { kind: 'exit' })).toThrow('does not run')
})
