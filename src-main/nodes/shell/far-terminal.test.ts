import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder, removeFolder, writeProgram } from '../../test-folder'
import { commandEnv } from '../command-env'
import { openInProcessHost } from '../host-link'
import { createLocalNode } from '../local'
import type { HostInfo, Node } from '../node'
import type { StartRequest } from '../process-table'
import { openTestTable } from '../test-table'
import { createDirectNode } from './direct-node'
import { openShellNode } from './open-node'
import type { ShellNode } from './shell-node'
import { hasSshd, startSshd, type TestSshd } from './test-sshd'

/** Local terminals that only connect to a remote one: what is hidden there must not be reported here. */

let home: string
let env: Record<string, string>
let sshd: TestSshd | null = null
let backend: ShellNode | null = null

const info: HostInfo = { os: 'linux', hostname: 'box', envKeys: [], shell: '/bin/sh' }
const question =
  'stty -echo; printf "password: "; read hidden; stty echo; echo; echo "got $hidden"; printf "name: "; read name'

beforeEach(() => {
  home = makeFolder('far')
  env = commandEnv(process.env, { HOME: home, TMUX_TMPDIR: home, SHELL: '/bin/sh' })
})
afterEach(async () => {
  await backend?.close()
  await sshd?.stop()
  sshd = backend = null
  execFileSync('sh', ['-c', 'tmux kill-server 2>/dev/null || true'], { env })
  removeFolder(home)
})

/** Types as the user, and returns what the agent is told. */
async function ask(request: Partial<StartRequest>, makeNode?: (local: ReturnType<typeof createLocalNode>) => Node) {
  const localNode = createLocalNode({ openHost: openInProcessHost, env })
  const node = makeNode?.(localNode)
  const table = openTestTable(join(home, 'logs'), { nodes: [localNode], ...(node && { otherNode: () => node }) })
  const typed: string[] = []
  table.onTyped((_, text) => typed.push(text))
  const { id } = await table.start({
    ...{ sessionId: 's', callId: null, command: 'x', argv: ['sh', '-c', question], cwd: home },
    ...{ background: false, byUser: true },
    ...(node && { node: node.id }),
    ...request,
  })
  const { port1, port2 } = new MessageChannel()
  localNode.attachPane({ id, logPath: table.logPath(id), exit: null }, port1)
  const user = (keys: string) => {
    for (const data of keys) port2.postMessage({ type: 'input', data })
  }
  return {
    table,
    id,
    typed,
    user,
    async quit() {
      port2.close()
      await table.close()
    },
  }
}

async function answer(pane: Awaited<ReturnType<typeof ask>>): Promise<void> {
  const { table, id, user, typed } = pane
  const secret = () => table.get(id)?.secretInput
  await expect.poll(secret, { timeout: 30_000 }).toBe(true)
  await expect(table.write(id, 'guess\r')).rejects.toMatchObject({ kind: 'secret-input' })
  user('sesame\r')
  await expect.poll(() => table.tail(id), { timeout: 30_000 }).toContain('got sesame')
  await expect.poll(secret, { timeout: 30_000 }).toBe(false)
  user('Ada\r')
  await expect.poll(() => typed.join(''), { timeout: 30_000 }).toContain('Ada')
  expect(typed).toEqual(['', 'Ada\n'])
}

test.skipIf(!hasSshd)(
  'over ssh without tmux',
  async () => {
    sshd = await startSshd({ home, tmuxFolder: home })
    mkdirSync(join(home, 'bin'))
    sshd.shim((name, body) => writeProgram(join(home, 'bin', name), body))
    env.PATH = `${join(home, 'bin')}${delimiter}${env.PATH}`
    backend = await openShellNode({ kind: 'ssh', ...sshd.target }, { id: 'box', env })
    const { shell } = backend
    const pane = await ask({}, (localNode) => createDirectNode({ id: 'box', shell, localNode, info }))
    await answer(pane)
    expect(await pane.table.wait(pane.id, 20_000)).toBe('exited')
    await pane.quit()
  },
  120_000,
)

test('in a pane of tmux that is looked at', async () => {
  backend = await openShellNode({ kind: 'local', tmux: 'looked-at' }, { id: 'tmux', env })
  const shared = backend.paneFor(home)
  if (!shared) throw new Error('There is no pane')
  const pane = await ask({ argv: await shared.attach(), farTerminal: shared.terminal() })
  await expect.poll(() => pane.table.tail(pane.id), { timeout: 20_000 }).toContain('looked-at')
  await shared.dispatch(question)
  await answer(pane)
  await pane.quit()
}, 120_000)
