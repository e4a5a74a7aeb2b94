import { closeSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { groupPathStart } from './control-group'
import { type ForkServer, startForkServer } from './fork-server'
import { forkServerScript } from './fork-server-script'
import { held } from './held-program'
import { forkTerminal, openTerminal, type Terminal } from './native-pty'
import type { ProcessExit, ProcessSpec } from './process'
import { markOf } from './process-mark'
import { spawnPty } from './pty-child'
import { outcomeOf, shellSpec } from './test-terminals'

const size = { cols: 91, rows: 17 }

const specOf = (argv: readonly [string, ...string[]], env: Record<string, string> = {}): ProcessSpec =>
  shellSpec('', { argv, env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env } })

const shell = (command: string, env?: Record<string, string>) => specOf(['/bin/sh', '-c', command], env)

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

const parentOf = (pid: number): number =>
  Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

describe.runIf(process.platform === 'linux')('the fork server', () => {
  let server: ForkServer

  const start = (options?: Parameters<typeof startForkServer>[0]): ForkServer => {
    const started = startForkServer(options)
    if (!started) throw new Error('There is no Perl here')
    return started
  }
  /** Waits until it is ready. */
  const open = async (spec: ProcessSpec): Promise<Terminal> => {
    let terminal: Promise<Terminal> | null = null
    await expect.poll(() => (terminal ??= server.open(spec, size)), { timeout: 20_000, interval: 10 }).not.toBeNull()
    return terminal as unknown as Promise<Terminal>
  }

  beforeEach(() => {
    server = start()
  })
  afterEach(() => server.close())

  it('gives a program the same terminal, session, folder and environment as a fork does', async () => {
    const look = `stty -g; stty size; tty | sed 's/[0-9]*$//'; pwd; env | grep -v _= | sort; umask; trap; ulimit -a
      set -- $(cut -d')' -f2 /proc/$$/stat); [ $$ = "$3" ] && [ $$ = "$4" ] && [ $$ = "$6" ] && echo leads`
    const spec = shell(look, {
      PLAIN: 'a=b=c',
      LINES_OF: 'one\ntwo',
      'BASH_FUNC_f%%': '() { :; }',
      EMPTY: '',
      Ü: 'ü\u{1F600}',
    })
    const forked = await outcomeOf(forkTerminal(held(spec), size))
    expect(await outcomeOf(await open(spec))).toEqual(forked)
    expect(forked.said).toContain('leads')
  })

  describe('that knows which program comes next', () => {
    /** Starts the first program, and waits until the copy for the next one exists. */
    const prepare = async (): Promise<{ first: Terminal; spare: number }> => {
      const first = await open({ ...shell('read line'), id: 'first', next: 'second' })
      const others = () => childrenOf(parentOf(first.pid)).filter((pid) => pid !== first.pid)
      await expect.poll(others, { timeout: 20_000 }).toHaveLength(1)
      return { first, spare: others()[0] as number }
    }
    const groupOf = (id: string): string => `${groupPathStart()}${markOf(id)}`

    it('has a copy of itself ready, which becomes that program', async () => {
      const { first, spare } = await prepare()
      const look =
        'pwd; echo $WORD; tty | cut -c1-9; ls /proc/$$/fd; grep -h . /proc/self/cgroup | sed "s/.*call-//"; exit 7'
      const second = await open({ ...shell(look, { WORD: 'a b' }), id: 'second' })
      expect(second.pid).toBe(spare)
      const { said, exit } = await outcomeOf(second)
      expect(exit).toEqual({ exitCode: 7, signal: null })
      expect(said).toMatch(/^\/usr\/lib\na b\n\/dev\/pts\/\n0\s+1\s+2\n/)
      if (groupPathStart() !== '') expect(said).toContain(`${markOf('second')}`)
      process.kill(first.pid, 'SIGKILL')
    })

    it('starts another one all the same, and one whose copy was killed', async () => {
      const { first, spare } = await prepare()
      const other = await outcomeOf(await open({ ...shell('echo other'), id: 'other', next: 'fourth' }))
      expect(other).toEqual({ said: 'other\n', exit: { exitCode: 0, signal: null } })
      await expect.poll(() => isGone(spare), { timeout: 20_000 }).toBe(true)
      const copy = () => childrenOf(parentOf(first.pid)).find((pid) => pid !== first.pid)
      await expect.poll(copy, { timeout: 20_000 }).toBeDefined()
      const killed = copy() as number
      process.kill(killed, 'SIGKILL')
      await expect.poll(() => isGone(killed), { timeout: 20_000 }).toBe(true)
      expect((await outcomeOf(await open({ ...shell('echo fourth'), id: 'fourth' }))).said).toBe('fourth\n')
      process.kill(first.pid, 'SIGKILL')
    })

    it('makes no copy before nothing has happened for a while, each time', async () => {
      server.close()
      const patient = forkServerScript.replace("'q2', 0, 5_000_000", "'q2', 3, 0")
      expect(patient).not.toBe(forkServerScript)
      server = start({ script: patient })
      const { first } = await prepare()
      const second = await open({ ...shell('read line'), id: 'second', next: 'third' })
      await outcomeOf(await open({ ...shell('true'), id: 'other', next: 'third' }))
      expect(new Set(childrenOf(parentOf(first.pid)))).toEqual(new Set([first.pid, second.pid]))
      for (const { pid } of [first, second]) process.kill(pid, 'SIGKILL')
    })

    it('takes its copy along when it ends, and the group of it', async () => {
      const { first, spare } = await prepare()
      server.close()
      await expect.poll(() => isGone(spare), { timeout: 20_000 }).toBe(true)
      if (groupPathStart() !== '')
        await expect.poll(() => existsSync(groupOf('second')), { timeout: 20_000 }).toBe(false)
      process.kill(first.pid, 'SIGKILL')
    })

    it('leaves no copy behind when it is killed', async () => {
      const { first, spare } = await prepare()
      process.kill(parentOf(first.pid), 'SIGKILL')
      await expect.poll(() => isGone(spare), { timeout: 20_000 }).toBe(true)
      process.kill(first.pid, 'SIGKILL')
    })
  })

  it('hands on nothing that the app has open', async () => {
    const { said } = await outcomeOf(await open(shell('ls /proc/$$/fd')))
    expect(said.trim().split(/\s+/)).toEqual(['0', '1', '2'])
  })

  it('tells an exit code from a signal of the same number', async () => {
    expect(await outcomeOf(await open(shell('exit 137')))).toEqual({ said: '', exit: { exitCode: 137, signal: null } })
    expect(await outcomeOf(await open(shell('kill -KILL $$')))).toEqual({
      said: '',
      exit: { exitCode: null, signal: 'SIGKILL' },
    })
  })

  it('keeps apart what runs at the same time', async () => {
    const started = await Promise.all(
      Array.from({ length: 20 }, (_, index) => open(shell(`sleep 0.${index % 3}; echo ${index}; exit ${index}`))),
    )
    const outcomes = await Promise.all(started.map(outcomeOf))
    expect(outcomes).toEqual(
      started.map((_, index) => ({ said: `${index}\n`, exit: { exitCode: index, signal: null } })),
    )
  })

  it('takes a command of any length', async () => {
    const long = 'x'.repeat(100_000)
    expect((await outcomeOf(await open(shell(`printf %s ${long} | wc -c`)))).said.trim()).toBe('100000')
  })

  it('says in the terminal what cannot be started', async () => {
    const { said, exit } = await outcomeOf(await open(specOf(['/nowhere/at-all'])))
    expect({ said, exit }).toEqual({
      said: '/nowhere/at-all: No such file or directory\n',
      exit: { exitCode: 1, signal: null },
    })
  })

  it('says in the terminal which folder cannot be entered', async () => {
    const { said } = await outcomeOf(await open({ ...shell('pwd'), cwd: '/etc/passwd' }))
    expect(said).toBe('/etc/passwd: Not a directory\n')
  })

  it('tells of a program that ends in the moment before it waits', async () => {
    server.close()
    // Just before the wait it blocks until a program has ended, which it leaves uncollected (waitid with WNOWAIT).
    const waitid = process.arch === 'x64' ? 247 : 95
    const untilOneEnded = `syscall(${waitid}, 0, 0, my $info = ' ' x 128, 0x1000004, 0)`
    const staged = forkServerScript.replace('syscall $ppoll,', () => `syscall +(${untilOneEnded}, $ppoll)[1],`)
    expect(staged).not.toBe(forkServerScript)
    server = start({ script: staged })
    for (let code = 1; code <= 20; code++) {
      const { exit } = await outcomeOf(await open(shell(`exit ${code}`)))
      expect(exit).toEqual({ exitCode: code, signal: null })
    }
  })

  it('that does not answer is ended, and what it would have started fails', async () => {
    server.close()
    server = start({ answerMs: 300 })
    const first = await open(shell('sleep 60'))
    const stopped = parentOf(first.pid)
    process.kill(stopped, 'SIGSTOP')
    await expect(server.open(shell('sleep 60'), size)).rejects.toThrow('did not answer')
    await expect.poll(() => isGone(stopped), { timeout: 20_000 }).toBe(true)
    expect({ gone: server.gone, exit: await first.exited }).toEqual({ gone: true, exit: null })
    process.kill(first.pid, 'SIGKILL')
  })

  it('that is late to answer is given nothing more', async () => {
    const first = await open(shell('sleep 60'))
    const stopped = parentOf(first.pid)
    process.kill(stopped, 'SIGSTOP')
    const late = server.open(shell('echo late'), size)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(server.open(shell('echo other'), size)).toBeNull()
    expect(server.gone).toBe(false)
    process.kill(stopped, 'SIGCONT')
    expect(late && (await outcomeOf(await late)).said).toBe('late\n')
    expect((await outcomeOf(await open(shell('echo again')))).said).toBe('again\n')
    process.kill(first.pid, 'SIGKILL')
  })

  it('that does not answer: a copy that is late runs nothing, not even on a terminal that was opened since', async () => {
    server.close()
    // With the first program all is as usual. Then the answer takes long, and the copy is slow to open its terminal.
    const slow = forkServerScript
      .replace('syswrite STDOUT, "started', () => 'sleep 60 if $id > 1; syswrite STDOUT, "started')
      .replace("open STDIN, '+<'", () => "select undef, undef, undef, 1 if $words[2] =~ /^echo/; open STDIN, '+<'")
    server = start({ script: slow, answerMs: 300 })
    const first = await open(shell('read line'))
    const folder = mkdtempSync(join(tmpdir(), 'deckhand-fork-'))
    const failed = server.open(shell(`echo >${folder}/ran`), size)
    const copies = () => childrenOf(parentOf(first.pid)).filter((pid) => pid !== first.pid)
    await expect.poll(copies, { interval: 10 }).toHaveLength(1)
    const [copy] = copies() as [number]
    await expect(failed).rejects.toThrow('did not answer')
    // The system gives the first number that is free.
    const since = Array.from({ length: 5 }, () => openTerminal(size))
    expect(isGone(copy)).toBe(false)
    await expect.poll(() => isGone(copy), { timeout: 20_000 }).toBe(true)
    expect(readdirSync(folder)).toEqual([])
    rmSync(folder, { recursive: true })
    for (const terminal of since) {
      terminal?.release()
      if (terminal) closeSync(terminal.fd)
    }
    process.kill(first.pid, 'SIGKILL')
  })

  it('that is killed takes no program with it, whose end is noticed all the same', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<ProcessExit>()
    let said = ''
    const output = (chunk: Uint8Array) => {
      said += Buffer.from(chunk).toString()
    }
    const spec = shell('read line; echo "got $line"')
    const child = await spawnPty(spec, size, { output, end }, { open, close() {} })
    process.kill(parentOf(child.pid), 'SIGKILL')
    child.write('it\n')
    // Null unless it stays a zombie, as in a container whose first process collects none.
    expect(await ended).toEqual({ exitCode: expect.toBeOneOf([0, null]), signal: null })
    expect(said).toContain('got it')
    expect(server.open(spec, size)).toBeNull()
  })

  it('ends when it is closed', async () => {
    const running = await open(shell('read line'))
    const pid = parentOf(running.pid)
    server.close()
    await expect.poll(() => isGone(pid), { timeout: 20_000 }).toBe(true)
    process.kill(running.pid, 'SIGKILL')
  })
})

/** Also true for a zombie. */
function isGone(pid: number): boolean {
  try {
    return /^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
  } catch {
    return true
  }
}
