import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ProcessInfo } from '../../../src-preload/contract/processes'
import { commandEnv } from '../command-env'
import { openInProcessHost } from '../host-link'
import { createLocalNode } from '../local'
import type { HostInfo, Node } from '../node'
import { createProcessTable, type ProcessTable } from '../process-table'
import { createDirectNode } from '../shell/direct-node'
import { localShell } from '../shell/remote-shell'
import { createTmuxNode, type TmuxNode } from './tmux-node'

let home: string
let env: Record<string, string>
let rows: Map<string, ProcessInfo>

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'deckhand-tmux-node-'))
  env = commandEnv(process.env, { HOME: home, TMUX_TMPDIR: home, SHELL: '/bin/sh' })
  rows = new Map()
})
afterEach(() => {
  execFileSync('sh', ['-c', 'tmux kill-server 2>/dev/null || true'], { env })
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

/** The part of the app that deals with processes, from start to end. */
function startApp(make: (localNode: ReturnType<typeof createLocalNode>, table: () => ProcessTable) => Node) {
  const localNode = createLocalNode({ openHost: openInProcessHost })
  const table = createProcessTable({
    nodes: [localNode],
    otherNode: (id) => (id === 'box' ? node : undefined),
    logDir: join(home, 'logs'),
    save: (row) => rows.set(row.id, { ...row }),
    load: () => [...rows.values()],
    publish: () => {},
  })
  const node: Node = make(localNode, () => table)
  return {
    table,
    node,
    localNode,
    run: (command: string, tty: null | undefined = undefined) =>
      table.start({
        sessionId: 's',
        callId: null,
        command,
        argv: ['sh', '-c', command],
        cwd: home,
        env: { GREETING: "it's" },
        node: 'box',
        background: false,
        byUser: false,
        ...(tty === null && { tty }),
      }),
    async quit() {
      await node.close()
      await table.close()
    },
  }
}

const info: HostInfo = { os: 'linux', hostname: 'box', envKeys: [], shell: '/bin/sh' }

const withTmux = () =>
  startApp((localNode, table) =>
    createTmuxNode({
      id: 'box',
      shell: localShell(env),
      session: 'buddy-node',
      localNode,
      info,
      onOutOfReach: (id) => table().detach(id),
    }),
  )

test('a process runs in a window of tmux, and its output and code are those of a terminal of ours', async () => {
  const app = withTmux()
  const { id } = await app.run('printf "%s\\n" "$GREETING"; pwd; test -t 1 && echo terminal; printf ü漢🚢; exit 5')
  expect(await app.table.wait(id, 20_000)).toBe('exited')
  expect(app.table.get(id)).toMatchObject({ node: 'box', status: 'exited', exitCode: 5, link: 'up' })
  expect((await app.table.output(id, { maxChars: 1000 })).text).toBe(`it's\n${home}\nterminal\nü漢🚢`)
  await app.quit()
}, 60_000)

test('nothing of a megabyte is lost or wrapped', async () => {
  const app = withTmux()
  const { id } = await app.run('seq 1 150000')
  expect(await app.table.wait(id, 40_000)).toBe('exited')
  const expected = Array.from({ length: 150_000 }, (_, index) => `${index + 1}\r\n`).join('')
  expect(readFileSync(app.table.logPath(id), 'utf8') === expected).toBe(true)
  await app.quit()
}, 90_000)

test('what is typed arrives, a password stays between the user and the program, and a kill ends it', async () => {
  const app = withTmux()
  const { id } = await app.run('read line; echo "got $line"; stty -echo; read hidden; stty echo; echo; sleep 100')
  const tail = () => app.table.tail(id)
  await app.table.write(id, 'häl lo\r')
  await expect.poll(tail, { timeout: 20_000 }).toContain('got häl lo')
  await expect
    .poll(() => app.table.write(id, 'guess').catch((error) => error.kind), { timeout: 20_000 })
    .toBe('secret-input')
  app.table.signal(id, 'SIGKILL')
  expect(await app.table.wait(id, 20_000)).toBe('exited')
  expect(app.table.get(id)).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
  await app.quit()
}, 60_000)

/** Both kinds of node: what the process's row and the listeners get while the user types a password. */
test.each(['tmux', 'direct'] as const)(
  'the user alone answers a hidden question: %s',
  async (kind) => {
    const app =
      kind === 'tmux'
        ? withTmux()
        : startApp((localNode) => createDirectNode({ id: 'box', shell: localShell(env), localNode, info }))
    const typed: string[] = []
    app.table.onTyped((_, text) => typed.push(text))
    const { id } = await app.run(
      'printf "name: "; read name; stty -echo; printf "password: "; read hidden; stty echo; echo; echo "$name and $hidden"; read last',
    )
    const { port1, port2 } = new MessageChannel()
    app.localNode.attachPane({ id, logPath: app.table.logPath(id), exit: null }, port1)
    const user = (data: string) => port2.postMessage({ type: 'input', data })
    await expect.poll(() => app.table.tail(id), { timeout: 20_000 }).toContain('name: ')
    user('Ada\r')
    await expect.poll(() => app.table.get(id)?.secretInput, { timeout: 20_000 }).toBe(true)
    await expect(app.table.write(id, 'guess\r')).rejects.toMatchObject({ kind: 'secret-input' })
    for (const key of 'sesame\r') user(key)
    await expect.poll(() => app.table.tail(id), { timeout: 20_000 }).toContain('Ada and sesame')
    await expect.poll(() => app.table.get(id)?.secretInput, { timeout: 20_000 }).toBe(false)
    user('bye\r')
    expect(await app.table.wait(id, 20_000)).toBe('exited')
    expect(typed).toEqual(['Ada\n', '', 'bye\n'])
    port2.close()
    await app.quit()
  },
  60_000,
)

test('an interrupt is for the program, and its code comes back', async () => {
  const app = withTmux()
  const { id } = await app.run('trap "echo caught; exit 9" INT; echo ready; while :; do sleep 0.1; done')
  await expect.poll(() => app.table.tail(id), { timeout: 20_000 }).toContain('ready')
  await app.table.write(id, '\x03')
  expect(await app.table.wait(id, 20_000)).toBe('exited')
  expect(app.table.get(id)).toMatchObject({ exitCode: 9 })
  await app.quit()
}, 60_000)

test('it goes on while the app is away, is found again, and nothing is missing', async () => {
  const first = withTmux()
  const { id } = await first.run('echo one; read line; echo "two $line"; read line; echo "three $line"')
  await expect.poll(() => first.table.tail(id), { timeout: 20_000 }).toContain('one')
  await first.quit()
  const keys = (...words: string[]) =>
    execFileSync('tmux', ['send-keys', '-t', `buddy-node:p-${id.slice(0, 13)}`, ...words], { env })
  keys('while away', 'Enter')

  const second = withTmux()
  expect(second.table.get(id)).toMatchObject({ status: 'running', link: 'down' })
  const row = second.table.get(id) as ProcessInfo
  const resumed = await (second.node as TmuxNode).resume({ id, pid: row.pid, logPath: second.table.logPath(id) })
  if (!resumed) throw new Error('It was not found again')
  second.table.adopt(row, resumed)
  expect(second.table.get(id)).toMatchObject({ status: 'running', link: 'up' })
  await expect.poll(() => second.table.tail(id), { timeout: 20_000 }).toContain('two while away')
  expect((await second.table.screen(id)).rows.join('\n')).toContain('two while away')
  await second.table.write(id, 'here\r')
  expect(await second.table.wait(id, 20_000)).toBe('exited')
  expect((await second.table.output(id, { maxChars: 1000 })).text).toBe(
    'one\nwhile away\ntwo while away\nhere\nthree here\n',
  )
  await second.quit()
}, 60_000)

test('what is not there any more is said to be lost', async () => {
  const app = withTmux()
  expect(await (app.node as TmuxNode).resume({ id: 'no-such', pid: 1, logPath: join(home, 'none.log') })).toBe(null)
  await app.quit()
}, 60_000)

test('without tmux a process is a program that leads there, with its streams apart where they should be', async () => {
  const app = startApp((localNode) => createDirectNode({ id: 'box', shell: localShell(env), localNode, info }))
  const { id } = await app.run('echo "out $GREETING"; echo err >&2; exit 3', null)
  expect(await app.table.wait(id, 20_000)).toBe('exited')
  const { stdout, stderr } = await app.table.streams(id, { maxChars: 100, keep: 'head' })
  expect([app.table.get(id)?.exitCode, stdout.text, stderr.text]).toEqual([3, "out it's\n", 'err\n'])
  const sleeper = await app.run('echo up; sleep 100')
  await expect.poll(() => app.table.tail(sleeper.id), { timeout: 20_000 }).toContain('up')
  app.table.kill(sleeper.id)
  expect(await app.table.wait(sleeper.id, 20_000)).toBe('exited')
  await app.quit()
}, 60_000)
