import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isProcessAlive } from '../src-main/process-alive'
import { clawft, failure, schemaOf } from './clawft'
import { decides, openBench, until } from './harness'

const sent: { message: object; sessionId: string }[] = []
/** A bus that takes everything and delivers nothing. */
const channels = {
  dispatch: (message: object, session: string) => {
    sent.push({ message, sessionId: session })
    return { id: 'm1', channel: 'x', accountId: 'default', to: 'y', peerKind: 'dm' as const }
  },
} as never
const bench = openBench(clawft({ channels }))
const kind = async (tool: string, args: unknown) => (await failure(bench, tool, args)).kind

describe('exec_shell', () => {
  it('S4-Shell-01 has its name', () => expect(bench.definition('exec_shell')).toBeDefined())
  decides('S4-Shell-02 S4-Shell-03', 'needs a command, and may have a timeout', async () => {
    expect(schemaOf(bench, 'exec_shell')).toMatchObject({
      required: ['command'],
      properties: { timeout: { type: 'number' } },
    })
    expect(await kind('exec_shell', {})).toBe('InvalidArgs')
    expect(await bench.ok('exec_shell', { command: 'true', timeout: 1.5 })).toMatchObject({ exit_code: 0 })
  })
  decides('S4-Shell-04 S4-Shell-05', 'waits 30 seconds, and 300 at most', async () => {
    const waits: (number | undefined)[] = []
    const wait = bench.table.wait
    bench.table.wait = (id, ms, signal) => {
      waits.push(ms)
      return wait(id, ms, signal)
    }
    await bench.ok('exec_shell', { command: 'true' })
    await bench.ok('exec_shell', { command: 'true', timeout: 7 })
    await bench.ok('exec_shell', { command: 'true', timeout: 100_000 })
    bench.table.wait = wait
    expect(waits).toEqual([30_000, 7_000, 300_000])
  })
  it('S4-Shell-06 runs with sh -c', async () => {
    expect(await bench.ok('exec_shell', { command: 'echo "$0 $-"; [ -n "$1" ] || echo none' })).toMatchObject({
      stdout: expect.stringMatching(/^sh .*\nnone\n$/),
    })
  })
  it('S4-Shell-07 runs in the workspace', async () => {
    expect(await bench.ok('exec_shell', { command: 'pwd' })).toMatchObject({
      stdout: `${realpathSync(bench.workspace)}\n`,
    })
  })
  decides('S4-Shell-08 S4-Shell-10 S4-Shell-11 S4-Shell-12', 'keeps the streams apart', async () => {
    const result = await bench.ok('exec_shell', { command: 'echo out; echo err >&2; exit 3' })
    expect(result).toEqual({ exit_code: 3, stdout: 'out\n', stderr: 'err\n', duration_ms: expect.any(Number) })
  })
  it('S4-Shell-09 an unknown exit code is -1', async () => {
    expect(await bench.ok('exec_shell', { command: 'kill -9 $$' })).toMatchObject({ exit_code: -1 })
  })
  it('drains more than a pipe holds', async () => {
    const command = 'head -c 300000 /dev/zero | tr "\\0" x; head -c 300000 /dev/zero | tr "\\0" y >&2'
    const result = await bench.ok('exec_shell', { command })
    expect([String(result.stdout).length, String(result.stderr).length]).toEqual([300_000, 300_000])
  })

  const denied: [string, string, string][] = [
    ['13', 'rm -rf /', 'rm -rf /'],
    ['14', 'sudo ', 'sudo ls'],
    ['15', 'mkfs', 'mkfs.ext4 /dev/x'],
    ['16', 'dd if=', 'dd if=/dev/zero of=x'],
    ['17', 'the fork bomb', ':(){ :|:& };:'],
    ['18', 'chmod 777 /', 'chmod 777 /etc'],
    ['19', '> /dev/sd', 'echo x > /dev/sda'],
    ['20', 'shutdown', 'shutdown now'],
    ['21', 'reboot', 'reboot'],
    ['22', 'poweroff', 'poweroff'],
    ['23', 'format c:', 'format c:'],
  ]
  it.each(denied)('S4-Shell-%s denies %s', async (_, __, command) => {
    const { kind: found, told } = await failure(bench, 'exec_shell', { command })
    expect(found).toBe('PermissionDenied')
    expect(told.error).toMatch(/^permission denied: /)
  })
  it('S4-Shell-24 in any case', async () => {
    for (const [, , command] of denied)
      expect(await kind('exec_shell', { command: command.toUpperCase() })).toBe('PermissionDenied')
  })
  it('S4-Shell-25 anywhere in the text', async () => {
    for (const [, , command] of denied)
      expect(await kind('exec_shell', { command: `echo hi; x="${command}"` })).toBe('PermissionDenied')
  })
  decides('S4-Shell-26 S4-Shell-27', 'refuses before anything runs or is asked', async () => {
    const asked = bench.accesses.length
    expect(await kind('exec_shell', { command: 'touch ran; echo reboot' })).toBe('PermissionDenied')
    expect(existsSync(join(bench.workspace, 'ran'))).toBe(false)
    expect(bench.accesses.length).toBe(asked)
  })
  decides('S4-Shell-28 S4-Shell-29', 'kills the whole group after its time', async () => {
    const { kind: found, told } = await failure(bench, 'exec_shell', {
      command: 'sleep 1000 & echo $! > child; wait',
      timeout: 0.5,
    })
    expect(found).toBe('Timeout')
    expect(told).toEqual({ error: 'timeout after 0.5s' })
    const child = Number(readFileSync(join(bench.workspace, 'child'), 'utf8'))
    await until(() => !isProcessAlive(child))
  })
})

describe('spawn', () => {
  it('S4-Spawn-01 has its name', () => expect(bench.definition('spawn')).toBeDefined())
  decides('S4-Spawn-02 S4-Spawn-03 S4-Spawn-04', 'needs a command, and may have args and a description', async () => {
    expect(schemaOf(bench, 'spawn')).toMatchObject({
      required: ['command'],
      properties: { args: { type: 'array' }, description: { type: 'string' } },
    })
    expect(await kind('spawn', {})).toBe('InvalidArgs')
    expect(await kind('spawn', { command: 'echo', args: 'x' })).toBe('InvalidArgs')
  })
  it('S4-Spawn-05 waits 60 seconds', async () => {
    const waits: (number | undefined)[] = []
    const wait = bench.table.wait
    bench.table.wait = (id, ms, signal) => {
      waits.push(ms)
      return wait(id, ms, signal)
    }
    await bench.ok('spawn', { command: 'true' })
    await bench.ok('spawn', { command: 'true', timeout: 3 })
    bench.table.wait = wait
    expect(waits).toEqual([60_000, 3_000])
    expect(await kind('spawn', { command: 'sleep', args: ['100'], timeout: 0.3 })).toBe('Timeout')
  })
  it('S4-Spawn-06 runs in the workspace', async () => {
    expect(await bench.ok('spawn', { command: 'pwd' })).toMatchObject({ stdout: `${realpathSync(bench.workspace)}\n` })
  })
  decides(
    'S4-Spawn-07 S4-Spawn-08 S4-Spawn-09 S4-Spawn-10 S4-Spawn-11',
    'answers with all of it, and no shell is between',
    async () => {
      const args = ['-c', 'echo "$1"; echo err >&2; exit 4', 'x', 'a; $(b) * "']
      expect(await bench.ok('spawn', { command: 'sh', args, description: 'test' })).toEqual({
        exit_code: 4,
        stdout: 'a; $(b) * "\n',
        stderr: 'err\n',
        command: 'sh',
        description: 'test',
      })
    },
  )
  it('S4-Spawn-12 says when there is no description', async () => {
    expect(await bench.ok('spawn', { command: 'true' })).toMatchObject({ description: '(no description)' })
  })
  decides('S4-Spawn-13 S4-Spawn-14 S4-Spawn-15 S4-Sec-09', 'runs five at once, whichever toolset counts', async () => {
    const stop = new AbortController()
    const running = Array.from({ length: 5 }, () =>
      bench.call('spawn', { command: 'sleep', args: ['1000'] }, { signal: stop.signal }),
    )
    const { kind: found, told } = await failure(bench, 'spawn', { command: 'true' })
    expect(found).toBe('ExecutionFailed')
    expect(told.error).toContain('concurrency limit')
    stop.abort(new Error('over'))
    await Promise.allSettled(running)
    await until(async () => !(await bench.call('spawn', { command: 'true' })).isError)
  })
  it('S4-Spawn-16 where nothing can be started it is ExecutionFailed', async () => {
    const start = bench.table.start
    bench.table.start = () => Promise.reject(new Error('This platform starts no processes'))
    const found = await kind('spawn', { command: 'true' })
    bench.table.start = start
    expect(found).toBe('ExecutionFailed')
    expect(await kind('spawn', { command: '/no/such/program' })).toBe('ExecutionFailed')
  })
})

describe('memory', () => {
  const before = process.env.HOME
  let home = ''
  const file = (app: string) => join(home, app, 'workspace', 'memory', 'MEMORY.md')
  const put = (app: string, text: string) => {
    mkdirSync(join(home, app, 'workspace', 'memory'), { recursive: true })
    writeFileSync(file(app), text)
  }
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'deckhand-clawft-home-'))
    process.env.HOME = home
  })
  afterEach(() => {
    process.env.HOME = before
    rmSync(home, { recursive: true, force: true })
  })

  it('S4-MemRead-01 has its name', () => expect(bench.definition('memory_read')).toBeDefined())
  it('S4-MemRead-02 needs nothing', () => expect(schemaOf(bench, 'memory_read').required ?? []).toEqual([]))
  decides('S4-MemRead-03 S4-MemRead-04 S4-MemRead-05', 'reads its own file, else that of nanobot', async () => {
    put('.nanobot', 'from nanobot')
    expect(await bench.ok('memory_read', {})).toEqual({ content: 'from nanobot' })
    put('.clawft', 'from clawft\n\nall of it')
    expect(await bench.ok('memory_read', {})).toEqual({ content: 'from clawft\n\nall of it' })
  })
  decides('S4-MemRead-06 S4-MemRead-07 S4-MemRead-08 S4-MemRead-09 S4-MemRead-10', 'finds paragraphs', async () => {
    put('.clawft', 'Use JWT for\nAuthentication.\n\nUse Postgres.\n  \nauthentication again\n\n\n\nEnd')
    expect(await bench.ok('memory_read', { query: 'AUTHENTICATION' })).toEqual({
      query: 'AUTHENTICATION',
      matches: ['Use JWT for\nAuthentication.', 'authentication again'],
      count: 2,
    })
    expect(await bench.ok('memory_read', { query: 'nothing like it' })).toEqual({
      query: 'nothing like it',
      matches: [],
      count: 0,
    })
  })
  it('S4-MemRead-11 says when there is no file', async () => {
    expect(await bench.ok('memory_read', {})).toEqual({ content: '', message: 'No memory file found' })
    expect(await bench.ok('memory_read', { query: 'x' })).toEqual({ content: '', message: 'No memory file found' })
  })

  it('S4-MemWrite-01 has its name', () => expect(bench.definition('memory_write')).toBeDefined())
  it('S4-MemWrite-02 needs content', async () => {
    expect(schemaOf(bench, 'memory_write').required).toEqual(['content'])
    expect(await kind('memory_write', {})).toBe('InvalidArgs')
    expect(await kind('memory_write', { content: 'x', mode: 'prepend' })).toBe('InvalidArgs')
  })
  decides(
    'S4-MemWrite-03 S4-MemWrite-05 S4-MemWrite-06 S4-MemWrite-07 S4-MemWrite-09',
    'appends to a new file',
    async () => {
      expect(await bench.ok('memory_write', { content: 'häuser' })).toEqual({
        message: 'Successfully wrote 7 bytes to memory (mode: append)',
        path: file('.clawft'),
      })
      expect(readFileSync(file('.clawft'), 'utf8')).toBe('häuser')
    },
  )
  it('S4-MemWrite-08 puts a blank line between', async () => {
    put('.clawft', 'one')
    await bench.ok('memory_write', { content: 'two' })
    await bench.ok('memory_write', { content: 'three', mode: 'append' })
    expect(readFileSync(file('.clawft'), 'utf8')).toBe('one\n\ntwo\n\nthree')
  })
  decides('S4-MemWrite-04 S4-MemWrite-10', 'overwrites', async () => {
    put('.clawft', 'one\n\ntwo')
    expect(await bench.ok('memory_write', { content: 'new', mode: 'overwrite' })).toMatchObject({
      message: 'Successfully wrote 3 bytes to memory (mode: overwrite)',
    })
    expect(readFileSync(file('.clawft'), 'utf8')).toBe('new')
  })
})

describe('message', () => {
  it('S4-Message-01 has its name', () => expect(bench.definition('message')).toBeDefined())
  decides('S4-Message-02 S4-Message-03 S4-Message-04', 'needs channel, chat_id and content', async () => {
    expect(schemaOf(bench, 'message').required).toEqual(['channel', 'chat_id', 'content'])
    for (const missing of ['channel', 'chat_id', 'content'])
      expect(await kind('message', { channel: 'a', chat_id: 'b', content: 'c', [missing]: undefined })).toBe(
        'InvalidArgs',
      )
  })
  decides(
    'S4-Message-05 S4-Message-06 S4-Message-07 S4-Message-08 S4-Message-09 S4-Message-10',
    'puts it on the bus and answers at once',
    async () => {
      sent.length = 0
      const message = { channel: 'telegram', chat_id: '12345', content: 'Build completed!!' }
      expect(await bench.ok('message', message)).toEqual({
        status: 'sent',
        channel: 'telegram',
        chat_id: '12345',
        content_length: 17,
      })
      // The bus has taken it; that nobody delivers it is not the tool's business.
      expect(sent).toEqual([
        { message: { channel: 'telegram', to: '12345', text: 'Build completed!!' }, sessionId: 'session' },
      ])
    },
  )
})
