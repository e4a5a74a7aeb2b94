import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { groupRoot, makeGroup, removeEmptyGroups } from '../pty-host/control-group'
import { startForkServer } from '../pty-host/fork-server'
import type { Terminal } from '../pty-host/native-pty'
import { looksTaken } from '../pty-host/process-list'
import { markOf } from '../pty-host/process-mark'
import { createGround } from '../sandbox/test-ground'
import { endStarted } from './end-processes'
import type { ProcessTable, StartRequest } from './process-table'
import { openTestTable, shellRequest } from './test-table'

let dir: string
let table: ProcessTable

const openTable = (): ProcessTable => openTestTable(join(dir, 'logs'))

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'deckhand-end-'))
  table = openTable()
})
afterEach(async () => {
  await table.close()
  rmSync(dir, { recursive: true, force: true })
})

const request = (command: string, more: Partial<StartRequest> = {}): StartRequest => shellRequest(command, dir, more)

/** The pids of all processes whose command line contains the word. */
const withWord = (word: string): number[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const [state] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1) ?? ''
      return state !== 'Z' && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(word) ? [Number(name)] : []
    } catch {
      return [] // No process, or one that has just ended.
    }
  })

const until = (check: () => unknown): Promise<void> => expect.poll(check, { timeout: 30_000 }).toBeTruthy()

/** Programs that detach from whoever started them, each with the word in its command line. */
const programs: Record<string, (word: string) => string> = {
  'a plain child': (word) => `sh -c 'while :; do sleep 1; done' ${word} & wait`,
  'a child in a session of its own': (word) => `setsid sh -c 'while :; do sleep 1; done' ${word} & wait`,
  'a daemon by two forks': (word) =>
    `( setsid sh -c 'while :; do sleep 1; done' ${word} >/dev/null 2>&1 & ) ; sleep 600`,
  'a program deaf to SIGTERM and SIGHUP': (word) => `sh -c 'trap "" TERM HUP; while :; do sleep 1; done' ${word}`,
  'a daemon without an environment': (word) =>
    `( env -i /usr/bin/setsid /bin/sh -c 'trap "" TERM; while :; do sleep 1; done' ${word} >/dev/null 2>&1 & ) ; sleep 600`,
  // Without a control group nothing tells which call it belongs to.
  ...(groupRoot() !== null && {
    'a daemon without a mark and an environment': (word: string) =>
      `( prlimit --locks=unlimited env -i /usr/bin/setsid /bin/sh -c 'trap "" TERM; while :; do sleep 1; done' ${word} >/dev/null 2>&1 & ) ; sleep 600`,
  }),
  'a program started by nohup': (word) => `nohup sh -c 'while :; do sleep 1; done' ${word} >/dev/null 2>&1 & sleep 600`,
}

const ways: Record<string, (id: string) => unknown> = {
  terminate: (id) => table.terminate(id),
  kill: (id) => table.kill(id),
  'a signal, and a second one that cannot be refused': (id) => {
    table.signal(id, 'SIGTERM')
    table.signal(id, 'SIGKILL')
  },
  'the end of its session': () => table.endOf('s'),
  'closing the table': () => table.close(),
  'killing all at once': () => table.killAll(),
}

describe.runIf(process.platform === 'linux')('nothing outlives its end', () => {
  for (const [way, end] of Object.entries(ways)) {
    it(way, async () => {
      const started: { name: string; id: string; word: string }[] = []
      for (const [program, command] of Object.entries(programs)) {
        // The first one in a terminal is started by this process itself, the others by the fork server.
        for (const tty of [{ cols: 80, rows: 24 }, null]) {
          const word = `word-${randomUUID()}`
          const { id } = await table.start(request(command(word), { tty }))
          started.push({ name: `${program}, ${tty ? 'in a terminal' : 'by pipes'}`, id, word })
        }
      }
      for (const { word } of started) await until(() => withWord(word).length >= 2)
      for (const { id } of started) await end(id)
      await expect
        .poll(() => started.filter(({ word }) => withWord(word).length > 0).map(({ name }) => name), {
          timeout: 30_000,
        })
        .toEqual([])
    })
  }

  it('killing all at once ends a program whose start has not been answered yet', async () => {
    const word = `word-${randomUUID()}`
    const start = table.start(request(programs['a daemon by two forks']?.(word) ?? '')).catch(() => null)
    // Nothing can be answered while this thread sleeps.
    const sleep = new Int32Array(new SharedArrayBuffer(4))
    for (let tries = 0; tries < 500 && withWord(word).length < 2; tries++) Atomics.wait(sleep, 0, 0, 20)
    expect(withWord(word).length).toBeGreaterThanOrEqual(2)
    table.killAll()
    await until(() => withWord(word).length === 0)
    await start
  })

  it('in a sandbox, none of them outlives its end either', async ({ skip }) => {
    const ground = createGround()
    try {
      const sandboxed = await ground.sandbox.enter({ id: 's', workspace: ground.workspace })
      if (!sandboxed) return skip('there is no sandbox on this machine')
      const words: string[] = []
      const ids: string[] = []
      for (const command of Object.values(programs)) {
        const word = `word-${randomUUID()}`
        const start = { argv: ['/bin/sh', '-c', command(word)], cwd: ground.workspace, tty: false } as const
        const { argv } = await sandboxed.place(start)
        const { id } = await table.start(request(word, { argv, cwd: ground.workspace }))
        words.push(word)
        ids.push(id)
      }
      for (const word of words) await until(() => withWord(word).length >= 2)
      for (const [index, id] of ids.entries()) {
        if (index % 2 === 0) await table.terminate(id)
        else table.kill(id)
      }
      await expect.poll(() => words.filter((word) => withWord(word).length > 0), { timeout: 30_000 }).toEqual([])
    } finally {
      await ground.remove()
    }
  })

  it.runIf(groupRoot() !== null)('leaves no control groups behind', async () => {
    const ids: string[] = []
    const groups = () => ids.filter((id) => existsSync(join(groupRoot() ?? '', `deckhand-call-${markOf(id)}`)))
    const word = `word-${randomUUID()}`
    for (const tty of [{ cols: 80, rows: 24 }, { cols: 80, rows: 24 }, null]) {
      const { id } = await table.start(request(`(setsid sh -c 'sleep 600; :' ${word} &) ; sleep 600`, { tty }))
      ids.push(id)
      await until(() => withWord(word).length > 0)
      expect(groups()).toContain(id)
      await table.terminate(id)
      await until(() => withWord(word).length === 0)
    }
    await expect.poll(groups, { timeout: 30_000 }).toEqual([])
  })

  it.runIf(groupRoot() !== null)('leaves control groups to other apps that are about to use them', () => {
    const folder = groupRoot() ?? ''
    const path = makeGroup(randomUUID())
    const group = dirname(path ?? '')
    removeEmptyGroups(folder)
    expect(existsSync(group)).toBe(true)
    removeEmptyGroups(folder, Date.now() + 120_000)
    expect(existsSync(group)).toBe(false)
  })

  it('without control groups, a daemon that has lost its mark is found by its parent', async () => {
    const server = startForkServer({ groups: '' })
    if (!server) return
    const word = `word-${randomUUID()}`
    const daemon = `/bin/sh -c 'touch begun; while :; do sleep 1; done' ${word}`
    // It must have a session of its own first, or the end of the session's leader would end it.
    const command = `( prlimit --locks=unlimited env -i /usr/bin/setsid ${daemon} >/dev/null 2>&1 & ) ; until [ -e begun ]; do sleep 0.1; done`
    const spec = { id: 'x', argv: ['/bin/sh', '-c', command] as const, cwd: dir, env: {}, tty: null, logPath: '' }
    const opened: (Promise<Terminal> | null)[] = []
    await until(() => opened.push(server.open(spec, { cols: 80, rows: 24 })) && opened.at(-1))
    const terminal = await opened.at(-1)
    await terminal?.exited
    terminal?.release()
    await until(() => withWord(word).length > 0)
    expect(await endStarted(new Map([['x', null]]))).toEqual([])
    expect(withWord(word)).not.toEqual([])
    expect(await endStarted(new Map([['x', null]]), ['SIGTERM'], 250, { orphans: true })).toEqual([])
    expect(withWord(word)).toEqual([])
    server.close()
  })

  it('what an ended command has left running ends with its turn, and a background command does not', async () => {
    const [left, kept] = [`left-${randomUUID()}`, `kept-${randomUUID()}`]
    const since = Date.now()
    const { id } = await table.start(request(`nohup sh -c 'sleep 600; :' ${left} >/dev/null 2>&1 & sleep 0.5`))
    await table.start(request(`sh -c 'sleep 600; :' ${kept}`, { background: true }))
    await table.wait(id)
    await until(() => withWord(left).length > 0 && withWord(kept).length > 0)
    await table.endOf('s', Date.now() + 1)
    expect(withWord(left)).not.toEqual([])
    await table.endOf('s', since)
    expect(withWord(left)).toEqual([])
    expect(withWord(kept)).not.toEqual([])
    await table.close()
    expect(withWord(kept)).toEqual([])
  })

  it('a program that multiplies itself is caught up with', async () => {
    const word = `word-${randomUUID()}`
    // Each starts two more in sessions of their own, down to the eighth generation.
    const script = 'n=$(($1 + 1)); [ $n -gt 8 ] || for i in 1 2; do setsid sh "$0" $n & done; sleep 600'
    writeFileSync(join(dir, word), script)
    const { id } = await table.start(request(`exec sh ${word} 0`, { background: true }))
    await until(() => withWord(word).length > 20)
    await table.terminate(id)
    expect(withWord(word)).toEqual([])
  })

  it('to end many at once takes hardly more looks at the machine than to end one', async () => {
    const looksFor = async (count: number): Promise<number> => {
      await Promise.all(
        Array.from({ length: count }, () => table.start(request('while :; do sleep 1; done', { background: true }))),
      )
      const before = looksTaken()
      await table.close()
      const looks = looksTaken() - before
      table = openTable()
      return looks
    }
    const [few, many] = [await looksFor(2), await looksFor(50)]
    expect(many).toBeLessThan(few + 8)
  })
})

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('what cannot be ended', () => {
  it('is told', async () => {
    const word = `word-${randomUUID()}`
    const stubborn = spawn('sh', ['-c', 'while :; do sleep 1; done', word], { detached: true })
    await until(() => withWord(word).length > 0)
    const root = join(import.meta.dirname, '../..')
    const script = `
      const { runnerImport } = await import(${JSON.stringify(join(root, 'node_modules/vite/dist/node/index.js'))})
      const load = async (file) => (await runnerImport(file, { configFile: false, logLevel: 'error' })).module
      const { endStarted } = await load(${JSON.stringify(join(root, 'src-main/nodes/end-processes.ts'))})
      process.setuid(65534)
      console.log(JSON.stringify(await endStarted(new Map([['x', ${stubborn.pid}]]))))`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
    })
    await new Promise((resolve) => child.on('close', resolve))
    expect(JSON.parse(said)).toContainEqual({ id: 'x', pid: stubborn.pid })
    process.kill(-(stubborn.pid ?? 0), 'SIGKILL')
  })
})
