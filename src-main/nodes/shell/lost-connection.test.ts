import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openEngine } from '../../compose/test-engine'
import type { Engine } from '../../engine'
import { makeFolder, removeFolder, writeProgram } from '../../test-folder'
import { hasSshd, startSshd, type TestSshd } from './test-sshd'

let home: string
let sshd: TestSshd
let engine: Engine
let isOpen = false
const started = new Set<string>()
/** The links of processes that were announced, in order. */
let links: (string | undefined)[] = []
const before = { PATH: process.env.PATH, TMUX_TMPDIR: process.env.TMUX_TMPDIR }

const open = async () => {
  engine = await openEngine(join(home, 'data'))
  isOpen = true
  links = []
  engine.subscribe((event) => {
    if (event.type === 'process') links.push(event.process.link)
  })
}
const close = async () => {
  if (isOpen) for (const { id } of engine.table.list()) started.add(id)
  if (isOpen) await engine.close()
  isOpen = false
}
const start = async (options: { path?: string } = {}) => {
  sshd = await startSshd({ home: join(home, 'there'), tmuxFolder: home, ...options })
  sshd.shim((name, body) => writeProgram(join(home, 'bin', name), body))
  await open()
}
beforeEach(() => {
  home = makeFolder('lost')
  for (const folder of ['data', 'there', 'bin']) mkdirSync(join(home, folder))
  Object.assign(process.env, { PATH: `${join(home, 'bin')}${delimiter}${before.PATH}`, TMUX_TMPDIR: home })
})
afterEach(async () => {
  await close()
  await sshd?.stop()
  // A host that is gone for good takes its files with it.
  for (const id of started) rmSync(`/tmp/deckhand-${id}.pid`, { force: true })
  spawnSync('tmux', ['kill-server'])
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  removeFolder(home)
})

/** A PATH with every program except tmux. */
const withoutTmux = () => {
  const bin = join(home, 'no-tmux')
  mkdirSync(bin)
  for (const name of [
    'sh',
    'cat',
    'sleep',
    'echo',
    'rm',
    'tty',
    'uname',
    'env',
    'sed',
    'tail',
    'head',
    'wc',
    'stty',
    'touch',
    'kill',
  ])
    symlinkSync(
      execFileSync('sh', ['-c', `command -v ${name} | grep / || echo /bin/${name}`], { encoding: 'utf8' }).trim(),
      join(bin, name),
    )
  return bin
}
/** Like `deckhand call`. */
const call = async (toolset: string, name: string, args: object) => {
  const session = engine.createSession({ workspace: home, mode: 'all', toolset })
  const options = { signal: new AbortController().signal, maxResultBytes: 100_000 }
  const outcome = await engine.runner.call(session.id, name, JSON.stringify(args), options)
  const [first] = outcome.content
  return { ...outcome, text: first?.type === 'text' ? first.text : '' }
}
/** What the host still stores about a command that ran without tmux; `null` if nothing. */
const exitCodeOf = (id: string): string | null => {
  const file = `/tmp/deckhand-${id}.pid`
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
/** The same installation, but without any record of its processes. */
const forgetAll = () => {
  for (const name of ['deckhand.db', 'deckhand.db-wal', 'deckhand.db-shm'])
    rmSync(join(home, 'data', name), { force: true })
}
const there = (path: string) => join(home, 'there', path)
const began = (path: string) => expect.poll(() => existsSync(there(path)), { timeout: 30_000 }).toBe(true)
/** It runs and its output arrives here, so the connection that is cut is the one it depends on. */
const isHeard = async () => {
  await began('begun')
  await expect.poll(() => engine.table.list()[0]?.bytes, { timeout: 30_000 }).toBeGreaterThan(0)
}
/** A command that starts when connected, and ends when told to. */
const waiting = (exitCode: number) =>
  `echo here; touch begun; while [ -e begun ] && [ ! -e go ]; do sleep 0.1; done; echo survived; exit ${exitCode}`

describe.skipIf(!hasSshd)('a connection that is lost under a command', () => {
  test('is made again, and the command in tmux is found with its output and its exit code', async () => {
    await start()
    await engine.shellNodes.use({ kind: 'ssh', ...sshd.target }, false)
    const running = call('deckhand', 'Bash', { command: waiting(7) })
    await isHeard()
    sshd.dropConnections()
    await expect.poll(() => links, { timeout: 30_000 }).toContain('down')
    writeFileSync(there('go'), '')
    const { text } = await running
    expect(JSON.parse(text)).toMatchObject({ exitCode: 7, output: expect.stringContaining('survived') })
  }, 90_000)

  test('without tmux, how the command ended is learnt when the connection is back', async () => {
    await start({ path: withoutTmux() })
    await engine.shellNodes.use({ kind: 'ssh', ...sshd.target }, false)
    expect(engine.shellNodes.current().kind).toBe('ssh')
    const running = call('deckhand', 'Bash', { command: `trap '' HUP; ${waiting(255)}` })
    await isHeard()
    sshd.dropConnections()
    await expect.poll(() => links, { timeout: 30_000 }).toContain('down')
    expect(engine.table.list()[0]).toMatchObject({ status: 'running', exitCode: null })
    writeFileSync(there('go'), '')
    expect(JSON.parse((await running).text)).toMatchObject({ exitCode: 255 })
    // While the connection is up, 255 is an exit code like any other.
    expect(JSON.parse((await call('deckhand', 'Bash', { command: 'exit 255' })).text)).toMatchObject({
      status: 'failed',
      exitCode: 255,
    })
  }, 90_000)

  test.each([{ tmux: true }, { tmux: false }])(
    'with a host that stays away it is said that the command may still run: $tmux',
    async ({ tmux }) => {
      const host = tmux ? {} : { path: withoutTmux() }
      await start(host)
      await engine.shellNodes.use({ kind: 'ssh', ...sshd.target }, false)
      const running = call('deckhand', 'Bash', { command: waiting(0) })
      await isHeard()
      await sshd.stop()
      const lost = await running
      expect(lost).toMatchObject({ isError: true, error: { kind: 'ExecutionFailed' } })
      expect(lost.error?.message).toMatch(/connection to .* was lost.*may still be running/i)
      expect(engine.table.list()[0]).toMatchObject({ status: 'running', link: 'down', exitCode: null })
      // The host disappears between two calls: each gets an answer.
      for (const [name, args] of [
        ['Bash', { command: 'true' }],
        ['Read', { path: 'x' }],
        ['Glob', { pattern: '*' }],
      ] as const)
        expect(await call('deckhand', name, args)).toMatchObject({ isError: true, error: { kind: expect.any(String) } })
      writeFileSync(there('go'), '')
      if (tmux) return
      const [id = ''] = engine.table.list().map((each) => each.id)
      await expect.poll(() => exitCodeOf(id), { timeout: 20_000 }).toMatch(/^ended 0 /)
      await close()
      // The file of an installation that may still come back is kept.
      const strange = join('/tmp', `deckhand-${id}-strange.pid`)
      writeFileSync(strange, `ended 0 other ${process.pid}\n`)
      try {
        rmSync(join(home, 'there', 'sshd'), { recursive: true })
        forgetAll()
        await start(host)
        await engine.shellNodes.use({ kind: 'ssh', ...sshd.target }, false)
        expect({ ours: exitCodeOf(id), strange: existsSync(strange) }).toEqual({ ours: null, strange: true })
      } finally {
        rmSync(strange)
      }
    },
    120_000,
  )

  test.each([{ tmux: true }, { tmux: false }])(
    'says so in the vocabulary of buddy too: $tmux',
    async ({ tmux }) => {
      await start(tmux ? {} : { path: withoutTmux() })
      await engine.shellNodes.use({ kind: 'ssh', ...sshd.target }, false)
      const running = call('buddy', 'run_shell', { command: `cd ${join(home, 'there')}; ${waiting(0)}` })
      await began('begun')
      await sshd.stop()
      expect((await running).error?.message).toMatch(/connection to ssh .* was lost.*may still be running/i)
      expect(await call('buddy', 'run_shell', { command: 'true' })).toMatchObject({ isError: true })
      expect(await call('buddy', 'read_file', { path: '/etc/hosts' })).toMatchObject({ isError: true })
      writeFileSync(there('go'), '')
    },
    120_000,
  )
})

test.skipIf(!hasSshd)(
  'a node that was added is worked on by its name, and what the window left there goes on',
  async () => {
    await start()
    await engine.shellNodes.add({ kind: 'ssh', ...sshd.target }, 'box')
    await call('deckhand', 'Bash', { node: 'box', command: 'echo $$ >pid; exec sleep 1000', background: true })
    await began('pid')
    await close()
    await open()
    await engine.shellNodes.choose('box', false)
    expect(JSON.parse((await call('deckhand', 'Bash', { command: 'pwd' })).text)).toMatchObject({
      output: `${join(home, 'there')}\n`,
    })
    await close()
    process.kill(Number(readFileSync(there('pid'), 'utf8')), 0)
    expect(windows().some((name) => name.startsWith('p-'))).toBe(true)
  },
  90_000,
)

const sessions = (): string[] =>
  (spawnSync('tmux', ['list-sessions', '-F', '#{session_name}'], { encoding: 'utf8' }).stdout ?? '')
    .split('\n')
    .filter(Boolean)
const windows = (): string[] =>
  (spawnSync('tmux', ['list-windows', '-a', '-F', '#{window_name}'], { encoding: 'utf8' }).stdout ?? '')
    .split('\n')
    .filter(Boolean)

describe.skipIf(!hasSshd)('what is left on a host', () => {
  test('nothing, when a run ends: neither sessions nor what it started in the background', async () => {
    await start()
    await engine.shellNodes.use({ kind: 'ssh', ...sshd.target }, false)
    await call('buddy', 'run_shell', { command: 'true' })
    await call('deckhand', 'Bash', { command: 'echo $$ >pid; exec sleep 1000', background: true })
    await began('pid')
    expect(sessions().length).toBe(2)
    await close()
    expect(sessions()).toEqual([])
    const pid = Number(readFileSync(there('pid'), 'utf8'))
    await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 20_000 }).toBe(false)
  }, 90_000)

  test('nothing, when a run without tmux ends: not even exit codes', async () => {
    await start({ path: withoutTmux() })
    await engine.shellNodes.use({ kind: 'ssh', ...sshd.target }, false)
    await call('deckhand', 'Bash', { command: 'echo $$ >pid; exec sleep 1000', background: true })
    await began('pid')
    const [id = ''] = engine.table.list().map((each) => each.id)
    expect(exitCodeOf(id)).toMatch(/^\d+ /)
    await close()
    const pid = Number(readFileSync(there('pid'), 'utf8'))
    await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 20_000 }).toBe(false)
    expect(exitCodeOf(id)).toBe(null)
  }, 90_000)

  test('a session in which something runs, and those of others, are left alone', async () => {
    await start()
    await engine.shellNodes.use({ kind: 'ssh', ...sshd.target }, false)
    spawnSync('tmux', ['new-session', '-d', '-s', 'buddy-mine', '-n', 'buddy-shared'])
    await call('buddy', 'run_shell', { command: 'sleep 1000', wait: false })
    await close()
    expect(sessions().length).toBe(2)
    expect(sessions()).toContain('buddy-mine')
  }, 90_000)

  test('what a run could not tidy away is ended by the next that connects', async () => {
    await start()
    await engine.shellNodes.use({ kind: 'ssh', ...sshd.target }, false)
    await call('buddy', 'run_shell', { command: 'true' })
    await call('deckhand', 'Bash', { command: 'exec sleep 1000', background: true })
    spawnSync('tmux', ['new-session', '-d', '-s', 'mine'])
    // As if its process had been killed: nothing was cleaned up, and the pid is no longer in use.
    const dead = spawnSync('true').pid
    for (const session of sessions()) {
      if (session !== 'mine') spawnSync('tmux', ['set-option', '-t', `=${session}:`, '@deckhand_pid', String(dead)])
    }
    for (const id of spawnSync('tmux', ['list-windows', '-a', '-F', '#{window_id} #{@deckhand_id}'], {
      encoding: 'utf8',
    }).stdout.matchAll(/^(@\d+) \S+$/gm))
      spawnSync('tmux', ['set-option', '-w', '-t', id[1] ?? '', '@deckhand_window_pid', String(dead)])
    await sshd.stop()
    await close()
    expect(windows().some((name) => name.startsWith('p-'))).toBe(true)
    rmSync(join(home, 'there', 'sshd'), { recursive: true })
    forgetAll()
    const { user, port } = { user: sshd.target.host, port: sshd.target.port }
    await start()
    expect(sshd.target).not.toMatchObject({ host: user, port })
    await engine.shellNodes.use({ kind: 'ssh', ...sshd.target }, false)
    expect(sessions()).toEqual(['mine'])
  }, 90_000)

  test('two workspaces have a pane each', async () => {
    await start()
    await engine.shellNodes.use({ kind: 'ssh', ...sshd.target }, false)
    const machine = engine.shellNodes.current()
    const [one, two] = [machine.paneFor('/one'), machine.paneFor('/two')]
    await one?.run('cd /; true')
    const panes = await Promise.all(
      [one, two].map(async (pane) => (await pane?.run('echo $TMUX_PANE'))?.stdout.toString()),
    )
    expect(new Set(panes).size).toBe(2)
    expect(machine.paneFor('/one')).toBe(one)
  }, 90_000)
})
