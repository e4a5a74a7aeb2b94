import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import headless from '@xterm/headless'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PaneMessage, PaneRequest } from '../../src-preload/contract/processes'
import { openInProcessHost } from '../nodes/host-link'
import { createLocalNode, type LocalNode } from '../nodes/local'
import type { NodeProcess, ProcessEvent, ProcessExit } from './process'

let dir: string
let node: LocalNode
let ports: MessagePort[]
let count = 0

/** There is no file before the first byte. */
const logged = (path: string): string => (existsSync(path) ? readFileSync(path, 'latin1') : '')

interface Started {
  id: string
  logPath: string
  process: NodeProcess
  events: ProcessEvent[]
  exit: Promise<ProcessExit>
}

async function start(
  command: string,
  tty: { cols: number; rows: number } | null = { cols: 80, rows: 24 },
): Promise<Started> {
  count++
  const id = `p${count}`
  const logPath = join(dir, `${id}.log`)
  const process = await node.start({ id, argv: ['/bin/sh', '-c', command], cwd: dir, env: {}, tty, logPath })
  const events: ProcessEvent[] = []
  const exit = new Promise<ProcessExit>((resolve) => {
    process.onEvent((event) => {
      events.push(event)
      if (event.type === 'exit') resolve(event)
    })
  })
  return { id, logPath, process, events, exit }
}

/** A pane as in the window: a terminal that shows and acknowledges what it gets. */
function openPane(
  started: Pick<Started, 'id' | 'logPath'>,
  options: { acks?: boolean; exit?: ProcessExit | null } = {},
) {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1, port2)
  const terminal = new headless.Terminal({ cols: 80, rows: 24, scrollback: 10_000, allowProposedApi: true })
  const messages: PaneMessage[] = []
  const answers: string[] = []
  terminal.onData((data) => answers.push(data))
  let acks = options.acks ?? true
  /** Set when everything before it is on the screen. */
  let exit: PaneMessage | undefined
  const send = (request: PaneRequest) => port2.postMessage(request)
  port2.on('message', (message: PaneMessage) => {
    messages.push(message)
    if (message.type === 'snapshot') {
      terminal.reset()
      terminal.resize(message.cols, message.rows)
      terminal.write(message.data)
    }
    if (message.type === 'data') {
      const { length } = message.data
      terminal.write(message.data, () => acks && send({ type: 'ack', chars: length }))
    }
    if (message.type === 'exit') {
      terminal.write('', () => {
        exit = message
      })
    }
  })
  node.attachPane({ id: started.id, logPath: started.logPath, exit: options.exit ?? null }, port1)
  const lines = () => {
    const buffer = terminal.buffer.active
    return Array.from({ length: buffer.length }, (_, y) => buffer.getLine(y)?.translateToString(true) ?? '')
  }
  return {
    send,
    messages,
    answers,
    terminal,
    lines,
    text: () => lines().join('\n').trimEnd(),
    close: () => port2.close(),
    startAcks() {
      acks = true
      const chars = messages.reduce((sum, each) => sum + (each.type === 'data' ? each.data.length : 0), 0)
      send({ type: 'ack', chars })
    },
    exited: () => exit,
  }
}

/** A pane that already shows the screen. */
async function shownPane(started: Started) {
  const pane = openPane(started)
  await until(() => pane.messages.length > 0)
  return pane
}

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1000; i++) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('It did not happen')
}

const typed = (started: Started) => started.events.flatMap((event) => (event.type === 'typed' ? [event.text] : []))
const secrets = (started: Started) =>
  started.events.flatMap((event) => (event.type === 'secret-input' ? [event.active] : []))

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'deckhand-host-'))
  node = createLocalNode({ openHost: openInProcessHost })
  ports = []
})

afterEach(async () => {
  for (const port of ports) port.close()
  await node.close()
  rmSync(dir, { recursive: true, force: true })
})

describe('a pane', () => {
  it('finds links to the web with their addresses, and no others, when it comes late', async () => {
    const link = (uri: string) => `printf '\\033]8;;${uri}\\033\\\\text\\033]8;;\\033\\\\\\n'`
    const started = await start(`${link('https://a.example/x')}; ${link('file:///etc/passwd')}; echo done; sleep 60`)
    await until(() => logged(started.logPath).includes('done'))
    const pane = openPane(started)
    await until(() => pane.text() === 'text\ntext\ndone')
    const [snapshot] = pane.messages
    const addresses = snapshot?.type === 'snapshot' ? snapshot.data.match(/\x1b\]8;[^;]*;[^\x07]+/g) : []
    expect(addresses).toEqual(['\x1b]8;id=link-1;https://a.example/x'])
  })

  it('starts from a snapshot, follows, and hears of the end', async () => {
    const started = await start('echo before; read x; printf "\\033[1;32mafter %s\\033[0m\\n" "$x"; exit 4')
    await until(() => logged(started.logPath).includes('before'))
    const pane = openPane(started)
    await until(() => pane.text().includes('before'))
    expect(pane.messages[0]).toMatchObject({ type: 'snapshot', cols: 80, rows: 24, offset: 8, skipped: 0 })
    pane.send({ type: 'input', data: 'x\r' })
    await until(() => pane.exited() !== undefined)
    expect(pane.text()).toBe('before\nx\nafter x')
    expect(pane.messages.at(-1)).toEqual({ type: 'exit', exitCode: 4, signal: null })
  })

  it('shows an ended process again, also one that this host never knew', async () => {
    const started = await start('printf "one\\r\\ntwo\\r\\n"; exit 2')
    const exit = await started.exit
    const again = openPane(started)
    await until(() => again.exited() !== undefined)
    expect(again.text()).toBe('one\ntwo')

    const old = openPane(
      { id: 'unknown', logPath: started.logPath },
      { exit: { exitCode: exit.exitCode, signal: null } },
    )
    await until(() => old.exited() !== undefined)
    expect(old.text()).toBe('one\ntwo')
    expect(old.exited()).toMatchObject({ exitCode: 2 })

    const gone = openPane({ id: 'gone', logPath: join(dir, 'none.log') })
    await until(() => gone.exited() !== undefined)
    expect(gone.messages).toMatchObject([
      { type: 'snapshot', data: '' },
      { type: 'exit', exitCode: null, signal: null },
    ])
  })

  it('shows what a full-screen program drew on a screen of its size, also in another run of the app', async () => {
    const size = { cols: 120, rows: 30 }
    const drawn = 'printf "\\033[?1049h\\033[2J\\033[12;1Hlast row\\033[1;1H%070d" 7'
    const started = await start(`trap '${drawn}; exit 0' WINCH; echo ready; while :; do sleep 0.02; done`, size)
    const pane = openPane(started)
    await until(() => pane.text().includes('ready'))
    pane.send({ type: 'resize', cols: 60, rows: 12 })
    await started.exit
    await until(() => logged(`${started.logPath}.sizes`) !== '')

    const later = openPane({ id: 'unknown', logPath: started.logPath })
    await until(() => later.exited() !== undefined)
    expect(later.messages[0]).toMatchObject({ type: 'snapshot', cols: 60, rows: 12 })
    expect(later.text().split('\n').slice(0, 2)).toEqual(['0'.repeat(60), `${'0'.repeat(9)}7`])
  })

  it('keeps the scroll region that was set after a pane had been resized', async () => {
    const started = await start('echo ready; read go; printf "\\033[?1049h\\033[2;6r\\033[3;1Hdrawn"; sleep 30')
    const pane = openPane(started)
    await until(() => pane.text().includes('ready'))
    await started.process.screen()
    pane.send({ type: 'resize', cols: 80, rows: 30 })
    pane.send({ type: 'input', data: '\r' })
    await until(() => pane.text().includes('drawn'))
    const later = openPane(started)
    await until(() => later.text().includes('drawn'))
    expect(later.messages[0]).toMatchObject({ rows: 30, data: expect.stringContaining('\x1b[2;6r') })
    started.process.signal('SIGKILL')
  })

  it('draws no stairs for a process without a terminal', async () => {
    const started = await start('echo one; echo two; read x; echo three', null)
    await until(() => logged(started.logPath).includes('two'))
    const pane = openPane(started)
    await until(() => pane.text().includes('two'))
    await started.process.write('\n')
    await until(() => pane.exited() !== undefined)
    expect(pane.text()).toBe('one\ntwo\nthree')
  })

  it('keeps characters whole that arrive in pieces', async () => {
    const started = await start(
      'stty -opost; read go; for i in 1 2 3 4 5 6; do printf "\\346"; sleep 0.03; printf "\\274"; sleep 0.03; printf "\\242"; done',
    )
    const early = await shownPane(started)
    early.send({ type: 'input', data: '\r' })
    await new Promise((resolve) => setTimeout(resolve, 130))
    const late = openPane(started)
    await until(() => early.exited() !== undefined && late.exited() !== undefined)
    for (const pane of [early, late]) expect(pane.text()).toContain('漢'.repeat(6))
  })

  it('does not hold the program up when it does not keep up, and continues from a snapshot', async () => {
    const started = await start(
      'i=0; while [ $i -lt 60000 ]; do echo "line $i of a flood that nobody can read along"; i=$((i+1)); done',
    )
    const pane = openPane(started, { acks: false })
    await started.exit
    const sent = pane.messages.reduce((sum, each) => sum + (each.type === 'data' ? each.data.length : 0), 0)
    expect(sent).toBeLessThan(700 * 1024)
    expect(readFileSync(started.logPath, 'utf8').endsWith('line 59999 of a flood that nobody can read along\r\n')).toBe(
      true,
    )
    pane.startAcks()
    await until(() => pane.exited() !== undefined)
    const snapshots = pane.messages.filter((each) => each.type === 'snapshot')
    expect(snapshots.length).toBeGreaterThan(1)
    expect(snapshots.at(-1)?.skipped).toBeGreaterThan(1_000_000)
    // When output stops, the scrollback is completed.
    await until(() => pane.lines().length > 10_000)
    expect(pane.text().endsWith('line 59999 of a flood that nobody can read along')).toBe(true)
    expect(pane.lines().at(-100)).toBe('line 59901 of a flood that nobody can read along')
  })

  it('shows every byte of a flood that it keeps up with', async () => {
    const started = await start('i=0; while [ $i -lt 9000 ]; do echo "line $i"; i=$((i+1)); done')
    const pane = openPane(started)
    await until(() => pane.exited() !== undefined)
    await until(() => pane.text().endsWith('line 8999'))
    expect(pane.lines().filter((line) => line.startsWith('line '))).toEqual(
      Array.from({ length: 9000 }, (_, i) => `line ${i}`),
    )
  })

  it('reads older output from the log, made safe', async () => {
    const started = await start(
      'echo first; printf "\\033]52;c;AAAA\\007"; i=0; while [ $i -lt 100 ]; do echo "line $i"; i=$((i+1)); done',
    )
    await started.exit
    const pane = openPane(started)
    await until(() => pane.messages.some((each) => each.type === 'snapshot'))
    pane.send({ type: 'history', before: 40, bytes: 1000 })
    await until(() => pane.messages.some((each) => each.type === 'history'))
    const history = pane.messages.find((each) => each.type === 'history')
    expect(history).toMatchObject({ from: 0, to: 40 })
    expect(history?.data).toMatch(/^first\r\nline 0\r\n/)
  })

  it('resizes the program and tells the other panes', async () => {
    const started = await start('trap "stty size" WINCH; echo ready; while :; do sleep 0.02; done')
    const pane = openPane(started)
    const other = openPane(started)
    await until(() => other.text().includes('ready') && pane.text().includes('ready'))
    pane.send({ type: 'resize', cols: 100, rows: 40 })
    await until(() => other.text().includes('40 100'))
    expect(other.messages).toContainEqual({ type: 'size', cols: 100, rows: 40 })
    pane.send({ type: 'resize', cols: -5, rows: Number.NaN })
    await until(() => other.messages.some((each) => each.type === 'size' && each.cols === 1 && each.rows === 1))
    pane.send({ type: 'resize', cols: 1e9, rows: Number.POSITIVE_INFINITY })
    await until(() => other.messages.some((each) => each.type === 'size' && each.cols > 1 && each.cols <= 1000))
    expect(other.messages.filter((each) => each.type === 'size' && (each.cols > 1000 || each.rows > 1000))).toEqual([])
  })

  it('finds a full-screen program as it is, after megabytes of drawing', async () => {
    const started = await start(
      'printf "\\033[?1049h\\033[?25l"; head -c 6000000 /dev/zero | tr "\\0" "." ; printf "\\033[2J\\033[5;10Hhere"; sleep 30',
    )
    await until(() => logged(started.logPath).endsWith('here'))
    const screen = await started.process.screen()
    expect(screen).toMatchObject({ alternate: true, cursor: { x: 13, y: 4 } })
    expect(screen.rows[4]).toBe('         here')
    const pane = await shownPane(started)
    await until(() => pane.terminal.buffer.active.type === 'alternate')
    expect(pane.text()).toBe('\n\n\n\n         here')
    started.process.signal('SIGKILL')
  })
})

describe('questions of a program to its terminal', () => {
  it('are answered once, by the host, when the program reads raw keys', async () => {
    const started = await start(
      'stty raw -echo; printf "ab\\033[6n"; dd bs=1 count=6 2>/dev/null | od -An -c; printf "\\033[c"; dd bs=1 count=7 2>/dev/null | od -An -c',
    )
    const panes = [openPane(started), openPane(started)]
    await started.exit
    const output = readFileSync(started.logPath, 'utf8').replace(/\s+/g, ' ')
    expect(output).toContain('033 [ 1 ; 3 R')
    expect(output).toContain('033 [ ? 1 ; 2 c')
    expect(panes.flatMap((pane) => pane.answers)).toEqual([])
  })

  it('are not answered into a shell that merely shows a file', async () => {
    const started = await start('printf "\\033[6n\\033[c\\033[5n"; sleep 0.3; echo done')
    await started.exit
    expect(readFileSync(started.logPath, 'utf8')).toBe('\x1b[6n\x1b[c\x1b[5ndone\r\n')
  })
})

describe('what the user types', () => {
  it('is told at the end of a line or after a pause; what the agent writes is not, nor what the wheel scrolls', async () => {
    const started = await start('cat')
    const pane = openPane(started)
    for (const key of ['l', 's', 'x', '\x7f', ' ', '-l', '\r']) pane.send({ type: 'input', data: key })
    await until(() => typed(started).length === 1)
    await started.process.write('by the agent\n')
    pane.send({ type: 'input', data: '\x1b[A\x1b[A', scrolled: true })
    pane.send({ type: 'input', data: 'wait\x1b[A' })
    await until(() => typed(started).length === 2)
    pane.send({ type: 'input', data: '\x03' })
    await started.exit
    expect(typed(started)).toEqual(['ls -l\n', 'wait<Up>', '^C'])
  })

  it('is never told while a password is asked for, which is noticed', async () => {
    const started = await start(
      'printf "name: "; read n; stty -echo; printf "Password: "; read p; stty echo; echo; echo "hello $n $(printf %s "$p" | wc -c)"; read more',
    )
    const pane = openPane(started)
    await until(() => pane.text().includes('name:'))
    pane.send({ type: 'input', data: 'ann\r' })
    await until(() => pane.text().includes('Password:'))
    await until(() => secrets(started).includes(true))
    for (const key of 'hunter2') pane.send({ type: 'input', data: key })
    pane.send({ type: 'input', data: '\r' })
    await until(() => pane.text().includes('hello ann 7'))
    await until(() => secrets(started).includes(false))
    pane.send({ type: 'input', data: 'more\r' })
    await started.exit
    expect(secrets(started)).toEqual([true, false])
    expect(typed(started)).toEqual(['ann\n', '', 'more\n'])
    expect(readFileSync(started.logPath, 'utf8')).not.toContain('hunter2')
  })

  it('is not told even if the password comes in one piece right after the prompt', async () => {
    const started = await start(
      'stty -echo; printf "Password: "; read p; stty echo; echo "got $(printf %s "$p" | wc -c)"',
    )
    const pane = openPane(started)
    await until(() => pane.text().includes('Password:'))
    pane.send({ type: 'input', data: 'hunter2\r' })
    await started.exit
    expect(readFileSync(started.logPath, 'utf8')).toContain('got 7')
    expect(JSON.stringify(started.events)).not.toContain('hunter')
  })

  it('is not told if the password comes key by key, faster than anybody can look', async () => {
    const started = await start(
      'read n; stty -echo; printf "Password: "; read p; stty echo; echo "got $p" | wc -c; sleep 0.3',
    )
    const pane = await shownPane(started)
    pane.send({ type: 'input', data: 'a' })
    pane.send({ type: 'input', data: 'nn\r' })
    await until(() => pane.text().includes('Password:'))
    for (const key of 'hunter2\r') pane.send({ type: 'input', data: key })
    await started.exit
    expect(readFileSync(started.logPath, 'utf8')).toContain('12')
    expect(typed(started)).toEqual(['ann\n', ''])
  })

  it('takes raw mode for what it is: no password prompt', async () => {
    const started = await start('stty raw -echo; printf "> "; dd bs=1 count=3 2>/dev/null; sleep 0.3')
    const pane = openPane(started)
    await until(() => pane.text().includes('>'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    pane.send({ type: 'input', data: 'abc' })
    await started.exit
    expect(secrets(started)).toEqual([])
    expect(typed(started)).toEqual(['abc'])
  })
})

describe('output', () => {
  it('is in the log to the last byte, whatever the panes do', async () => {
    const file = join(dir, 'big')
    const line = '\x1b[32mINFO\x1b[0m 12:00:01 some text of a log that goes on and on\n'
    writeFileSync(file, line.repeat(200_000))
    const started = await start(`cat ${file}`)
    const slow = openPane(started, { acks: false })
    const quick = openPane(started)
    await started.exit
    expect(readFileSync(started.logPath).equals(Buffer.from(line.replace('\n', '\r\n').repeat(200_000)))).toBe(true)
    slow.close()
    await until(() => quick.exited() !== undefined)
    expect(quick.text().endsWith('some text of a log that goes on and on')).toBe(true)
  })
})

describe('a program that leaves its terminal', () => {
  it('goes on to its end, and its own exit code counts', async () => {
    const leaves = 'exec </dev/null >/dev/null 2>&1'
    const started = await start(`echo first; ${leaves}; sleep 0.3; touch ${dir}/reached; exit 3`)
    expect(await started.exit).toMatchObject({ exitCode: 3, signal: null })
    expect(existsSync(join(dir, 'reached'))).toBe(true)
    expect(logged(started.logPath)).toBe('first\r\n')
  })
})
