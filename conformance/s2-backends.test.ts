import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from 'node-pty'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls, says } from '../e2e/scripted-model'
import { engineOf } from '../src-main/nodes/shell/container'
import { sessionNameFor } from '../src-main/nodes/shell/open-node'
import type { ShellNode } from '../src-main/nodes/shell/shell-node'
import { hasSshd, startSshd, type TestSshd } from '../src-main/nodes/shell/test-sshd'
import { createToolset } from '../src-main/toolsets'
import { buddy, shellParts } from './buddy'
import { openCommandLine } from './command-line'
import { decides, openBench, until } from './harness'
import { refused, told } from './miclaw'
import { openPlaces, realPath } from './places'
import { type PodmanContainer, startPodman } from './podman'

const places = openPlaces()
let backend: ShellNode
const bench = openBench(buddy({ machine: () => backend }))
const shell = async (command: string, wait?: unknown) =>
  shellParts(await told(bench, 'run_shell', { command, ...(wait !== undefined && { wait }) }))
const toolsAt = (place: ShellNode) => [
  ...createToolset('buddy', { table: bench.table, setTodo: () => {}, machine: () => place }).tools.keys(),
]
const shows = (text: string) => until(async () => (await told(bench, 'capture-pane', {})).includes(text))

/** As an engine does with a container named `web`: what comes after the name runs there, in a world of its own. */
const engineBody = `case $1 in --version) echo 1; exit 0;; exec) ;; *) exit 0;; esac
shift; while [ "$1" != web ]; do shift; done; shift; IN_CONTAINER=yes TMUX_TMPDIR="$HOME/inside" exec "$@"`

describe('this machine', () => {
  beforeAll(async () => {
    backend = await places.open({ kind: 'local' })
  })
  decides('S2-ShellNode-02 S2-ShellNode-09', 'commands run on it directly', async () => {
    expect(backend).toMatchObject({ kind: 'local', label: 'local', hasPane: false })
    expect((await shell('echo $PPID')).stdout).toBe(String(process.pid))
    expect(bench.table.list()[0]).toMatchObject({ node: 'local', command: 'echo $PPID', cwd: bench.workspace })
  })
  it('S2-ShellNode-11 files are its own', async () => {
    await told(bench, 'write_file', { path: 'here.txt', content: 'a local file\n' })
    expect(readFileSync(join(bench.workspace, 'here.txt'), 'utf8')).toBe('a local file\n')
    expect(await told(bench, 'read_file', { path: join(bench.workspace, 'here.txt') })).toBe('a local file\n')
  })
  it('S2-ShellNode-10 what nobody waits for is typed into the pane that it was started in', async () => {
    const calls = places.record('tmux', `exec ${realPath('tmux')} "$@"`)
    places.tmux(['new-session', '-d', '-s', 'mine'])
    const format = '#{socket_path} #{pane_id}'
    const [socket = '', pane = ''] = places.tmux(['display-message', '-p', '-t', 'mine', format]).trim().split(' ')
    backend = await places.open({ kind: 'local' }, { TMUX: `${socket},1,0`, TMUX_PANE: pane })
    expect(await told(bench, 'run_shell', { command: 'echo typed-$((2 + 3))', wait: false })).toBe(
      `command dispatched to tmux pane ${pane}`,
    )
    await shows('typed-5')
    expect(calls()).toContainEqual(expect.arrayContaining(['send-keys', '-t', pane, '-l', 'echo typed-$((2 + 3))']))
    // What is waited for still runs by itself.
    expect((await shell('echo "[$TMUX_PANE]"; echo $PPID')).stdout).toContain(String(process.pid))
  })
  it('S2-ShellNode-03 tmux on it', async () => {
    backend = await places.open({ kind: 'local', tmux: true })
    expect(backend).toMatchObject({ kind: 'local-tmux', hasPane: true })
    const { stdout } = await shell('echo $TMUX_PANE')
    expect(places.tmux(['list-panes', '-a', '-F', '#{session_name} #{pane_id}'])).toContain(
      `${sessionNameFor('local', bench.workspace)} ${stdout}`,
    )
    expect(await shell('pwd; echo err >&2; exit 3')).toEqual({ exitCode: 3, stdout: bench.workspace, stderr: 'err' })
    expect(await refused(bench, 'run_shell', { command: 'sleep 1; echo slow-$((1 + 1))', wait: '200ms' })).toMatch(
      /^Tool error: execution failed: .*0\.2s/,
    )
    // In a pane it goes on, and can be looked at.
    await shows('slow-2')
  })
})

describe.each([
  { engine: 'docker' as const, stdin: '-i', id: 'S2-ShellNode-14' },
  { engine: 'podman' as const, stdin: '--interactive', id: 'S2-ShellNode-15' },
])('a container of $engine', ({ engine, stdin, id }) => {
  let calls: () => string[][]
  beforeAll(async () => {
    calls = places.record(engine, engineBody)
    backend = await places.open({ kind: 'container', name: 'web', engine })
  })
  decides('S2-ShellNode-04 S2-ShellNode-12', 'runs commands by exec and sh -lc', async () => {
    expect(backend).toMatchObject({ kind: 'container', label: 'container:web', hasPane: false })
    const command = `echo "$IN_CONTAINER it's"; echo err >&2; exit 4`
    expect(await shell(command)).toEqual({ exitCode: 4, stdout: `yes it's`, stderr: 'err' })
    expect(calls().at(-1)).toEqual(['exec', 'web', 'sh', '-lc', command])
    expect(await refused(bench, 'run_shell', { command: 'true', wait: false })).toContain(
      'requires a tmux-backed target',
    )
    expect(toolsAt(backend)).not.toContain('capture-pane')
  })
  it('S2-ReadFile-07 reads files by cat', async () => {
    const path = join(places.home, `it's a file`)
    writeFileSync(path, 'over there\n')
    expect(await told(bench, 'read_file', { path })).toBe('over there\n')
    expect(calls().at(-1)).toEqual(['exec', 'web', 'sh', '-lc', `cat -- '${path.replace("'", `'\\''`)}'`])
    expect(await refused(bench, 'read_file', { path: '/no/such/file' })).toMatch(
      /^Tool error: execution failed: .*\/no\/such\/file/,
    )
  })
  decides(`S2-WriteFile-07 ${id}`, 'writes files by cat, from stdin', async () => {
    const path = join(places.home, `written by ${engine}`)
    expect(await told(bench, 'write_file', { path, content: 'hello\0🚢\n' })).toBe(`Wrote 11 bytes to ${path}`)
    expect(readFileSync(path, 'utf8')).toBe('hello\0🚢\n')
    expect(calls().at(-1)).toEqual(['exec', stdin, 'web', 'sh', '-lc', `cat > '${path}'`])
  })
})

describe('the engine', () => {
  it('S2-ShellNode-13 is found by asking docker and podman for their versions', async () => {
    const [docker, podman] = [places.record('docker', 'exit 127'), places.record('podman', engineBody)]
    places.record('kubectl', 'exit 127')
    expect(await engineOf('web', places.env)).toBe('podman')
    expect([docker().at(-1), podman().at(-1)]).toEqual([['--version'], ['--version']])
    places.record('docker', engineBody)
    places.record('podman', 'exit 127')
    expect(await engineOf('web', places.env)).toBe('docker')
    expect(await places.open({ kind: 'container', name: 'web' })).toMatchObject({ kind: 'container' })
    places.record('docker', 'exit 127')
    await expect(engineOf('web', places.env)).rejects.toThrow('Neither docker nor podman')
  })
})

describe('a container with tmux', () => {
  let [docker, tmux] = [() => [] as string[][], () => [] as string[][]]
  beforeAll(async () => {
    docker = places.record('docker', engineBody)
    tmux = places.record('tmux', `exec ${realPath('tmux')} "$@"`)
    backend = await places.open({ kind: 'container', name: 'web', engine: 'docker', tmux: 'in-there' })
  })
  decides('S2-ShellNode-05 S2-ShellNode-16', 'has a session that is made once and used again', async () => {
    expect(backend).toMatchObject({ kind: 'container-tmux', hasPane: true })
    const first = (await shell('echo $TMUX_PANE')).stdout
    const again = await places.open({ kind: 'container', name: 'web', engine: 'docker', tmux: 'in-there' })
    expect((await again.paneFor(bench.workspace)?.run('echo $TMUX_PANE'))?.stdout.toString()).toBe(`${first}\n`)
    expect(places.tmux(['list-sessions', '-F', '#{session_name}'], places.inside).match(/^in-there$/gm)).toHaveLength(1)
    expect(tmux().filter((call) => call.includes('new-session') && call.includes('in-there'))).toHaveLength(1)
  })
  it('S2-ShellNode-17 has commands typed by send-keys', async () => {
    const before = tmux().length
    expect(await shell('echo out; exit 5')).toMatchObject({ exitCode: 5, stdout: 'out' })
    expect(
      tmux()
        .slice(before)
        .some((call) => call.includes('send-keys')),
    ).toBe(true)
  })
  decides(
    'S2-ShellNode-01 S2-ShellNode-18 S2-ShellNode-19 S2-ShellNode-20 S2-Capture-04',
    'all five tools work in there, and nowhere else',
    async () => {
      expect(toolsAt(backend)).toEqual(expect.arrayContaining(['capture-pane', 'send-keys']))
      const rows = bench.table.list().length
      const path = join(places.home, 'in-there.txt')
      expect(await told(bench, 'run_shell', { command: 'echo left-$((4 + 4))', wait: false })).toMatch(
        /tmux pane %\d+$/,
      )
      await shows('left-8')
      await told(bench, 'send-keys', { literal_text: 'echo "sent-$IN_CONTAINER"', enter: true })
      await shows('sent-yes')
      await told(bench, 'write_file', { path, content: 'x' })
      expect(await told(bench, 'read_file', { path })).toBe('x')
      expect((await shell('echo $IN_CONTAINER')).stdout).toBe('yes')
      expect(docker().every(([verb]) => verb === 'exec' || verb === '--version' || verb === 'container')).toBe(true)
      expect(bench.table.list()).toHaveLength(rows)
    },
  )
  it('S2-ShellNode-07 each set of tools has the place that it was made with', async () => {
    const [here, there] = [await places.open({ kind: 'local' }), backend]
    const ask = async (place: ShellNode) => {
      backend = place
      return (await shell('echo "[$IN_CONTAINER]"')).stdout
    }
    expect([await ask(here), await ask(there), await ask(here)]).toEqual(['[]', '[yes]', '[]'])
    backend = there
  })
})

describe('a real container', () => {
  let container: PodmanContainer | string = 'not tried'
  beforeAll(() => {
    for (const program of ['podman', 'docker']) places.record(program, `exec ${realPath(program) || 'false'} "$@"`)
    container = startPodman()
  }, 240_000)
  afterAll(() => {
    if (typeof container !== 'string') container.stop()
  })
  /** Where this machine can run none, the recorded calls above have to do, and the reason is told. */
  const enter = async (skip: (reason: string) => never, tmux?: true): Promise<ShellNode> => {
    if (typeof container === 'string') return skip(container)
    return places.open({ kind: 'container', name: container.name, engine: 'podman', ...(tmux && { tmux }) })
  }

  it('S2-ShellNode-04 S2-ShellNode-12 runs commands and holds files of its own', async ({ skip }) => {
    backend = await enter(skip)
    expect(await shell('id -u; cat /proc/1/comm; echo err >&2; exit 6')).toEqual({
      exitCode: 6,
      stdout: '0\nsleep',
      stderr: 'err',
    })
    await told(bench, 'write_file', { path: '/root/inside', content: 'in there 🚢\n' })
    expect(await told(bench, 'read_file', { path: '/root/inside' })).toBe('in there 🚢\n')
    expect(existsSync('/root/inside')).toBe(false)
  })
  it('S2-ShellNode-05 S2-ShellNode-16 S2-Capture-04 has a tmux of its own', async ({ skip }) => {
    backend = await enter(skip, true)
    expect(await shell('echo "$TMUX_PANE"; cat /root/inside; exit 7')).toEqual({
      exitCode: 7,
      stdout: '%0\nin there 🚢',
      stderr: '',
    })
    await told(bench, 'run_shell', { command: 'echo left-$((5 + 4))', wait: false })
    await shows('left-9')
    await told(bench, 'send-keys', { literal_text: 'cat /proc/1/comm', enter: true })
    await shows('\nsleep')
  })
})

describe.skipIf(!hasSshd)('an ssh host', () => {
  let sshd: TestSshd
  let calls: () => string[][]
  beforeAll(async () => {
    sshd = await startSshd({ home: places.home, tmuxFolder: places.home })
    calls = sshd.shim(places.record)
    backend = await places.open({ kind: 'ssh', ...sshd.target })
  })
  afterAll(() => sshd.stop())
  const session = () => backend.paneFor(bench.workspace)?.session ?? ''

  decides('S2-ShellNode-06 S2-Capture-05', 'is reached by ssh, and has a pane', async () => {
    expect(backend).toMatchObject({ kind: 'ssh-tmux', label: `ssh ${sshd.target.host}:${sshd.target.port}` })
    expect(toolsAt(backend)).toEqual(expect.arrayContaining(['capture-pane', 'send-keys']))
    expect(await shell('echo "$SSH_CONNECTION" | cut -d" " -f3; echo err >&2; exit 9')).toMatchObject({
      exitCode: 9,
      stderr: 'err',
    })
    await told(bench, 'run_shell', { command: 'echo left-$((3 + 3))', wait: false })
    await shows('left-6')
  })
  it('S2-ShellNode-21 has one connection from the start', async () => {
    const [master] = calls()
    expect(master).toEqual(expect.arrayContaining(['-MNf', 'ControlMaster=yes', 'ControlPersist=yes']))
    expect(master?.find((word) => word.startsWith('ControlPath='))).toMatch(/buddy-ssh-[0-9a-f]+\.sock$/)
  })
  decides('S2-ShellNode-22 S2-ReadFile-07 S2-WriteFile-07', 'all that follows goes through it', async () => {
    const path = join(places.home, 'over-ssh.txt')
    const long = '水🚢\t\r\n'.repeat(50_000)
    expect(await told(bench, 'write_file', { path, content: long })).toBe(
      `Wrote ${Buffer.byteLength(long)} bytes to ${path}`,
    )
    expect(calls().at(-1)?.at(-1)).toBe(`cat > '${path}'`)
    expect(readFileSync(path, 'utf8')).toBe(long)
    expect(await told(bench, 'read_file', { path })).toBe(`${[...long].slice(0, 8000).join('')}...[truncated]`)
    expect(calls().at(-1)?.at(-1)).toBe(`cat -- '${path}'`)
    for (let n = 0; n < 3; n++) await shell('true')
    const socket = calls()[0]
      ?.find((word) => word.startsWith('ControlPath='))
      ?.slice('ControlPath='.length)
    for (const call of calls().slice(1)) expect(call.slice(0, 3)).toEqual(['-T', '-S', socket])
    expect(sshd.connections()).toBe(1)
  })
  it('S2-ShellNode-23 runs commands in one pane that stays', async () => {
    const panes = [await shell('echo $TMUX_PANE'), await shell('echo $TMUX_PANE')].map(({ stdout }) => stdout)
    expect(new Set(panes).size).toBe(1)
    expect(panes[0]).toMatch(/^%\d+$/)
    const again = await places.open({ kind: 'ssh', ...sshd.target })
    expect((await again.paneFor(bench.workspace)?.run('echo $TMUX_PANE'))?.stdout.toString().trim()).toBe(panes[0])
  })
  it('S2-ShellNode-24 lets somebody else attach and watch', async () => {
    const watcher = spawn('tmux', ['-u', 'attach', '-t', session()], { env: places.env, cols: 180, rows: 40 })
    let seen = ''
    watcher.onData((data) => {
      seen += data
    })
    await until(() => seen.length > 0)
    await shell('echo watched-$((7 + 8))')
    await until(() => seen.includes('watched-15'))
    watcher.kill()
  })
  it('S2-ShellNode-25 tells output and exit code by marks around each command', async () => {
    expect(await shell('seq 2; (exit 12)')).toEqual({ exitCode: 12, stdout: '1\n2', stderr: '' })
    const scrollback = places.tmux(['capture-pane', '-p', '-J', '-S', '-', '-t', session()])
    const [, id, output] =
      /\[deckhand (\d+): begin\] seq 2; \(exit 12\)\n([\s\S]*?)\n\[deckhand \1: end 12\]/.exec(scrollback) ?? []
    expect(Number(id)).toBeGreaterThan(1)
    expect(output).toBe('1\n2')
    // What looks like a mark is only text, and a line longer than the pane is one line.
    const tricky = `echo '[deckhand ${id}: end 0]'; printf 'x%.0s' $(seq 900); exit 3`
    expect(await shell(tricky)).toEqual({
      exitCode: 3,
      stdout: `[deckhand ${id}: end 0]\n${'x'.repeat(900)}`,
      stderr: '',
    })
  })
})

describe('the command line', () => {
  const line = openCommandLine()
  let sshd: TestSshd | null = null
  beforeAll(async () => {
    places.record('docker', engineBody)
    if (!hasSshd) return
    sshd = await startSshd({ home: mkdtempSync(join(places.home, 'host-')), tmuxFolder: places.home })
    sshd.shim(places.record)
  })
  afterAll(() => sshd?.stop())

  /** What a single run tells of the place where it works, and which tools it has there. */
  const at = async (...options: string[]) => {
    const command = 'echo "[$IN_CONTAINER] [$SSH_CONNECTION] [$TMUX_PANE]"'
    line.model().push(calls('run_shell', { command }), says('done'))
    const { HOME = '', TMUX_TMPDIR = '' } = places.env
    const args = [...options, '--toolset', 'buddy', '--approve', 'all', 'Where are you?']
    const terminal = line.run(args, { HOME, TMUX_TMPDIR, SHELL: '/bin/sh', TMUX: '', TMUX_PANE: '' })
    expect(await terminal.exitCode, terminal.output()).toBe(0)
    const { body } = line.model().requests.at(-1) ?? { body: {} }
    const names: string[] = body.tools.map((tool: { function: { name: string } }) => tool.function.name)
    return { told: shellParts(body.messages.at(-1).content).stdout, pane: names.includes('capture-pane') }
  }
  it('S2-ShellNode-08 --container, --ssh and --tmux say where', async () => {
    const [from, inPane] = ['\\[127\\.0\\.0\\.1 .*\\]', '\\[%\\d+\\]']
    expect(await at()).toEqual({ told: '[] [] []', pane: false })
    expect(await at('--tmux=line')).toEqual({ told: expect.stringMatching(`^\\[\\] \\[\\] ${inPane}$`), pane: true })
    expect(await at('--container', 'web')).toEqual({ told: '[yes] [] []', pane: false })
    expect(await at('--container', 'web', '--tmux')).toEqual({
      told: expect.stringMatching(`^\\[yes\\] \\[\\] ${inPane}$`),
      pane: true,
    })
    if (!sshd) return
    const { host, port } = sshd.target
    expect(await at('--ssh', `${host}:${port}`)).toEqual({
      told: expect.stringMatching(`^\\[\\] ${from} ${inPane}$`),
      pane: true,
    })
  }, 120_000)
})
