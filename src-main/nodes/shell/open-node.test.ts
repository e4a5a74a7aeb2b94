import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder, removeFolder } from '../../test-folder'
import { commandEnv } from '../command-env'
import { engineOf, readContainerName, runningContainers } from './container'
import { openShellNode, sessionNameFor } from './open-node'
import { runArgv, runScript } from './remote-shell'
import type { ShellNode } from './shell-node'
import { readSshTarget } from './ssh'
import { hasSshd, startSshd, type TestSshd } from './test-sshd'

let home: string
let env: Record<string, string>
const opened: ShellNode[] = []

beforeEach(() => {
  home = makeFolder('backend')
  env = commandEnv(process.env, { HOME: home, TMUX_TMPDIR: home, SHELL: '/bin/sh' })
})
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  execFileSync('sh', ['-c', 'tmux kill-server 2>/dev/null || true'], { env })
  removeFolder(home)
})

async function open(...args: Parameters<typeof openShellNode>): Promise<ShellNode> {
  const backend = await openShellNode(...args)
  opened.push(backend)
  return backend
}

/** Replaces a program by one that records how it was called and then runs `body`. */
function shim(name: string, body: string): () => string[][] {
  const bin = join(home, 'bin')
  const record = join(home, `${name}.calls`)
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, name), `#!/bin/sh\n{ printf '%s\\037' "$@"; printf '\\036'; } >>${record}\n${body}\n`)
  chmodSync(join(bin, name), 0o755)
  env.PATH = `${bin}${delimiter}${process.env.PATH}`
  return () =>
    existsSync(record)
      ? readFileSync(record, 'utf8')
          .split('\x1e')
          .filter(Boolean)
          .map((call) => call.split('\x1f').slice(0, -1))
      : []
}

/** Like an engine: runs what follows the container's name. */
const execBody = `[ "$1" = exec ] || exit 0; shift; while [ "$1" != web ]; do shift; done; shift; exec "$@"`

test('this machine has no pane of its own, unless the app was started in one', async () => {
  const plain = await open({ kind: 'local' }, { id: 'local', env })
  expect(plain).toMatchObject({ kind: 'local', label: 'local', hasPane: false })
  expect(plain.argv('echo "$1" hi')).toEqual(['sh', '-c', 'echo "$1" hi'])
  execFileSync('tmux', ['new-session', '-d', '-s', 'mine'], { env })
  const socket = execFileSync('tmux', ['display-message', '-p', '#{socket_path}'], { env, encoding: 'utf8' }).trim()
  const inside = await open({ kind: 'local' }, { id: 'local', env: { ...env, TMUX: `${socket},1,0`, TMUX_PANE: '%0' } })
  expect(await inside.paneFor('/w')?.dispatch('echo typed-$((20+3))')).toBe('%0')
  await expect
    .poll(async () => (await inside.paneFor('/w')?.capture({}))?.text, { timeout: 20_000 })
    .toContain('typed-23')
}, 60_000)

test('a session of tmux on this machine is made once and named after the place', async () => {
  const backend = await open({ kind: 'local', tmux: true }, { id: 'tmux', env })
  expect(backend).toMatchObject({ kind: 'local-tmux', hasPane: true })
  expect(backend.paneFor('/w')?.session).toBe(sessionNameFor('local', '/w'))
  expect(sessionNameFor('local')).toMatch(/^buddy-[0-9a-f]{4}$/)
  expect((await backend.paneFor('/w')?.run('echo here'))?.stdout.toString()).toBe('here\n')
}, 60_000)

test('a container is an exec of its engine, with stdin only where something is given', async () => {
  const calls = shim('docker', execBody)
  const backend = await open({ kind: 'container', name: 'web', engine: 'docker' }, { id: 'web', env })
  expect(backend).toMatchObject({ kind: 'container', label: 'container:web', hasPane: false })
  expect(backend.argv('ls -l')).toEqual(['docker', 'exec', 'web', 'sh', '-lc', 'ls -l'])
  expect(backend.argv('cat', { stdin: true })).toEqual(['docker', 'exec', '-i', 'web', 'sh', '-lc', 'cat'])
  const bytes = Buffer.from([0, 255, 10, 13, 39])
  const path = join(home, `it's a file`)
  await backend.files.write(path, bytes)
  expect(readFileSync(path)).toEqual(bytes)
  expect(await backend.files.read(path)).toEqual(bytes)
  const quoted = `'${path.replace("'", `'\\''`)}'`
  expect(calls()).toEqual([
    ['exec', 'web', 'sh', '-lc', 'true'],
    ['exec', '-i', 'web', 'sh', '-lc', `cat > ${quoted}`],
    ['exec', 'web', 'sh', '-lc', `cat -- ${quoted}`],
  ])
  await expect(backend.files.read(join(home, 'missing'))).rejects.toMatchObject({ kind: 'FileNotFound' })
}, 60_000)

test('podman has longer words, and kubectl parts the command', async () => {
  for (const engine of ['podman', 'kubectl'])
    shim(engine, execBody.replace('exec "$@"', '[ "$1" != -- ] || shift; exec "$@"'))
  const at = (engine: 'podman' | 'kubectl') => open({ kind: 'container', name: 'web', engine }, { id: 'web', env })
  expect((await at('podman')).argv('cat', { stdin: true })).toEqual([
    'podman',
    'exec',
    '--interactive',
    'web',
    'sh',
    '-lc',
    'cat',
  ])
  expect((await at('kubectl')).argv('ls')).toEqual(['kubectl', 'exec', 'web', '--', 'sh', '-lc', 'ls'])
})

test('the engine is the one that answers, or the one that has the container', async () => {
  shim('docker', 'exit 127')
  shim('kubectl', 'exit 1')
  shim('podman', '[ "$1" = ps ] && printf "web\\tbusybox\\n"; exit 0')
  expect(await engineOf('web', env)).toBe('podman')
  expect(await runningContainers(env)).toEqual([{ engine: 'podman', name: 'web', image: 'busybox' }])
  const docker = shim('docker', '[ "$1" != container ]')
  expect(await engineOf('web', env)).toBe('podman')
  expect(docker()).toContainEqual(['container', 'inspect', 'web'])
}, 60_000)

test('with tmux a container has a pane', async () => {
  const calls = shim('docker', execBody)
  const backend = await open({ kind: 'container', name: 'web', engine: 'docker', tmux: true }, { id: 'web', env })
  expect(backend.kind).toBe('container-tmux')
  expect((await backend.paneFor('/w')?.run('echo in; exit 2'))?.exitCode).toBe(2)
  expect(calls().every((call) => call[0] === 'exec')).toBe(true)
}, 60_000)

test('names that would be options are refused', () => {
  expect(readContainerName('podman:web')).toEqual({ name: 'web', engine: 'podman' })
  expect(() => readContainerName('--privileged')).toThrow('not the name')
  expect(readSshTarget('me@host:2222')).toEqual({ host: 'me@host', port: 2222 })
  expect(readSshTarget('me@[::1]:22')).toEqual({ host: 'me@[::1]', port: 22 })
  expect(() => readSshTarget('-oProxyCommand=x')).toThrow('not user@host')
  expect(() => readSshTarget('a b')).toThrow('not user@host')
})

let sshd: TestSshd | null = null
afterEach(async () => {
  await sshd?.stop()
  sshd = null
})

test.skipIf(!hasSshd)(
  'an ssh host has one connection for all commands, a pane and files',
  async () => {
    sshd = await startSshd({ home, tmuxFolder: home })
    const calls = sshd.shim(shim)
    const backend = await open({ kind: 'ssh', ...sshd.target }, { id: 'box', env })
    expect(backend).toMatchObject({ kind: 'ssh-tmux', label: `ssh ${sshd.target.host}:${sshd.target.port}` })
    const done = await backend.paneFor('/w')?.run('echo out; echo err >&2; exit 7')
    expect([done?.exitCode, `${done?.stdout}`, `${done?.stderr}`]).toEqual([7, 'out\n', 'err\n'])
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256))
    await backend.files.write(join(home, 'bytes'), bytes)
    expect((await backend.files.read(join(home, 'bytes'))).equals(bytes)).toBe(true)
    expect(await runArgv(backend.argv('echo "$0"; exit 4'), env)).toMatchObject({ exitCode: 4 })
    expect(sshd.connections()).toBe(1)
    const [master, ...others] = calls()
    expect(master?.slice(0, 5)).toEqual(['-MNf', '-o', 'ControlMaster=yes', '-o', 'ControlPersist=yes'])
    for (const call of others) expect(call.slice(0, 2)).toEqual(['-T', '-S'])
  },
  60_000,
)

test.skipIf(!hasSshd)(
  'what the shell of an ssh host says at its start is part of no output and of no file',
  async () => {
    const greeting = join(home, 'greeting')
    const say = `echo 'Welcome!'; echo 'Be careful!' >&2; printf 'no line end'`
    writeFileSync(greeting, `#!/bin/sh\n${say}\nexec /bin/sh -c "$SSH_ORIGINAL_COMMAND"\n`, { mode: 0o755 })
    sshd = await startSshd({ home, tmuxFolder: home, forced: greeting })
    sshd.shim(shim)
    const backend = await open({ kind: 'ssh', ...sshd.target }, { id: 'box', env })
    expect(await runScript(backend.shell, 'echo out; echo err >&2; exit 7')).toEqual({
      exitCode: 7,
      stdout: Buffer.from('out\n'),
      stderr: Buffer.from('err\n'),
    })
    const done = await backend.paneFor('/w')?.run('echo out; exit 7')
    expect([done?.exitCode, `${done?.stdout}`, `${done?.stderr}`]).toEqual([7, 'out\n', ''])
    await backend.files.write(join(home, 'file'), Buffer.from('one\ntwo\n'))
    expect(`${await backend.files.read(join(home, 'file'))}`).toBe('one\ntwo\n')
    expect(`${await backend.files.read(join(home, 'file'), { mostBytes: 5 })}`).toBe('one\nt')
  },
  60_000,
)

test.skipIf(!hasSshd)(
  'a lost connection is opened again',
  async () => {
    sshd = await startSshd({ home, tmuxFolder: home })
    sshd.shim(shim)
    const backend = await open({ kind: 'ssh', ...sshd.target }, { id: 'box', env })
    await backend.paneFor('/w')?.run('export KEPT=1; true')
    sshd.dropConnections()
    await expect.poll(() => backend.shell.check(), { timeout: 20_000 }).toBe(false)
    expect((await backend.paneFor('/w')?.run('echo again'))?.stdout.toString()).toBe('again\n')
    expect(sshd.connections()).toBe(2)
  },
  60_000,
)

test.skipIf(!hasSshd)(
  'what ssh asks is answered by the user, and no answer ends the attempt',
  async () => {
    sshd = await startSshd({ home, tmuxFolder: home, passphrase: 'open sesame', strict: true })
    sshd.shim(shim)
    const asked: string[] = []
    const { openAskpass } = await import('./askpass')
    const at = (answer: (kind: string) => string | null) =>
      open(
        { kind: 'ssh', ...(sshd as TestSshd).target },
        {
          id: 'box',
          env,
          asking: () =>
            openAskpass(async ({ kind, prompt }) => {
              asked.push(`${kind}: ${prompt}`)
              return answer(kind)
            }),
        },
      )
    await expect(at(() => null)).rejects.toMatchObject({ kind: 'unreachable' })
    const backend = await at((kind) => (kind === 'confirm' ? 'yes' : 'open sesame'))
    expect((await backend.paneFor('/w')?.run('echo in'))?.stdout.toString()).toBe('in\n')
    expect(asked.some((each) => each.startsWith('confirm: ') && each.includes('fingerprint'))).toBe(true)
    expect(asked.some((each) => each.startsWith('secret: Enter passphrase'))).toBe(true)
  },
  60_000,
)

test.skipIf(!hasSshd)(
  'without anybody to ask, ssh fails instead of asking',
  async () => {
    sshd = await startSshd({ home, tmuxFolder: home, strict: true })
    sshd.shim(shim)
    await expect(open({ kind: 'ssh', ...sshd.target }, { id: 'box', env })).rejects.toMatchObject({
      kind: 'unreachable',
    })
  },
  60_000,
)

test.skipIf(!hasSshd)(
  'a host without tmux has no pane, and says so where one is asked for',
  async () => {
    const path = join(home, 'few')
    mkdirSync(path)
    for (const name of ['sh', 'cat']) symlinkSync(`/bin/${name}`, join(path, name))
    sshd = await startSshd({ home, tmuxFolder: home, path })
    const calls = sshd.shim(shim)
    const { target } = sshd
    await expect(open({ kind: 'ssh', ...target, tmux: true }, { id: 'box', env })).rejects.toMatchObject({
      kind: 'missing',
    })
    // What was opened for it is closed again.
    expect(calls().at(-1)?.slice(2)).toEqual(['-O', 'exit', target.host])
    const backend = await open({ kind: 'ssh', ...target }, { id: 'box', env })
    expect(backend).toMatchObject({ kind: 'ssh', hasPane: false })
    expect((await runArgv(backend.argv('echo raw'), env)).stdout.toString()).toBe('raw\n')
  },
  60_000,
)
