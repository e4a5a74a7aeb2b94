import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { InputPrompt } from '../../src-preload/contract/processes'
import { openInProcessHost } from '../nodes/host-link'
import { createLocalNode, type LocalNode } from '../nodes/local'
import type { NodeProcess } from './process'
import { createPromptWatch } from './prompt-watch'

let dir: string
let node: LocalNode

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'deckhand-prompt-'))
  node = createLocalNode({ openHost: openInProcessHost })
})

afterEach(async () => {
  await node.close()
  rmSync(dir, { recursive: true, force: true })
})

interface Asking {
  process: NodeProcess
  /** Every prompt that was reported, and each end of one. */
  told: (InputPrompt | null)[]
  text(): Promise<string>
}

let count = 0
async function start(argv: readonly [string, ...string[]]): Promise<Asking> {
  const id = `p${++count}`
  const tty = { cols: 80, rows: 24 }
  const env = { PATH: process.env.PATH ?? '', HOME: dir, TERM: 'xterm', ELECTRON_RUN_AS_NODE: '1' }
  const started = await node.start({ id, argv, cwd: dir, env, tty, logPath: join(dir, id) })
  const told: (InputPrompt | null)[] = []
  started.onEvent((event) => {
    if (event.type === 'prompt') told.push(event.prompt)
  })
  return { process: started, told, text: async () => (await started.screen()).rows.join('\n') }
}
const bash = (command: string) => start(['/bin/bash', '-c', command])

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 4000; i++) {
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('It did not happen')
}
const known = process.platform === 'linux'

describe('a program that waits for an answer', () => {
  it('is noticed with its words, and until it is answered', async () => {
    const asks = await bash('read -p "Go on? [y/N] " x; echo "so: $x"; sleep 60')
    await until(() => asks.told.length > 0)
    expect(asks.told).toEqual([{ text: 'Go on? [y/N]', guess: !known }])
    await asks.process.write('n\r')
    await until(() => asks.told.length > 1)
    expect(asks.told.slice(1)).toEqual([null])
  })

  it('asks one thing after another', async () => {
    const asks = await bash('read -p "Name: " n; read -p "Overwrite $n? " x; sleep 60')
    await until(() => asks.told.length === 1)
    await asks.process.write('a file\r')
    await until(() => asks.told.length === 3)
    expect(asks.told).toMatchObject([{ text: 'Name:' }, null, { text: 'Overwrite a file?' }])
  })

  it.runIf(known)('is noticed behind other programs, and when it reads keys by polling', async () => {
    const nested = await bash(`(sh -c 'touch kept; cd . ; rm -i kept'); true`)
    const keys = await start([
      process.execPath,
      '-e',
      `require('node:readline').createInterface(process.stdin, process.stdout).question('Ok to proceed? (y) ', () => {})`,
    ])
    await until(() => nested.told.length > 0 && keys.told.length > 0)
    expect(nested.told).toMatchObject([{ text: expect.stringMatching(/^rm: remove .*kept.*\?$/), guess: false }])
    expect(keys.told).toEqual([{ text: 'Ok to proceed? (y)', guess: true }])
  })

  it('keeps its words while somebody types the answer', async () => {
    const asks = await bash('read -p "Your name: " x; sleep 60')
    await until(() => asks.told.length > 0)
    await asks.process.write('Ada')
    await until(async () => (await asks.text()).includes('Your name: Ada'))
    // Long enough for another look.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(asks.told).toEqual([{ text: 'Your name:', guess: !known }])
  })
})

/** A menu as terminal programs draw it: redrawn after each key, with a hidden cursor, until Enter is pressed. */
const menu = (draw: string, then = '') => `
  process.stdin.setRawMode(true)
  let at = 0, rows = 0
  const show = () => {
    const text = (${draw})(at)
    process.stdout.write('\\x1b[?25l' + (rows ? '\\x1b[' + rows + 'A\\x1b[0J' : '') + text)
    rows = text.split('\\n').length - 1
  }
  process.stdin.on('data', (key) => {
    if (String(key) === '\\r') {
      process.stdin.setRawMode(false)
      process.stdout.write('\\x1b[?25h')
      ${then}
      return
    }
    at = (at + 1) % 3
    show()
  })
  show()
`
const colours = `(at) => '? Pick a colour\\n' + ['red', 'green', 'blue'].map((each, i) =>
  (i === at ? '\\x1b[36m❯ ' + each + '\\x1b[39m' : '  ' + each) + '\\n').join('')`
const circles = `(at) => '◆  Where to\\n' + ['home', 'work'].map((each, i) =>
  '│  ' + (i === at ? '●' : '○') + ' ' + each + '\\n').join('') + '└\\n'`
const boxes = `(at) => ['one', 'two', 'three'].map((each, i) => (i === at ? '❯' : ' ') + '◯ ' + each).join('\\n')`
const toggle = `() => '? Overwrite it › no / yes'`
const nodeRuns = (code: string) => start([process.execPath, '-e', code])

describe.runIf(known)('a menu for the arrow keys', () => {
  it('is noticed with its question, also while somebody moves in it, until the program goes on', async () => {
    const busy = `setInterval(() => process.stdout.write('working\\n'), 100)`
    const asks = await nodeRuns(menu(colours, busy))
    await until(() => asks.told.length > 0)
    expect(asks.told).toEqual([{ text: 'Pick a colour', guess: true }])
    await asks.process.write('\x1b[B')
    await until(async () => (await asks.text()).includes('❯ green'))
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(asks.told).toHaveLength(1)
    await asks.process.write('\r')
    await until(() => asks.told.length > 1)
    expect(asks.told.slice(1)).toEqual([null])
  })

  it('is noticed in its usual forms, and so are what a shell offers and a line that can be edited', async () => {
    const all = await Promise.all([
      nodeRuns(menu(circles)),
      nodeRuns(menu(boxes)),
      nodeRuns(menu(toggle)),
      bash('select x in red green; do break; done'),
      bash('read -e -p "Your name: " x'),
    ])
    await until(() => all.every(({ told }) => told.length > 0))
    expect(all.map(({ told }) => told[0]?.text)).toEqual([
      'Where to',
      'one / two / three',
      'Overwrite it › no / yes',
      '#?',
      'Your name:',
    ])
  })

  it('is neither an editor, a pager, a monitor, a console nor text that looks like one', async () => {
    const text = '# Title\n\n? A question\n\n> quoted\n  more\n\n* one\n* two\n\n❯ first\n  second\n  third\n'
    writeFileSync(join(dir, 'text.md'), text.repeat(9))
    writeFileSync(join(dir, 'short.md'), text)
    const raw = 'process.stdin.setRawMode(true); process.stdin.resume();'
    const programs: [string, ...string[]][] = [
      ['/usr/bin/vim', '-u', 'NONE', 'text.md'],
      ['/usr/bin/vi', 'short.md'],
      ['/usr/bin/nano', 'text.md'],
      ['/usr/bin/less', 'text.md'],
      ['/usr/bin/less', '-X', '-R', 'text.md'],
      ['/usr/bin/top', '-d', '60'],
      ['/usr/bin/zsh', '-f', '-i'],
      ['/usr/bin/python3', '-i'],
    ]
    const all = await Promise.all([
      ...programs.filter(([file]) => existsSync(file)).map((argv) => start(argv)),
      start([process.execPath, '-i']),
      // Text in a terminal that nobody reads from, and in one where keys are read but nothing was drawn.
      bash('printf "\\033[?25l"; cat short.md; sleep 60'),
      bash('cat short.md; cat'),
      nodeRuns(
        `${raw} process.stdout.write(require('node:fs').readFileSync('short.md', 'utf8') + 'Server running\\n')`,
      ),
      nodeRuns(`${raw} process.stdout.write('\\x1b[36m › Press a to run all\\n › Press q to quit\\x1b[39m\\n')`),
      nodeRuns(
        `${raw} process.stdout.write('\\x1b[?25l\\x1b[32mready\\x1b[39m\\n\\n> app@1.0.0 dev\\n> serve\\n\\n  on port 80\\n')`,
      ),
    ])
    await until(async () => (await all.at(-1)?.text())?.includes('port') ?? false)
    await new Promise((resolve) => setTimeout(resolve, 4000))
    expect(all.map(({ told }) => told)).toEqual(all.map(() => []))
  })
})

describe('where the system does not tell what a program does', () => {
  it('a question counts and is called a guess, a field does not', async () => {
    const told: Record<string, (InputPrompt | null)[]> = {}
    const watches = ['Go on? [y/N] ', 'Downloading: '].map((line) => {
      const heard: (InputPrompt | null)[] = []
      told[line] = heard
      const watch = createPromptWatch({
        lineMode: async () => ({ canonical: true, echo: true }),
        onChange: (prompt) => heard.push(prompt),
      })
      watch.output(Buffer.from(`before\n${line}`))
      return watch
    })
    await until(() => told['Go on? [y/N] ']?.length === 1)
    await new Promise((resolve) => setTimeout(resolve, 500))
    for (const watch of watches) watch.stop()
    expect(told).toEqual({ 'Go on? [y/N] ': [{ text: 'Go on? [y/N]', guess: true }], 'Downloading: ': [] })
  })
})

describe('a hidden prompt', () => {
  it('tells its words, and nothing of what is typed', async () => {
    const asks = await bash(
      'read -s -p "Password: " x; echo; echo "It has $(printf %s "$x" | wc -c) letters"; sleep 60',
    )
    await until(() => asks.told.length > 0)
    expect(asks.told).toEqual([{ text: 'Password:', guess: false }])
    await expect(asks.process.write('guess\r')).rejects.toThrow('password')
  })
})

describe.runIf(known)('what does not wait', () => {
  it('is not noticed, whatever it prints', async () => {
    const all = await Promise.all([
      bash('printf "Are you ready? "; sleep 60'),
      bash('printf "Downloading: "; for i in 1 2 3 4 5 6 7 8; do sleep 0.6; printf "."; done; sleep 60'),
      bash('for i in 1 2 3; do printf "Is it $i? [y/N] "; sleep 1.3; echo no; done; echo all; sleep 60'),
      bash('sleep 60'),
      bash('cat'),
      bash('echo "Go on? [y/N]"; cat'),
      bash('read x'),
      start(['/bin/bash', '--norc', '--noprofile', '-i']),
      start(['/bin/bash', '--norc', '-c', 'PS1="ready? " exec bash --norc --noprofile -i']),
    ])
    await until(async () => (await all[2].text()).includes('all'))
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(all.map(({ told }) => told)).toEqual(all.map(() => []))
  })
})
