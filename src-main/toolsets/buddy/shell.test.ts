import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { commandEnv } from '../../nodes/command-env'
import { openInProcessHost } from '../../nodes/host-link'
import { createLocalNode } from '../../nodes/local'
import type { ProcessTable } from '../../nodes/process-table'
import { localShellNode, openShellNode } from '../../nodes/shell/open-node'
import type { ShellNode } from '../../nodes/shell/shell-node'
import { hasSshd, startSshd } from '../../nodes/shell/test-sshd'
import { openTestTable } from '../../nodes/test-table'
import { thisMachine } from '../../tools/terminals/panes'
import { testContext } from '../../tools/test-context'
import { createRunShell } from './shell'

let root = ''
let env: Record<string, string>
let table: ProcessTable
let place: ReturnType<typeof localShellNode>

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-shared-'))
  env = commandEnv(process.env, { HOME: root, TMUX_TMPDIR: root, SHELL: '/bin/sh' })
  place = localShellNode({ id: 'local', env }, 'shared-test')
  table = openTestTable(join(root, 'logs'), {
    nodes: [
      createLocalNode({
        openHost: openInProcessHost,
        env: { ...env, PATH: `${join(root, 'bin')}${delimiter}${env.PATH}` },
      }),
    ],
  })
})
afterAll(async () => {
  await table.close()
  spawnSync('tmux', ['kill-server'], { env })
  await place.close()
  rmSync(root, { recursive: true, force: true })
})

const context = testContext(tmpdir())
const shellAt = (backend: ShellNode, settings: { confirm?: boolean; denied?: string[]; watched?: boolean } = {}) => {
  const { confirm = false, denied = [], watched = false } = settings
  return createRunShell({ table, machine: () => backend, confirm: () => confirm, denied: () => denied, watched })
}

test('what runs in the shared pane is watched in the deck, in one terminal for the session', async () => {
  const shell = shellAt(place, { watched: true })
  const { display } = await shell.run({ command: 'echo seen-$((40 + 2)); exit 3' }, context)
  expect(display).toMatchObject({ type: 'process', exitCode: 3, tail: 'seen-42\n' })
  const [row, ...others] = table.list('s')
  expect(others).toEqual([])
  expect(row).toMatchObject({ command: 'tmux attach -t shared-test', title: 'local: shared terminal', byUser: true })
  const screen = async () => (await table.screen(row?.id ?? '')).rows.join('\n')
  await vi.waitFor(async () => expect(await screen()).toContain('seen-42'), { timeout: 30_000 })

  const left = await shell.run({ command: 'echo left-$((4 + 3))', wait: false }, context)
  expect(left.display).toEqual({ type: 'process', processId: row?.id, command: 'echo left-$((4 + 3))' })
  await vi.waitFor(async () => expect(await screen()).toContain('left-7'), { timeout: 30_000 })
  expect(table.list('s')).toHaveLength(1)
})

test('where nobody watches, no terminal is opened for it', async () => {
  const { display } = await shellAt(place).run({ command: 'echo unseen' }, { ...context, sessionId: 'alone' })
  expect(display).toEqual({ type: 'text', text: 'unseen\n' })
  expect(table.list('alone')).toEqual([])
})

test.skipIf(!hasSshd)(
  'a lost connection is opened again, once, before a command without a pane',
  async () => {
    const sshd = await startSshd({ home: root, tmuxFolder: root })
    const bin = join(root, 'bin')
    mkdirSync(bin)
    sshd.shim((name, body) => writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 }))
    const far = await openShellNode(
      { kind: 'ssh', ...sshd.target },
      { id: 'box', env: { ...env, PATH: `${bin}${delimiter}${env.PATH}` } },
    )
    try {
      const shell = shellAt({ ...far, kind: 'ssh', hasPane: false })
      sshd.dropConnections()
      await vi.waitFor(async () => expect(await far.shell.check()).toBe(false), { timeout: 30_000 })
      const before = sshd.connections()
      for (const word of ['one', 'two']) {
        const { content } = await shell.run({ command: `echo ${word}` }, context)
        expect(content).toMatchObject([{ text: expect.stringContaining(`exit code: 0\nstdout:\n${word}`) }])
      }
      expect(sshd.connections()).toBe(before + 1)
    } finally {
      await far.close()
      await sshd.stop()
    }
  },
  120_000,
)

test('to the gate, what runs in a pane is typed, and a setting makes every command ask', () => {
  const access = (shell: ReturnType<typeof shellAt>, input: object) => shell.access(shell.parse(input), context)
  const { workspace } = context
  const plain = { action: 'exec', node: 'local', command: 'ls', cwd: workspace, workspace, shell: 'sh' }
  expect(access(shellAt(thisMachine), { command: 'ls' })).toEqual({ ...plain, cageable: true })
  expect(access(shellAt(thisMachine), { command: 'ls', wait: false })).toMatchObject({ typed: true })
  expect(access(shellAt(place), { command: 'ls' })).toEqual({ ...plain, typed: true, typedInto: 'shell' })
  expect(access(shellAt(thisMachine, { confirm: true }), { command: 'ls' })).toHaveProperty('flagged')
  expect(() => access(shellAt(thisMachine, { denied: ['mkfs'] }), { command: 'sudo mkfs /dev/sda' })).toThrow('mkfs')
})
