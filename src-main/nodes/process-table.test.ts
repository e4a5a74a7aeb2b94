import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { isProcessAlive } from '../process-alive'
import type { ProcessTable, StartRequest } from './process-table'
import { openTestTable, shellRequest } from './test-table'

let dir: string
let table: ProcessTable
let rows: Map<string, ProcessInfo>
let events: DeckhandEvent[]

function openTable(): ProcessTable {
  return openTestTable(join(dir, 'logs'), {
    save: (row) => rows.set(row.id, { ...row }),
    load: () => [...rows.values()],
    forget: (id) => rows.delete(id),
    publish: (event) => events.push(event),
  })
}

const sh = (command: string, more: Partial<StartRequest> = {}): StartRequest => shellRequest(command, dir, more)

async function run(command: string, more: Partial<StartRequest> = {}): Promise<ProcessInfo> {
  const { id } = await table.start(sh(command, more))
  expect(await table.wait(id)).toBe('exited')
  return table.get(id) as ProcessInfo
}

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 500; i++) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('It did not happen')
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'deckhand-table-'))
  rows = new Map()
  events = []
  table = openTable()
})

afterEach(async () => {
  await table.close()
  rmSync(dir, { recursive: true, force: true })
})

describe('a process', () => {
  it('starts at the width that terminals are shown with, but never too narrow for the agent', async () => {
    const sizeOf = async (byUser: boolean) => table.tail((await run('stty size', { byUser })).id)
    table.setColumns(57)
    expect([await sizeOf(true), await sizeOf(false)]).toEqual(['30 57\n', '30 80\n'])
    table.setColumns(97)
    expect([await sizeOf(true), await sizeOf(false)]).toEqual(['30 97\n', '30 97\n'])
  })

  it('that ends with the app is lost with it, however it ended', async () => {
    const { id } = await table.start(sh('trap "exit 0" TERM HUP; while :; do sleep 0.05; done', { background: true }))
    await table.close()
    expect(rows.get(id)).toMatchObject({ status: 'lost', exitCode: null, signal: null })
  })

  it('runs in a terminal and leaves its exit code and its output', async () => {
    const info = await run('test -t 1 && printf "hello\\n"; stty size; exit 3')
    expect(info).toMatchObject({ status: 'exited', exitCode: 3, signal: null, tty: true, timedOut: false, bytes: 15 })
    expect(await table.output(info.id, { maxChars: 1000 })).toEqual({
      text: 'hello\n30 120\n',
      truncated: false,
      totalChars: 13,
      totalBytes: 15,
    })
    expect(rows.get(info.id)).toEqual(info)
  })

  it('is saved before it is published, in every state', async () => {
    await table.close()
    const order: string[] = []
    table = openTestTable(join(dir, 'logs'), {
      save: (row) => order.push(`save ${row.status}`),
      publish: (event) => order.push(event.type === 'process' ? `publish ${event.process.status}` : event.type),
    })
    await run('true')
    expect(order).toEqual(['save running', 'publish running', 'save exited', 'publish exited'])
  })

  it('keeps stdout and stderr apart without a terminal', async () => {
    const info = await run('echo out; echo err >&2; test -t 0 || echo no terminal', { tty: null })
    const { stdout, stderr } = await table.streams(info.id, { maxChars: 100, keep: 'tail' })
    expect([stdout.text, stderr.text]).toEqual(['out\nno terminal\n', 'err\n'])
    expect((await table.output(info.id, { maxChars: 100 })).text.split('\n').sort()).toEqual([
      '',
      'err',
      'no terminal',
      'out',
    ])
  })

  it('delivers every byte of a short command, many times in a row', async () => {
    for (let i = 0; i < 200; i++) {
      const info = await run('head -c 100000 /dev/zero | tr "\\0" x')
      expect(info).toMatchObject({ bytes: 100_000, exitCode: 0 })
    }
    const [last] = table.list()
    const output = await table.output(last?.id ?? '', { maxChars: 200_000 })
    expect(output.text).toBe('x'.repeat(100_000))
  })

  it('reports a death by signal', async () => {
    expect(await run('kill -9 $$')).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
    expect(await run('kill -9 $$', { tty: null })).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
  })

  it('is not held up by a grandchild that keeps the terminal open', async () => {
    const info = await run('(trap "" HUP; exec sleep 30) & echo $!; sleep 0.1')
    expect(info.exitCode).toBe(0)
    process.kill(Number(await table.tail(info.id)), 'SIGKILL')
    const piped = await run('sleep 30 & echo $!', { tty: null })
    process.kill(Number(await table.tail(piped.id)), 'SIGKILL')
  })

  it('gets a clean environment with a marker', async () => {
    process.env.TEST_API_KEY = 'secret-value'
    const info = await run('env', { env: { MINE: 'yes' } })
    delete process.env.TEST_API_KEY
    const { text } = await table.output(info.id, { maxChars: 100_000 })
    expect(text).not.toContain('secret-value')
    expect(text).not.toContain('ELECTRON_')
    for (const line of [`DECKHAND_PROCESS=${info.id}`, 'PAGER=cat', 'TERM=xterm-256color', 'MINE=yes']) {
      expect(text).toContain(`${line}\n`)
    }
  })

  it('is refused in a folder that does not exist', async () => {
    await expect(table.start(sh('true', { cwd: join(dir, 'none') }))).rejects.toThrow('does not exist')
    await expect(table.start(sh('true', { argv: ['/no/such/program'], tty: null }))).rejects.toThrow('ENOENT')
    expect(table.list()).toEqual([])
  })
})

describe('waiting and ending', () => {
  it('waits for a while, then says that it still runs', async () => {
    const { id } = await table.start(sh('sleep 30'))
    expect(await table.wait(id, 20)).toBe('running')
    await expect(table.wait(id, undefined, AbortSignal.timeout(20))).rejects.toThrow('aborted')
    table.kill(id)
    expect(await table.wait(id)).toBe('exited')
    expect(table.get(id)).toMatchObject({ signal: 'SIGKILL', exitCode: null })
  })

  it('terminates gently: a program that heeds SIGTERM is not killed', async () => {
    const { id } = await table.start(sh('trap "echo bye; exit 5" TERM; echo ready; while :; do sleep 0.02; done'))
    await until(async () => (await table.tail(id)).includes('ready'))
    await table.terminate(id, 5000)
    expect(table.get(id)).toMatchObject({ exitCode: 5, signal: null })
    expect(await table.tail(id)).toContain('bye')
  })

  it('kills the whole group of one that does not heed it', async () => {
    const { id } = await table.start(sh('trap "" TERM; sleep 30 & echo $!; wait; sleep 30'))
    await until(async () => /\d+\n/.test(await table.tail(id)))
    const child = Number.parseInt(await table.tail(id), 10)
    await table.terminate(id, 100)
    expect(table.get(id)).toMatchObject({ signal: 'SIGKILL' })
    await until(() => !isProcessAlive(child))
  })

  it('kills one that has only just begun, many times in a row', async () => {
    for (let round = 0; round < 60; round++) {
      const { id } = await table.start(sh('sleep 600'))
      table.kill(id)
      expect(await table.wait(id, 20_000)).toBe('exited')
    }
  })

  it('reaches what a shell with job control moved to other groups', async () => {
    const { id } = await table.start(sh('set -m; sleep 31 & echo $!; wait'))
    await until(async () => /\d+\n/.test(await table.tail(id)))
    const child = Number.parseInt(await table.tail(id), 10)
    table.kill(id)
    await table.wait(id)
    await until(() => !isProcessAlive(child))
  })

  it('tells of each end once, after it was published', async () => {
    const seen: string[] = []
    table.onExit((info) =>
      seen.push(
        `${info.command} ${info.exitCode} ${events.some((e) => e.type === 'process' && e.process.id === info.id && e.process.status === 'exited')}`,
      ),
    )
    await run('exit 1')
    await run('exit 2', { background: true })
    expect(seen).toEqual(['exit 1 1 true', 'exit 2 2 true'])
  })
})

describe('input', () => {
  it('reaches the program, with and without a terminal', async () => {
    for (const tty of [undefined, null]) {
      const { id } = await table.start(sh('read line; echo "got $line"', { tty, background: true }))
      await table.write(id, 'hello\n')
      await table.wait(id)
      expect(await table.tail(id)).toContain('got hello')
      await expect(table.write(id, 'x')).rejects.toMatchObject({ kind: 'ended' })
    }
    await expect(table.write('none', 'x')).rejects.toMatchObject({ kind: 'unknown' })
  })

  it('takes more than the terminal can hold at once', async () => {
    const { id } = await table.start(sh('stty raw -echo; echo ready; head -c 300000 | cksum'))
    await until(async () => (await table.tail(id)).includes('ready'))
    await table.write(id, 'ab'.repeat(150_000))
    await table.wait(id)
    expect(await table.tail(id)).toContain(' 300000')
  })

  it('is refused while a program asks for a password, from the very start', async () => {
    const { id } = await table.start(sh('stty -echo; printf "Password: "; read p; stty echo; echo "got $p"; read q'))
    await until(async () => (await table.tail(id)).includes('Password'))
    await expect(table.write(id, 'guess\n')).rejects.toMatchObject({ kind: 'secret-input' })
    await until(() => table.get(id)?.secretInput === true)
    table.kill(id)
    await table.wait(id)
    expect(table.get(id)).toMatchObject({ secretInput: false })
  })

  it('is refused by a program that closed its stdin', async () => {
    const { id } = await table.start(sh('exec <&-; echo closed; sleep 30', { tty: null }))
    await until(async () => (await table.tail(id)).includes('closed'))
    await until(async () =>
      table.write(id, 'x').then(
        () => false,
        (error) => error.kind === 'no-input',
      ),
    )
    table.kill(id)
  })
})

describe('reading', () => {
  it('keeps the tail of long output and pages through its lines', async () => {
    const info = await run('i=0; while [ $i -lt 5000 ]; do echo "line $i"; i=$((i+1)); done')
    const output = await table.output(info.id, { maxChars: 2000 })
    expect(output).toMatchObject({ truncated: true })
    expect(output.text).toHaveLength(2000)
    expect(output.text.endsWith('line 4999\n')).toBe(true)
    expect(await table.tail(info.id)).toHaveLength(4000)
    expect(await table.lines(info.id, 4998, 10)).toEqual({
      lines: ['line 4998', 'line 4999'],
      totalLines: 5000,
      totalChars: 48_890,
    })
    expect(await table.lines(info.id, 2, 1)).toMatchObject({ lines: ['line 2'] })
  })

  it('does not cut characters in two', async () => {
    const info = await run('i=0; while [ $i -lt 3000 ]; do printf "😀é"; i=$((i+1)); done')
    const { text } = await table.output(info.id, { maxChars: 1000 })
    expect(text).not.toContain('\ufffd')
    expect(text.length).toBeGreaterThanOrEqual(998)
  })
})

describe('after a restart', () => {
  it('finds what ended, tells what was lost, and what survived', async () => {
    const ended = await run('echo kept')
    const stopped: ProcessInfo = {
      ...ended,
      id: 'lost-one',
      status: 'running',
      pid: 999_999_9,
      exitCode: null,
      endedAt: null,
    }
    rows.set(stopped.id, stopped)
    const orphan = spawn('sleep', ['30'], { detached: true, env: { ...process.env, DECKHAND_PROCESS: 'survivor' } })
    rows.set('survivor', { ...stopped, id: 'survivor' })
    await table.close()

    table = openTable()
    expect(table.get(ended.id)).toEqual(ended)
    expect(await table.tail(ended.id)).toBe('kept\n')
    expect(table.get('lost-one')).toMatchObject({ status: 'lost', exitCode: null, endedAt: stopped.startedAt })
    expect(table.get('survivor')).toMatchObject({ status: 'survived', pid: orphan.pid })
    const gone = new Promise((resolve) => orphan.on('exit', (_code, signal) => resolve(signal)))
    table.kill('survivor')
    expect(await gone).toBe('SIGKILL')
    expect(table.get('survivor')).toMatchObject({ status: 'lost' })
  })

  it('kills a survivor whose shell has heeded what the program itself ignores', async () => {
    const ended = await run('true')
    const env = { ...process.env, DECKHAND_PROCESS: 'survivor' }
    const program = "trap '' TERM; echo $$; while :; do sleep 0.05; done"
    const shell = spawn('/bin/sh', ['-c', 'sh -c "$1"; exit', 'sh', program], { detached: true, env })
    const pid = Number(await new Promise((resolve) => shell.stdout.once('data', resolve)))
    rows.set('survivor', { ...ended, id: 'survivor', status: 'running', exitCode: null, endedAt: null })
    await table.close()
    table = openTable()
    expect(pid).not.toBe(shell.pid)

    const gone = new Promise((resolve) => shell.on('exit', (_code, signal) => resolve(signal)))
    table.signal('survivor', 'SIGTERM')
    expect(await gone).toBe('SIGTERM')
    expect(table.get('survivor')?.status).toBe('survived')
    expect(isProcessAlive(pid)).toBe(true)

    table.kill('survivor')
    await until(() => !isProcessAlive(pid))
    expect(table.get('survivor')).toMatchObject({ status: 'lost' })
  })

  it('notices when a survivor has ended by itself', async () => {
    const ended = await run('true')
    const orphan = spawn('sleep', ['30'], { detached: true, env: { ...process.env, DECKHAND_PROCESS: 'survivor' } })
    rows.set('survivor', { ...ended, id: 'survivor', status: 'running', exitCode: null, endedAt: null })
    await table.close()
    table = openTable()
    expect(table.get('survivor')).toMatchObject({ status: 'survived' })
    const gone = new Promise((resolve) => orphan.on('exit', resolve))
    orphan.kill('SIGKILL')
    await gone
    // After a slow look, the next one may take a while to come.
    const status = () => table.list().find((each) => each.id === 'survivor')?.status
    await expect.poll(status, { timeout: 30_000 }).toBe('lost')
  })

  it('forgets a process with its log', async () => {
    const info = await run('echo x', { tty: null })
    await table.remove(info.id)
    expect(table.get(info.id)).toBeUndefined()
    expect(rows.size).toBe(0)
    expect(readdirSync(join(dir, 'logs'))).toEqual([])
    expect(events.at(-1)).toEqual({ type: 'process-removed', processId: info.id })
  })
})
