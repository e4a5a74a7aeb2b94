import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startPodman } from '../../../conformance/podman'
import type { BackendPlace } from '../../../src-preload/contract/backends'
import { commandEnv } from '../command-env'
import { openShellNode } from './open-node'
import { hasSshd, startSshd, type TestSshd } from './test-sshd'

/** The error messages for a user who cannot connect. */

let home: string
let env: Record<string, string>
let sshd: TestSshd | null = null

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'deckhand-trouble-'))
  mkdirSync(join(home, 'bin'))
  env = commandEnv(process.env, { TMUX_TMPDIR: home, PATH: `${join(home, 'bin')}${delimiter}${process.env.PATH}` })
})
afterEach(async () => {
  await sshd?.stop()
  sshd = null
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

const program = (name: string, body: string) => {
  writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${body}\n`)
  chmodSync(join(home, 'bin', name), 0o755)
}
const trouble = (place: BackendPlace): Promise<string> =>
  openShellNode(place, { id: 'box', env }).then(
    async (backend) => {
      await backend.close()
      return 'connected'
    },
    (error: Error) => error.message,
  )

test.skipIf(!hasSshd)(
  'an ssh host that is not there, that does not listen, and that refuses the key',
  async () => {
    expect(await trouble({ kind: 'ssh', host: 'me@nosuch.invalid' })).toMatch(
      /^ssh me@nosuch\.invalid: .*Could not resolve hostname.* — Check the name/,
    )
    sshd = await startSshd({ home, tmuxFolder: home })
    sshd.shim(program)
    const { target } = sshd
    writeFileSync(join(home, 'sshd/authorized'), '')
    expect(await trouble({ kind: 'ssh', ...target })).toMatch(/Permission denied.* — The host refused the key/)
    const known = `[127.0.0.1]:${target.port} ${execFileSync('cat', [join(home, 'sshd/user.pub')])}`
    writeFileSync(join(home, 'sshd/known'), known)
    expect(await trouble({ kind: 'ssh', ...target })).toMatch(
      /Host key verification failed.* — The host has another key/,
    )
    await sshd.stop()
    expect(await trouble({ kind: 'ssh', ...target })).toMatch(/Connection refused.* — The machine is there/)
    sshd = null
  },
  120_000,
)

test('a container that is not there, that is stopped, or that has no tmux', async ({ skip }) => {
  const container = startPodman()
  if (typeof container === 'string') return skip(container)
  const { name } = container
  try {
    expect(await trouble({ kind: 'container', name: `${name}-not`, engine: 'podman' })).toBe(
      `There is no container ${name}-not in podman — check the name with podman ps -a.`,
    )
    expect(await trouble({ kind: 'container', name, engine: 'podman' })).toBe('connected')
    spawnSync('podman', ['exec', name, 'rm', '/usr/bin/tmux'])
    expect(await trouble({ kind: 'container', name, engine: 'podman', tmux: true })).toBe(
      `There is no tmux on container:${name}`,
    )
    spawnSync('podman', ['stop', '-t', '0', name])
    expect(await trouble({ kind: 'container', name, engine: 'podman' })).toBe(
      `The container ${name} does not run (exited) — podman start ${name} would change that.`,
    )
  } finally {
    container.stop()
  }
}, 180_000)

test('a container of an engine that says nothing more', async () => {
  program('kubectl', 'echo "pods \\"web\\" not found" >&2; exit 1')
  expect(await trouble({ kind: 'container', name: 'web', engine: 'kubectl' })).toBe(
    'container:web: pods "web" not found',
  )
}, 60_000)
