import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { decides, openBench, sessionId as session, until, vocabularies } from './harness'

describe.each(vocabularies)('Process in $label', (vocabulary) => {
  const bench = openBench(vocabulary)
  const processTool = (action: string, more: object = {}) => bench.ok('Process', { action, ...more })
  const start = async (command: string): Promise<string> =>
    (await bench.ok('Bash', { command, background: true })).sessionId as string
  const ended = (sessionId: string) => until(() => bench.table.get(sessionId)?.status === 'exited')
  const finished = async (command: string): Promise<string> => {
    const sessionId = await start(command)
    await ended(sessionId)
    return sessionId
  }
  const listed = async (): Promise<string[]> =>
    ((await processTool('list')).sessions as { sessionId: string }[]).map(({ sessionId }) => sessionId)

  afterEach(() => {
    for (const row of bench.table.list()) bench.table.kill(row.id)
  })

  it('S0-Process-01 has its name', () => expect(bench.definition('Process')).toBeDefined())
  it('S0-Process-02 comes with Bash', () => expect(bench.definition('Bash')).toBeDefined())
  it('S0-Process-03 needs an action', async () => expect(await bench.error('Process', {})).toContain('action'))
  it('S0-Process-04 refuses unknown actions', async () => {
    expect((await bench.call('Process', { action: 'restart' })).error).toMatchObject({ kind: 'InvalidArgs' })
  })
  it('S0-Process-05 list needs no sessionId', async () => {
    expect(await processTool('list')).toMatchObject({ status: 'completed' })
  })
  it('S0-Process-06 data is empty by default', async () => {
    const sessionId = await start('cat')
    expect(await processTool('write', { sessionId })).toMatchObject({ bytesWritten: 0 })
  })
  decides('S0-Process-07 S0-Process-27', 'write sends data as it is', async () => {
    const file = join(bench.workspace, 'written')
    const sessionId = await start(`stty -echo -icanon; echo ready; head -c 3 > ${file}; sleep 30`)
    await until(async () => (await bench.table.tail(sessionId)).includes('ready'))
    expect(await processTool('write', { sessionId, data: 'abc' })).toEqual({
      status: 'running',
      sessionId,
      bytesWritten: 3,
    })
    await until(() => readFileSync(file, 'utf8') === 'abc')
  })
  decides('S0-Process-08 S0-Process-28', 'submit adds one newline', async () => {
    const file = join(bench.workspace, 'submitted')
    const sessionId = await start(`head -n 1 > ${file}`)
    expect(await processTool('submit', { sessionId, data: 'hello' })).toMatchObject({ status: 'running' })
    await ended(sessionId)
    expect(readFileSync(file, 'utf8')).toBe('hello\n')
  })
  decides(
    'S0-Process-09 S0-Process-10 S0-Process-22 S0-Process-25 S0-Process-26',
    'log has the first 200 lines and the totals',
    async () => {
      const sessionId = await finished('seq 1 250')
      expect(await processTool('log', { sessionId })).toMatchObject({
        log: Array.from({ length: 200 }, (_, index) => index + 1).join('\n'),
        totalLines: 250,
        totalChars: 892,
      })
    },
  )
  it('S0-Process-11 limit is at least 1', async () => {
    const sessionId = await finished('seq 1 5')
    expect(await processTool('log', { sessionId, limit: 0 })).toMatchObject({ log: '1' })
  })
  it('S0-Process-12 list has what runs', async () => {
    const sessionId = await start('sleep 30')
    expect(await listed()).toContain(sessionId)
  })
  it('S0-Process-13 list has what has ended', async () => {
    const sessionId = await finished('true')
    expect(await listed()).toContain(sessionId)
  })
  it('S0-Process-14 list has the newest first', async () => {
    const older = await finished('true')
    const newer = await finished('true')
    expect((await listed()).slice(0, 2)).toEqual([newer, older])
  })
  decides('S0-Process-15 S0-Process-16', 'list forgets what ended 30 minutes ago', async () => {
    const sessionId = await finished('true')
    bench.advance(30 * 60_000 - 20_000)
    expect(await listed()).toContain(sessionId)
    bench.advance(20_000)
    expect(await listed()).not.toContain(sessionId)
    expect(await bench.error('Process', { action: 'poll', sessionId })).toContain(sessionId)
  })
  decides(
    'S0-Process-17 S0-Process-18 S0-Process-19 S0-Process-20 S0-Process-21',
    'poll tells how it stands',
    async () => {
      const running = await start('echo hello; sleep 30')
      await until(async () => (await bench.table.tail(running)) === 'hello\n')
      expect(await processTool('poll', { sessionId: running })).toEqual({
        status: 'running',
        sessionId: running,
        exitCode: null,
        signal: null,
        timedOut: false,
        tail: 'hello\n',
        running: true,
      })
      const failed = await finished('echo oops; exit 4')
      expect(await processTool('poll', { sessionId: failed })).toMatchObject({
        status: 'failed',
        exitCode: 4,
        tail: 'oops\n',
        running: false,
      })
    },
  )
  decides('S0-Process-23 S0-Process-24', 'log pages', async () => {
    const sessionId = await finished('seq 1 50')
    expect(await processTool('log', { sessionId, offset: 10, limit: 3 })).toMatchObject({
      log: '11\n12\n13',
      totalLines: 50,
    })
  })
  it('S0-Process-29 kill sends SIGKILL', async () => {
    const sessionId = await start('trap "" TERM INT HUP; sleep 30')
    await processTool('kill', { sessionId })
    await ended(sessionId)
    expect(await processTool('poll', { sessionId })).toMatchObject({
      signal: 'SIGKILL',
      running: false,
      status: 'failed',
    })
  })

  const actions = ['poll', 'log', 'write', 'submit', 'kill']
  const rows = (from: number, among = actions) => among.map((action, index) => [`S0-Process-${from + index}`, action])

  it.each(rows(30))('%s %s needs a sessionId', async (_, action) => {
    const { error } = await bench.call('Process', { action })
    expect(error).toMatchObject({ kind: 'InvalidArgs', message: expect.stringContaining('sessionId') })
  })
  it.each(rows(35))('%s %s fails for an unknown session', async (_, action) => {
    const { error } = await bench.call('Process', { action, sessionId: '00000000-0000-4000-8000-000000000000' })
    expect(error).toMatchObject({ kind: 'NotFound' })
  })
  it.each(rows(40))('%s %s fails for a session that is not in the background', async (_, action) => {
    const { sessionId } = await bench.ok('Bash', { command: 'true' })
    expect(await bench.error('Process', { action, sessionId })).toContain('not in the background')
  })
  it.each(rows(45, ['write', 'submit']))('%s %s fails after the end', async (_, action) => {
    const sessionId = await finished('true')
    expect(await bench.error('Process', { action, sessionId, data: 'x' })).toContain('exited')
  })
  it.each(rows(47, ['write', 'submit']))('%s %s fails without a way in', async (_, action) => {
    const { id } = await bench.table.start({
      sessionId: session,
      callId: null,
      command: 'closes its input',
      argv: ['/bin/sh', '-c', 'exec <&-; echo closed; sleep 30'],
      cwd: bench.workspace,
      tty: null,
      background: true,
      byUser: false,
    })
    await until(async () => (await bench.table.tail(id)).includes('closed'))
    // The first byte may still find room in the pipe.
    const outcome = async () => bench.call('Process', { action, sessionId: id, data: 'x'.repeat(100_000) })
    await until(async () => (await outcome()).isError)
  })

  it('another session does not see it', async () => {
    const sessionId = await start('sleep 30')
    const { error } = await bench.call('Process', { action: 'poll', sessionId }, { sessionId: 'another' })
    expect(error).toMatchObject({ kind: 'NotFound' })
  })
  it.runIf(vocabulary.label === 'deckhand')('keys and screen drive a full-screen program', async () => {
    const sessionId = await start('printf "\\033[2J\\033[3;5Hmenu"; read -r line; echo "got [$line]"; sleep 30')
    await until(async () => String((await processTool('screen', { sessionId })).screen).includes('menu'))
    expect((await processTool('screen', { sessionId })).screen).toBe('\n\n    menu')
    await processTool('keys', { sessionId, keys: ['o', 'k', 'Enter'] })
    await until(async () => (await bench.table.tail(sessionId)).includes('got [ok]'))
    await processTool('keys', { sessionId, keys: ['C-c'] })
    await ended(sessionId)
  })
  it.runIf(vocabulary.label === 'deckhand')('signal reaches the program', async () => {
    const sessionId = await start('trap "echo usr; exit 5" USR1; echo ready; while :; do sleep 0.02; done')
    await until(async () => (await bench.table.tail(sessionId)).includes('ready'))
    expect(await processTool('signal', { sessionId, signal: 'usr1' })).toMatchObject({ message: 'Sent SIGUSR1' })
    await ended(sessionId)
    expect(await processTool('poll', { sessionId })).toMatchObject({ exitCode: 5 })
  })
  it('the agent is locked out while a password is asked for', async () => {
    const sessionId = await start('stty -echo; printf "Password: "; read -r secret; sleep 30')
    await until(() => bench.table.get(sessionId)?.secretInput === true)
    const { error } = await bench.call('Process', { action: 'submit', sessionId, data: 'guess' })
    expect(error).toMatchObject({ kind: 'PermissionDenied' })
  })
})
