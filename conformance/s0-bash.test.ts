import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { decides, type Json, openBench, until, vocabularies } from './harness'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const timers: NonNullable<Parameters<typeof vi.useFakeTimers>[0]> = { toFake: ['setTimeout', 'clearTimeout'] }

describe.each(vocabularies)('Bash in $label', (vocabulary) => {
  const bench = openBench(vocabulary)
  const at = (path: string) => join(bench.workspace, path)
  const bash = (command: string, more: object = {}) => bench.ok('Bash', { command, ...more })
  const kill = (result: Json) => bench.table.kill(result.sessionId as string)
  const { SHELL } = process.env

  afterEach(() => {
    vi.useRealTimers()
    process.env.SHELL = SHELL
    if (SHELL === undefined) delete process.env.SHELL
  })

  it('S0-Bash-01 has its name', () => expect(bench.definition('Bash')).toBeDefined())
  it('S0-Bash-02 needs a command', async () => expect(await bench.error('Bash', {})).toContain('command'))
  it.each(['', ' \n\t'])('S0-Bash-03 refuses the empty command %j', async (command) => {
    expect(await bench.error('Bash', { command })).toContain('empty')
  })
  it('S0-Bash-04 works in the workspace by default', async () => {
    expect(await bash('pwd -P')).toMatchObject({
      output: `${realpathSync(bench.workspace)}\n`,
      workdir: bench.workspace,
    })
  })
  decides('S0-Bash-05 S0-Bash-42', 'takes a relative workdir from the workspace', async () => {
    mkdirSync(at('inner'))
    expect(await bash('pwd -P', { workdir: 'inner' })).toMatchObject({
      output: `${realpathSync(at('inner'))}\n`,
      workdir: at('inner'),
    })
  })
  decides('S0-Bash-06 S0-Bash-35', 'timeout counts milliseconds', async () => {
    const result = await bash('sleep 30', { timeout: 300 })
    expect(result).toMatchObject({ status: 'failed', timedOut: true })
    expect(result.durationMs).toBeGreaterThanOrEqual(290)
    expect(result.durationMs).toBeLessThan(20_000)
  })
  it('S0-Bash-07 timeout is 300000 by default', async () => {
    vi.useFakeTimers(timers)
    const before = new Set(bench.table.list().map(({ id }) => id))
    const running = bash('sleep 1000')
    const started = () => bench.table.list().find(({ id }) => !before.has(id))
    while (!started()) await new Promise(setImmediate)
    await vi.advanceTimersByTimeAsync(299_900)
    expect(started()).toMatchObject({ status: 'running', timedOut: false })
    await vi.advanceTimersByTimeAsync(200)
    vi.useRealTimers()
    expect(await running).toMatchObject({ timedOut: true })
  })
  it('S0-Bash-08 sends SIGTERM first', async () => {
    const command = 'trap "echo got TERM; exit 7" TERM; echo ready; while :; do sleep 0.02; done'
    const result = await bash(command, { timeout: 3000 })
    expect(result.output).toContain('got TERM')
  })
  decides('S0-Bash-09 S0-Bash-33', 'sends SIGKILL after it', async () => {
    const result = await bash('trap "" TERM; echo ready; while :; do sleep 0.02; done', { timeout: 3000 })
    expect(result).toMatchObject({ status: 'failed', timedOut: true, signal: 'SIGKILL' })
    expect(result.durationMs).toBeGreaterThanOrEqual(3240)
  })
  it('S0-Bash-10 spares what ends within 250 ms', async () => {
    const command = 'trap "exit 7" TERM; while :; do sleep 0.02; done'
    expect(await bash(command, { timeout: 3000 })).toMatchObject({ timedOut: true, exitCode: 7, signal: null })
  })
  it('S0-Bash-11 waits by default', async () => {
    expect(await bash('sleep 0.1; echo end')).toMatchObject({ status: 'completed', output: 'end\n' })
  })
  decides(
    'S0-Bash-12 S0-Bash-43 S0-Bash-44 S0-Bash-45 S0-Bash-46 S0-Bash-47 S0-Bash-48',
    'background returns at once',
    async () => {
      const before = bench.now()
      const result = await bash('sleep 30', { background: true })
      kill(result)
      expect(result).toEqual({
        status: 'running',
        sessionId: expect.stringMatching(uuid),
        pid: expect.any(Number),
        startedAt: expect.any(Number),
        tail: '',
        workdir: bench.workspace,
      })
      expect(result.startedAt).toBeGreaterThanOrEqual(before)
      expect(result.startedAt).toBeLessThanOrEqual(bench.now())
    },
  )
  it('S0-Bash-13 does not yield by default', async () => {
    expect(await bash('sleep 0.3')).toMatchObject({ status: 'completed' })
  })
  it('S0-Bash-14 yieldMs is at least 10', async () => {
    vi.useFakeTimers(timers)
    let result: Json | undefined
    const running = bash('sleep 30', { yieldMs: -5 }).then((value) => {
      result = value
    })
    const before = bench.table.list().length
    while (bench.table.list().length === before) await new Promise(setImmediate)
    await vi.advanceTimersByTimeAsync(9)
    expect(result).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    await running
    expect(result).toMatchObject({ status: 'running' })
    kill(result ?? {})
  })
  it('S0-Bash-15 yieldMs is at most 120000', async () => {
    vi.useFakeTimers(timers)
    let result: Json | undefined
    const running = bash('sleep 1000', { yieldMs: 10_000_000 }).then((value) => {
      result = value
    })
    const before = bench.table.list().length
    while (bench.table.list().length === before) await new Promise(setImmediate)
    await vi.advanceTimersByTimeAsync(119_999)
    expect(result).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    await running
    expect(result).toMatchObject({ status: 'running' })
    kill(result ?? {})
  })
  decides('S0-Bash-16 S0-Bash-18', 'runs $SHELL with -lc', async () => {
    const shell = at('my-shell')
    writeFileSync(shell, `#!/bin/sh\nprintf '%s|' "$@" > ${at('args')}\nexec /bin/sh "$@"\n`)
    chmodSync(shell, 0o755)
    process.env.SHELL = shell
    expect(await bash('echo "in shell"')).toMatchObject({ output: 'in shell\n' })
    expect(readFileSync(at('args'), 'utf8')).toBe('-lc|echo "in shell"|')
  })
  it.each(['/no/such/shell', 'relative', '/etc/passwd', '/usr/sbin/nologin'])(
    'S0-Bash-17 falls back from %s',
    async (shell) => {
      process.env.SHELL = shell
      expect(await bash('echo $0')).toMatchObject({ status: 'completed', output: '/bin/sh\n' })
    },
  )
  it('S0-Bash-17 falls back without $SHELL', async () => {
    delete process.env.SHELL
    expect(await bash('echo $0')).toMatchObject({ output: '/bin/sh\n' })
  })
  decides('S0-Bash-19 S0-Bash-39', 'returns all of the output', async () => {
    const { output, truncated } = await bash('for i in $(seq 1 3000); do echo "line $i"; done')
    expect(output).toBe(Array.from({ length: 3000 }, (_, index) => `line ${index + 1}\n`).join(''))
    expect(truncated).toBe(false)
  })
  it('S0-Bash-20 yieldMs returns the result of what ends in time', async () => {
    expect(await bash('echo quick', { yieldMs: 20_000 })).toMatchObject({ status: 'completed', output: 'quick\n' })
  })
  it('S0-Bash-21 yieldMs leaves the rest in the background', async () => {
    const result = await bash('echo begun; sleep 30', { yieldMs: 1000 })
    expect(result).toMatchObject({ status: 'running', sessionId: expect.stringMatching(uuid), tail: 'begun\n' })
    expect(await bench.ok('Process', { action: 'poll', sessionId: result.sessionId })).toMatchObject({ running: true })
    kill(result)
  })
  decides('S0-Bash-22 S0-Bash-23 S0-Bash-24', 'keeps the last 200,000 characters', async () => {
    const { output, truncated } = await bash("seq -f 'number %012.0f' 1 20000")
    expect((output as string).length).toBe(200_000)
    expect(output).toMatch(/number 000000020000\n$/)
    expect(output).not.toContain('number 000000000001\n')
    expect(truncated).toBe(true)
  })
  decides('S0-Bash-24 S0-Bash-25', '200,000 characters are not too many, one more is', async () => {
    expect(await bash("head -c 200000 /dev/zero | tr '\\0' x")).toMatchObject({ truncated: false })
    expect(await bash("head -c 200001 /dev/zero | tr '\\0' x")).toMatchObject({ truncated: true })
  })
  decides('S0-Bash-26 S0-Bash-40', 'tail holds the last 4,000 characters', async () => {
    const { output, tail } = await bash('seq 1 3000')
    expect(tail).toBe((output as string).slice(-4000))
    expect(await bash('echo short')).toMatchObject({ tail: 'short\n' })
  })
  decides('S0-Bash-27 S0-Bash-30 S0-Bash-32 S0-Bash-34', 'says how a command ended well', async () => {
    expect(await bash('true')).toMatchObject({ status: 'completed', exitCode: 0, signal: null, timedOut: false })
  })
  it('S0-Bash-28 says how a command failed', async () => {
    expect(await bash('exit 3')).toMatchObject({ status: 'failed', exitCode: 3, signal: null, timedOut: false })
  })
  decides('S0-Bash-31 S0-Bash-33', 'says what signal ended it', async () => {
    expect(await bash('kill -KILL $$')).toMatchObject({ status: 'failed', exitCode: null, signal: 'SIGKILL' })
  })
  decides('S0-Bash-29 S0-Bash-36 S0-Bash-37 S0-Bash-38 S0-Bash-41', 'has all the fields', async () => {
    const before = bench.now()
    const result = await bash('sleep 0.05; printf done')
    expect(result).toEqual({
      status: 'completed',
      sessionId: expect.stringMatching(uuid),
      exitCode: 0,
      signal: null,
      timedOut: false,
      startedAt: expect.any(Number),
      endedAt: expect.any(Number),
      durationMs: (result.endedAt as number) - (result.startedAt as number),
      output: 'done',
      tail: 'done',
      truncated: false,
      workdir: bench.workspace,
    })
    expect(result.startedAt).toBeGreaterThanOrEqual(before)
    expect(result.durationMs).toBeGreaterThanOrEqual(40)
  })
  it('S0-Bash-47 tail of a running command is what it has printed so far', async () => {
    const result = await bash('seq 1 3000; sleep 30', { yieldMs: 2000 })
    expect((result.tail as string).length).toBe(4000)
    expect(result.tail).toMatch(/\n3000\n$/)
    kill(result)
  })
  it('S0-Bash-49 runs as the user', async () => {
    expect(await bash('id -u')).toMatchObject({ output: `${userInfo().uid}\n` })
  })
  it('S0-Bash-50 refuses no command of its own accord', async () => {
    expect(await bash('rm -rf ./nothing-here; echo sudo mkfs')).toMatchObject({ status: 'completed' })
  })

  it('an abort ends the whole group', async () => {
    const stop = new AbortController()
    const mark = at('still-alive')
    const args = { command: `(sleep 2; touch ${mark}) & sleep 60` }
    const running = bench.call('Bash', args, { signal: stop.signal })
    const row = () => bench.table.list().find(({ command }) => command === args.command)
    await until(() => row() !== undefined)
    stop.abort()
    await expect(running).rejects.toBe(stop.signal.reason)
    await until(() => row()?.status === 'exited')
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(existsSync(mark)).toBe(false)
  })
  it('a missing workdir is a clear error', async () => {
    expect(await bench.error('Bash', { command: 'true', workdir: 'nowhere' })).toContain(at('nowhere'))
  })
  it('env adds variables, by proper names only', async () => {
    expect(await bash('echo $GREETING', { env: { GREETING: 'hello there' } })).toMatchObject({
      output: 'hello there\n',
    })
    expect(await bench.error('Bash', { command: 'true', env: { 'A=B': 'x' } })).toContain('env')
  })
})
