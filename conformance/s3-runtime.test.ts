import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { type HostCommands, readHostCommands } from '../src-main/tools/shell/host-commands'
import { decides, openBench, until } from './harness'
import { miclaw, refused, told } from './miclaw'

let host: HostCommands | null = null
const bench = openBench(miclaw({ hostCommands: () => host }))
const ask = (tool: string, args: unknown) => told(bench, tool, args)
const fail = (tool: string, args: unknown) => refused(bench, tool, args)
const idIn = (text: string) => /^process_id: (\S+)$/m.exec(text)?.[1] ?? ''
const start = async (command: string) => idIn(await ask('exec', { command, background: true }))
const poll = (process_id: string) => ask('process', { action: 'poll', process_id })

describe('exec', () => {
  it('S3-Exec-01 needs a command', async () => {
    expect(await fail('exec', {})).toContain('command')
    expect(await ask('exec', { command: 'echo hello; exit 3' })).toBe('hello\n[exit code 3]')
  })
  it('S3-Exec-02 runs where workdir says', async () => {
    mkdirSync(join(bench.workspace, 'inner'))
    expect(await ask('exec', { command: 'pwd', workdir: 'inner' })).toBe(join(bench.workspace, 'inner'))
    expect(await ask('exec', { command: 'pwd' })).toBe(bench.workspace)
  })
  it('S3-Exec-03 has the variables of env', async () => {
    expect(await ask('exec', { command: 'echo "$COLOUR"', env: { COLOUR: 'two words' } })).toBe('two words')
  })
  decides('S3-Exec-04 S3-Exec-10', 'in the background it answers at once, and stays in the table', async () => {
    const process_id = await start('sleep 60')
    expect(bench.table.get(process_id)).toMatchObject({ status: 'running', background: true })
    bench.table.kill(process_id)
  })
  decides('S3-Exec-05 S3-Exec-07', 'timeout counts seconds, and no less than 10', async () => {
    const started = Date.now()
    expect(await ask('exec', { command: 'sleep 2; echo over', timeout: 1 })).toBe('over')
    expect(await fail('exec', { command: 'echo first; sleep 600', timeout: 10 })).toMatch(/10 seconds\nfirst/)
    expect(Date.now() - started).toBeGreaterThanOrEqual(12_000)
  })
  it('S3-Exec-06 is given 1800 seconds', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await ask('exec', { command: 'true' })
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(1_800_000)
    timers.mockRestore()
    expect(JSON.stringify(bench.definition('exec')?.parameters)).toContain('default 1800')
  })
  it('S3-Exec-08 shows at most 100K characters of what has ended', async () => {
    const text = await ask('exec', { command: 'yes 123456789 | head -n 30000; echo the end' })
    expect(text.length).toBeLessThanOrEqual(100_000)
    expect(text.length).toBeGreaterThan(95_000)
    expect(text).toMatch(/the end$/)
    expect(await ask('exec', { command: 'yes 123456789 | head -n 9000' })).toHaveLength(9000 * 10 - 1)
  })
  it('S3-Exec-09 and 10K of what is in the background', async () => {
    const process_id = await start('yes 123456789 | head -n 5000; echo the end; sleep 60')
    await until(async () => (await poll(process_id)).includes('the end'))
    const text = await poll(process_id)
    expect(text.length).toBeLessThanOrEqual(10_000)
    expect(text.length).toBeGreaterThan(9_000)
    bench.table.kill(process_id)
  })
  decides('S3-Exec-11 S3-Exec-12', 'a command of the host goes there, by the same call', async () => {
    const [shim, record] = [join(bench.outside, 'ssh'), join(bench.outside, 'record')]
    // Does what a server does: its shell reads the last argument.
    writeFileSync(shim, `#!/bin/sh\nprintf '%s\\n' "$@" >> '${record}'\nshift 3\nON_HOST=yes exec sh -c "$1"\n`)
    chmodSync(shim, 0o755)
    host = readHostCommands({
      active: true,
      ssh: [shim, '-T', 'me@host'],
      host_commands: [
        ['git', 'push'],
        ['printenv', 'ON_HOST'],
        ['printf', '%s|'],
      ],
    })
    expect(await ask('exec', { command: 'printenv ON_HOST' })).toBe('yes')
    expect(readFileSync(record, 'utf8')).toBe('-T\nme@host\n--\nprintenv ON_HOST\n')
    expect(await ask('exec', { command: `printf '%s|' "two words" 'a;b'` })).toBe('two words|a;b|')
    const here = ['printenv ON_HOST; true', 'printenv  HOME ON_HOST', 'x=1 printenv ON_HOST', 'printenv ON_HOST | cat']
    for (const command of here) expect(JSON.stringify(await bench.call('exec', { command }))).not.toContain('yes')
    expect(readFileSync(record, 'utf8').match(/me@host/g)).toHaveLength(2)
    expect(bench.accesses.find(({ argv }) => argv?.[0] === shim)?.argv).toEqual([
      shim,
      '-T',
      'me@host',
      '--',
      'printenv ON_HOST',
    ])
    expect(await fail('exec', { command: 'git push', background: true })).toContain('background')
    host = readHostCommands({ active: false, ssh: [shim], host_commands: [['printenv']] })
    expect(await ask('exec', { command: 'printenv ON_HOST; true' })).toBe('(no output)')
  })
})

describe('process', () => {
  decides('S3-Process-01 S3-Process-04 S3-Process-08', 'status and poll of what exec began', async () => {
    const process_id = await start('echo ready; sleep 1; exit 4')
    expect(await ask('process', { action: 'status', process_id })).toMatch(/^status: running$/m)
    await until(async () => (await poll(process_id)).includes('ready'))
    await bench.table.wait(process_id)
    expect(await ask('process', { action: 'status', process_id })).toMatch(/^status: failed, exit code 4$/m)
    expect(await poll(process_id)).toMatch(/ready/)
  })
  decides('S3-Process-02 S3-Process-06', 'input reaches stdin', async () => {
    const process_id = await start('read line; echo "got [$line]"')
    await ask('process', { action: 'input', process_id, input: 'some words\n' })
    await bench.table.wait(process_id)
    expect(await poll(process_id)).toContain('got [some words]')
    expect(await fail('process', { action: 'input', process_id })).toContain('input')
    expect(await fail('process', { action: 'input', process_id, input: 'late' })).toContain('exited')
  })
  decides('S3-Process-03 S3-Process-07', 'a signal arrives by its name', async () => {
    const process_id = await start(`trap 'echo usr1; exit 7' USR1; echo set; while :; do sleep 0.1; done`)
    await until(async () => (await poll(process_id)).includes('set'))
    expect(await ask('process', { action: 'signal', process_id, signal: 'SIGUSR1' })).toBe('Sent SIGUSR1')
    await bench.table.wait(process_id)
    expect(await poll(process_id)).toMatch(/exit code 7[\s\S]*usr1/)
    const other = await start('sleep 60')
    await ask('process', { action: 'signal', process_id: other, signal: 'SIGTERM' })
    await bench.table.wait(other)
    expect(bench.table.get(other)).toMatchObject({ signal: 'SIGTERM' })
    expect(await fail('process', { action: 'signal', process_id: other, signal: 'SIGNONSENSE' })).toContain(
      'SIGNONSENSE',
    )
  })
  it('S3-Process-05 needs a process_id', async () => {
    expect(await fail('process', { action: 'status' })).toContain('process_id')
    expect(await fail('process', { action: 'status', process_id: 'nobody' })).toContain('nobody')
  })
})
