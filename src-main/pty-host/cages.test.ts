import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Cages, createCages } from './cages'
import type { ProcessSpec } from './process'
import { markOf, markOn } from './process-mark'
import { terminalUse } from './terminal-use'
import { outcomeOf, shellSpec } from './test-terminals'

const size = { cols: 91, rows: 17 }
const bubblewrap = [
  'bwrap',
  ...['--unshare-user', '--unshare-pid', '--unshare-net', '--cap-drop', 'ALL', '--die-with-parent', '--as-pid-1'],
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--'],
]

const works = (() => {
  try {
    execFileSync('bwrap', [...bubblewrap.slice(1), '/bin/true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

describe.skipIf(!works)('cages', () => {
  let cages: Cages
  beforeEach(async () => {
    cages = createCages()
    await cages.open('one', bubblewrap)
  })
  afterEach(() => cages.close())
  const run = async (command: string, more?: Partial<ProcessSpec>) =>
    outcomeOf(await cages.start('one', shellSpec(command, more), size))

  it('starts the next command after one that has killed whatever it could', async () => {
    for (let round = 0; round < 3; round++) {
      await run('kill -9 -1')
      expect(await run('echo on')).toEqual({ said: 'on\n', exit: { exitCode: 0, signal: null } })
    }
  })

  it('tells codes of commands from its own', async () => {
    for (const code of [3, 0, 3]) expect((await run(`exit ${code}`)).exit).toEqual({ exitCode: code, signal: null })
  })

  it('starts commands inside, on a real terminal of their own', async () => {
    const script =
      'pwd; stty size; test -t 0 && echo tty; echo > /dev/tty && touch x; ls /dev/pts; echo "$HELLO"; exit 7'
    const { said, exit } = await run(script, { env: { PATH: '/usr/bin:/bin', HELLO: 'hé' } })
    expect({ said, exit }).toEqual({
      said: "/usr/lib\n17 91\ntty\n\ntouch: cannot touch 'x': Read-only file system\nptmx\nhé\n",
      exit: { exitCode: 7, signal: null },
    })
  })

  it('shows what their programs do with the terminal', async () => {
    const asks = await cages.start('one', shellSpec('printf "Go on? "; read x'), size)
    const sleeps = await cages.start('one', shellSpec('sleep 60; true'), size)
    await expect.poll(() => terminalUse(asks.pid, false)).toBe('reads')
    await expect.poll(() => terminalUse(sleeps.pid, false)).toBe('neither')
    for (const { pid } of [asks, sleeps]) process.kill(pid, 'SIGKILL')
    await Promise.all([outcomeOf(asks), outcomeOf(sleeps)])
  })

  it('tells the numbers that processes have outside, and marks them', async () => {
    const terminal = await cages.start('one', shellSpec('echo $$; read x', { id: 'marked' }), size)
    await expect
      .poll(() => readFileSync(`/proc/${terminal.pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
      .toContain('echo $$')
    expect(markOn(terminal.pid)).toBe(markOf('marked'))
    process.kill(-terminal.pid, 'SIGTERM')
    expect((await outcomeOf(terminal)).exit).toEqual({ exitCode: null, signal: 'SIGTERM' })
  })

  it('starts many at once, each with its own terminal', async () => {
    const ended = await Promise.all(Array.from({ length: 40 }, (_, at) => run(`echo number ${at}; exit ${at}`)))
    expect(ended).toEqual(
      Array.from({ length: 40 }, (_, at) => ({ said: `number ${at}\n`, exit: { exitCode: at, signal: null } })),
    )
  })

  it('takes a command of 100 kB', async () => {
    expect((await run(`: ${'x'.repeat(100_000)}; echo done`)).said).toBe('done\n')
  })

  it('hides the starter from what runs beside it', async () => {
    const script =
      'ls /proc/1/fd; cat /proc/1/environ; cat /proc/1/mem; ls /proc/1/root; kill -9 1; kill -9 -1; echo no'
    const { said } = await run(script)
    expect(said.match(/Permission denied|cannot/g)?.length).toBeGreaterThanOrEqual(4)
    expect((await run('echo still here')).said).toBe('still here\n')
  })

  it('says which program cannot be started', async () => {
    const { said, exit } = await outcomeOf(await cages.start('one', shellSpec('', { argv: ['/no/such'] }), size))
    expect({ said, exit }).toEqual({
      said: '/no/such: No such file or directory\n',
      exit: { exitCode: 1, signal: null },
    })
  })

  it('is made anew after its end', async () => {
    const first = await cages.start('one', shellSpec('sleep 300'), size)
    const cage = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${first.pid}/status`, 'utf8'))?.[1]
    process.kill(Number(cage), 'SIGKILL')
    expect((await outcomeOf(first)).exit).toBeNull()
    await expect.poll(async () => (await run('echo again').catch(() => null))?.said).toBe('again\n')
  })

  it('lets commands end that still run when it is retired', async () => {
    const terminal = await cages.start('one', shellSpec('read x; echo "read $x"'), size)
    cages.retire('one')
    const { writeSync } = await import('node:fs')
    writeSync(terminal.fd, 'word\n')
    expect((await outcomeOf(terminal)).said).toContain('read word\n')
    await expect(cages.start('one', shellSpec('true'), size)).rejects.toThrow('not open')
  })

  it('says that a cage cannot be made', async () => {
    await expect(cages.open('two', ['/bin/false'])).rejects.toThrow('could not be made')
  })
})
