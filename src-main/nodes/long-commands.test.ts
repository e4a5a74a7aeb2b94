import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGround, sandboxHere } from '../sandbox/test-ground'
import { commandEnv } from './command-env'
import { openInProcessHost } from './host-link'
import { createLocalNode, type LocalNode } from './local'
import { withShortArguments } from './long-arguments'
import type { HostInfo, Node } from './node'
import type { ProcessTable, StartRequest } from './process-table'
import { createDirectNode } from './shell/direct-node'
import { openShellNode } from './shell/open-node'
import { localShell } from './shell/remote-shell'
import { staged } from './shell/staged-text'
import { hasSshd, startSshd } from './shell/test-sshd'
import { openTestTable } from './test-table'
import { createTmuxNode } from './tmux/tmux-node'

/** Commands above 128 KiB, which Linux does not accept as one argument. */

const { available } = await sandboxHere()
const sizes = [200_000, 1_000_000]
const info: HostInfo = { os: 'linux', hostname: 'box', envKeys: [], shell: '/bin/sh' }

let home: string
let env: Record<string, string>
let localNode: LocalNode
let table: ProcessTable
let other: Node | undefined

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'deckhand-long-'))
  env = commandEnv(process.env, { HOME: home, TMUX_TMPDIR: home, SHELL: '/bin/sh' })
  localNode = createLocalNode({ openHost: openInProcessHost, env })
  table = openTestTable(join(home, 'logs'), { nodes: [localNode], otherNode: () => other })
})
afterEach(async () => {
  await other?.close()
  other = undefined
  await table.close()
  execFileSync('sh', ['-c', 'tmux kill-server 2>/dev/null || true'], { env })
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

/** Prints what a command can know of itself, with filler of this length in between that contains quotes and emoji. */
function longCommand(bytes: number): string {
  const filler = "it's $x \\ `no` 漢🚢 "
  const text = filler.repeat(Math.ceil(bytes / Buffer.byteLength(filler)))
  return `cat >/dev/null <<'END'\n${text}\nEND\necho "$0 $# $LINENO"; test -t 0 && echo terminal; (exit 3)\nexit 7`
}

async function run(request: Partial<StartRequest> & Pick<StartRequest, 'argv'>) {
  const { id } = await table.start({
    sessionId: 's',
    callId: null,
    command: 'long',
    cwd: home,
    background: false,
    byUser: false,
    ...request,
  })
  expect(await table.wait(id, 40_000)).toBe('exited')
  const { exitCode } = table.get(id) ?? {}
  return { exitCode, said: (await table.output(id, { maxChars: 10_000 })).text }
}

const shells = ['/bin/sh', '/bin/bash', '/usr/bin/zsh'].filter((shell) => existsSync(shell))

describe.runIf(process.platform === 'linux').each(sizes)('a command of %i bytes', (bytes) => {
  it.each(shells)('runs in a terminal and between pipes as a short one does: %s', async (shell) => {
    const long = longCommand(bytes)
    const short = longCommand(1)
    for (const tty of [{ cols: 80, rows: 24 }, null]) {
      for (const more of [[], ['name', 'one']] as const) {
        // Twice: the second one uses the fork server, once it is ready.
        const expected = await run({ argv: [shell, '-lc', short, ...more], tty })
        expect(await run({ argv: [shell, '-lc', long, ...more], tty })).toEqual(expected)
        expect(expected).toMatchObject({ exitCode: 7, said: expect.stringContaining(more[0] ?? shell) })
      }
    }
  })

  it.runIf(available)('runs in the sandbox', async () => {
    const ground = createGround()
    const inside = await ground.sandbox.enter({ id: 's', workspace: ground.workspace })
    const start = { argv: ['/bin/bash', '-lc', longCommand(bytes)], cwd: ground.workspace, tty: true } as const
    const argv = (await inside?.place(start))?.argv
    if (!argv) throw new Error('There is no sandbox here')
    expect(await run({ argv, cwd: ground.workspace })).toMatchObject({
      exitCode: 7,
      said: expect.stringContaining('/bin/bash 0'),
    })
    await ground.remove()
  })

  it.runIf(hasSshd)('runs over ssh, in a terminal and between pipes, and leaves no file there', async () => {
    const sshd = await startSshd({ home, tmuxFolder: home })
    sshd.shim(shim)
    const backend = await openShellNode({ kind: 'ssh', ...sshd.target }, { id: 'box', env })
    const before = leftThere()
    other = createDirectNode({ id: 'box', shell: backend.shell, localNode, info })
    const argv = ['/bin/bash', '-lc', longCommand(bytes)] as const
    expect(await run({ argv, node: 'box' })).toEqual({ exitCode: 7, said: '/bin/bash 0 4\nterminal\n' })
    expect(await run({ argv, node: 'box', tty: null })).toEqual({ exitCode: 7, said: '/bin/bash 0 4\n' })
    const sent = await staged(backend.shell, longCommand(bytes))
    expect(await run({ argv: backend.argv(sent), tty: null })).toMatchObject({ exitCode: 7 })
    expect(leftThere()).toEqual(before)
    await backend.close()
    await sshd.stop()
  })

  it('runs in a container', async () => {
    // Like an engine: runs what follows the container's name.
    shim('docker', '[ "$1" = exec ] || exit 0; shift; while [ "$1" != web ]; do shift; done; shift; exec "$@"')
    const backend = await openShellNode({ kind: 'container', name: 'web', engine: 'docker' }, { id: 'box', env })
    other = createDirectNode({ id: 'box', shell: backend.shell, localNode, info })
    const argv = ['/bin/bash', '-lc', longCommand(bytes)] as const
    expect(await run({ argv, node: 'box', tty: null })).toEqual({ exitCode: 7, said: '/bin/bash 0 4\n' })
    expect(await run({ argv: backend.argv(longCommand(bytes)), tty: null })).toMatchObject({ exitCode: 7 })
    await backend.close()
  })

  it('runs in a window of tmux and in a shared pane', async () => {
    const shell = localShell(env)
    other = createTmuxNode({ id: 'box', shell, session: 'long', localNode, info, onOutOfReach() {} })
    const argv = ['/bin/bash', '-lc', longCommand(bytes)] as const
    expect(await run({ argv, node: 'box' })).toMatchObject({
      exitCode: 7,
      said: expect.stringContaining('/bin/bash 0'),
    })
    const backend = await openShellNode({ kind: 'local', tmux: 'pane' }, { id: 'local', env })
    const done = await backend.paneFor(home)?.run(longCommand(bytes), { timeoutMs: 40_000 })
    expect(done).toMatchObject({ exitCode: 7 })
    await backend.close()
  })
})

describe.runIf(process.platform === 'linux')('what cannot be handed to a program', () => {
  const long = 'x'.repeat(200_000)

  it('is refused in words: an argument, a variable, all of it together', async () => {
    await expect(run({ argv: ['/bin/echo', long] })).rejects.toThrow(
      'An argument of /bin/echo has 200 kB, and the system takes at most 128 kB for one. Put it into a file',
    )
    await expect(run({ argv: ['/bin/true'], env: { BIG: long } })).rejects.toThrow(
      'The environment variable BIG has 200 kB, and the system takes at most 128 kB for one',
    )
    await expect(run({ argv: ['/bin/sh', '-c', `: ${'x'.repeat(7_000_000)}`] })).rejects.toThrow(
      'The command and its environment have 70',
    )
    expect(await run({ argv: ['/bin/echo', 'still works'] })).toMatchObject({ exitCode: 0, said: 'still works\n' })
  })

  it('is left alone where it is short, or where nothing is known of the program', () => {
    for (const argv of [['bash', '-lc', 'x'.repeat(100_000)] as const, ['python3', '-c', long] as const])
      expect(withShortArguments(argv)).toBe(argv)
  })
})

const leftThere = (): string[] => readdirSync('/tmp').filter((name) => /^deckhand-[0-9a-f-]{36}\.sh$/.test(name))

/** Replaces a program. */
function shim(name: string, body: string): void {
  const bin = join(home, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`)
  chmodSync(join(bin, name), 0o755)
  env.PATH = `${bin}${delimiter}${process.env.PATH}`
}
