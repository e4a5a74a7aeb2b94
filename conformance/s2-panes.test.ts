import { beforeAll, describe, expect, it } from 'vitest'
import type { ShellNode } from '../src-main/nodes/shell/shell-node'
import { readDelay } from '../src-main/tools/terminals/pane-delay'
import { createToolset } from '../src-main/toolsets'
import { buddy } from './buddy'
import { decides, openBench, until } from './harness'
import { refused, told } from './miclaw'
import { openPlaces, realPath } from './places'

const places = openPlaces()
let backend: ShellNode
let calls: () => string[][]
const bench = openBench(buddy({ machine: () => backend }))
beforeAll(async () => {
  calls = places.record('tmux', `exec ${realPath('tmux')} "$@"`)
  backend = await places.open({ kind: 'local', tmux: true })
})

const capture = (args: object = {}) => told(bench, 'capture-pane', args)
const send = (args: object) => told(bench, 'send-keys', args)
const dispatch = (command: string) => told(bench, 'run_shell', { command, wait: false })
const shows = (text: string, args: object = {}) => until(async () => (await capture(args)).includes(text))
/** A pane as it was at first. */
const clear = async () => {
  await send({ keys: ['C-c'] })
  await dispatch('clear; tmux clear-history; echo fresh-$((1 + 1))')
  await shows('fresh-2')
}
/** The words of the last call of a command of tmux, between its name and the target. */
const flagsOf = (command: string): string[] => {
  const words = calls().findLast((call) => call.includes(command)) ?? []
  return words.slice(words.indexOf(command) + 1, words.lastIndexOf('-t'))
}
const flagsWith = async (args: object) => {
  await capture(args)
  return flagsOf('capture-pane')
}
const toolsAt = (place: ShellNode) => [
  ...createToolset('buddy', { table: bench.table, setTodo: () => {}, machine: () => place }).tools.keys(),
]

describe('run_shell without waiting', () => {
  decides('S2-Shell-06 S2-Shell-20', 'types the command into the pane and says which', async () => {
    const text = await dispatch('sleep 1; echo later-$((40 + 2))')
    expect(text).toMatch(/^command dispatched to tmux pane %\d+$/)
    expect(places.tmux(['list-panes', '-a', '-F', '#{pane_id}']).split('\n')).toContain(text.split(' ').at(-1))
    await shows('later-42')
  })
})

describe('capture-pane', () => {
  it('S2-Capture-01 has its name', () => expect(bench.definition('capture-pane')).toBeDefined())
  decides(
    'S2-Capture-02 S2-Capture-06 S2-SendKeys-02',
    'is there with a pane of one’s own, and only then',
    async () => {
      const both = ['capture-pane', 'send-keys']
      const outside = await places.open({ kind: 'local' })
      expect(toolsAt(outside).filter((name) => both.includes(name))).toEqual([])
      places.tmux(['new-session', '-d', '-s', 'mine', '-x', '120', '-y', '40'])
      const [socket = '', pane = ''] = places
        .tmux(['display-message', '-p', '-t', 'mine', '#{socket_path} #{pane_id}'])
        .trim()
        .split(' ')
      const inside = await places.open({ kind: 'local' }, { TMUX: `${socket},1,0`, TMUX_PANE: pane })
      expect(toolsAt(inside)).toEqual(expect.arrayContaining(both))

      const own = backend
      backend = inside
      try {
        expect(await dispatch('echo typed-$((20 + 3))')).toBe(`command dispatched to tmux pane ${pane}`)
        await shows('typed-23')
        expect(places.tmux(['capture-pane', '-p', '-t', pane])).toContain('typed-23')
        backend = outside
        expect(await refused(bench, 'capture-pane', {})).toContain('unknown tool')
        expect(await refused(bench, 'send-keys', { keys: ['C-c'] })).toContain('unknown tool')
      } finally {
        backend = own
      }
    },
  )
  it('S2-Capture-03 is there in a session of --tmux', () => {
    expect(backend.kind).toBe('local-tmux')
    expect(toolsAt(backend)).toContain('capture-pane')
  })
  it('S2-Capture-07 looks at the active pane', async () => {
    await told(bench, 'run_shell', { command: 'echo in-the-shared-pane' })
    expect(await capture()).toContain('in-the-shared-pane')
  })
  it('S2-Capture-08 or at whatever tmux calls by that name', async () => {
    places.tmux(['new-session', '-d', '-s', 'other', '-n', 'desk', 'echo at-the-other-desk; sleep 600'])
    for (const target of ['other', 'other:desk', 'other:desk.0', '=other:'])
      await shows('at-the-other-desk', { target })
    expect(await refused(bench, 'capture-pane', { target: 'nowhere:' })).toMatch(
      /^Tool error: execution failed: .*nowhere/,
    )
    expect(await refused(bench, 'capture-pane', { target: `'; touch x; '` })).toMatch(/^Tool error: execution failed: /)
  })
  decides(
    'S2-Capture-09 S2-Capture-12 S2-Capture-17 S2-Capture-19 S2-Capture-21 S2-Capture-23',
    'says nothing to tmux that it was not asked to say',
    async () => expect(await flagsWith({})).toEqual(['-p', '-J']),
  )
  it('S2-Capture-10 start is -S', async () => {
    expect(await flagsWith({ start: -5 })).toEqual(['-p', '-J', '-S', '-5'])
    expect(await flagsWith({ start: '3' })).toEqual(['-p', '-J', '-S', '3'])
    expect(await refused(bench, 'capture-pane', { start: 'top' })).toMatch(/^Tool error: invalid arguments: /)
  })
  it('S2-Capture-11 "-" is where history begins', async () => {
    await clear()
    await told(bench, 'run_shell', { command: 'seq 1001 1300' })
    expect(await capture()).not.toMatch(/^1001$/m)
    expect(await capture({ start: '-' })).toMatch(/^1001$[\s\S]*^1300$/m)
  })
  it('S2-Capture-13 end is -E', async () => {
    expect(await flagsWith({ end: 3 })).toEqual(['-p', '-J', '-E', '3'])
    expect((await capture({ start: 0, end: 1 })).trimEnd().split('\n')).toHaveLength(2)
  })
  it('S2-Capture-14 "-" is where the visible part ends', async () => {
    expect(await flagsWith({ end: '-' })).toEqual(['-p', '-J', '-E', '-'])
    expect(await capture({ start: 0, end: '-' })).toBe(await capture())
  })
  it('S2-Capture-15 joins lines that were wrapped', async () => {
    await clear()
    await told(bench, 'run_shell', { command: `printf 'x%.0s' $(seq 450); echo` })
    expect(await capture()).toMatch(/^x{450}$/m)
  })
  it('S2-Capture-16 unless it is told not to', async () => {
    expect(await flagsWith({ join_wrapped_lines: false })).toEqual(['-p'])
    expect(await capture({ join_wrapped_lines: false })).toMatch(/^x{200}\nx{200}\nx{50}$/m)
  })
  it('S2-Capture-18 preserve_trailing_spaces is -N', async () => {
    expect(await flagsWith({ preserve_trailing_spaces: true })).toEqual(['-p', '-J', '-N'])
    await told(bench, 'run_shell', { command: `printf 'edge   \\n'` })
    expect(await capture({ preserve_trailing_spaces: true })).toMatch(/^edge {3}/m)
    expect(await capture()).toMatch(/^edge$/m)
  })
  it('S2-Capture-20 include_escape_sequences is -e', async () => {
    await told(bench, 'run_shell', { command: `printf '\\033[31mred\\033[0m\\n'` })
    expect(await flagsWith({ include_escape_sequences: true })).toEqual(['-p', '-J', '-e'])
    expect(await capture({ include_escape_sequences: true })).toContain('\x1b[31mred')
    expect(await capture()).not.toContain('\x1b')
  })
  it('S2-Capture-22 escape_non_printable is -C', async () => {
    expect(await flagsWith({ escape_non_printable: true })).toEqual(['-p', '-J', '-C'])
    expect(await capture({ escape_non_printable: true, include_escape_sequences: true })).toContain('\\033[31mred')
  })
  it('S2-Capture-24 include_alternate_screen is -a', async () => {
    await dispatch(`printf '\\033[?1049hon the other side'; sleep 600`)
    await shows('on the other side')
    const before = calls().length
    const text = await capture({ include_alternate_screen: true })
    expect(
      calls()
        .slice(before)
        .some((call) => call.includes('-a')),
    ).toBe(true)
    expect(text).not.toContain('no alternate screen')
    await send({ keys: ['C-c'] })
    await dispatch(`printf '\\033[?1049l'`)
  })
  decides('S2-Capture-25 S2-Capture-26', 'waits first, in either spelling', async () => {
    for (const args of [{ delay: '400ms' }, { delay: 0.4 }, { delay_ms: 400 }]) {
      const started = performance.now()
      await capture(args)
      expect(performance.now() - started).toBeGreaterThanOrEqual(399)
    }
    for (const args of [{ delay: '1s', delay_ms: 5 }, { delay: 'soon' }, { delay: '2 days' }, { delay_ms: -1 }])
      expect(await refused(bench, 'capture-pane', args)).toMatch(/^Tool error: invalid arguments: /)
  })
  it('S2-Capture-27 and not at all otherwise', () => {
    expect(readDelay({})).toBe(0)
    expect(bench.definition('capture-pane')?.parameters).not.toHaveProperty('required')
  })
  decides('S2-Capture-28 S2-Capture-29', 'keeps the last 8000 characters and says how many are missing', async () => {
    await clear()
    await told(bench, 'run_shell', { command: `for n in $(seq 300); do printf '水%.0s' $(seq 60); echo " $n"; done` })
    const text = await capture({ start: '-' })
    const [, count, kept = ''] = /^\[truncated (\d+) chars from start\]\n([\s\S]*)$/.exec(text) ?? []
    expect([...kept]).toHaveLength(8000)
    expect(Number(count)).toBeGreaterThan(300 * 60 - 8000)
    expect(kept).toMatch(/水 300$/m)
    expect(kept).not.toMatch(/水 1$/m)
  })
  decides('S2-Capture-30 S2-Capture-31', 'without an alternate screen it shows the main one, and says so', async () => {
    await clear()
    const text = await capture({ include_alternate_screen: true })
    expect(text).toMatch(/fresh[\s\S]*\n\[no alternate screen is active: this is the main one\]$/)
    expect(await capture()).not.toContain('alternate')
  })
  it('S2-Capture-32 follows a command that was left behind', async () => {
    await clear()
    await dispatch('for n in 1 2 3; do echo step-$n; sleep 0.4; done; echo built-$((3 + 4))')
    const seen: string[] = []
    await until(
      async () => seen.push(await capture({ delay: '300ms' })) > 0 && seen.at(-1)?.includes('built-7') === true,
    )
    expect(seen.at(-1)).toMatch(/^step-1\nstep-2\nstep-3\nbuilt-7$/m)
  })
})

describe('send-keys', () => {
  /** Shows each key as it comes, and leaves the terminal as it was when it is interrupted. */
  const showKeys = async () => {
    await dispatch(`sh -c 'stty -icrnl -icanon -echo; trap : INT; echo listening-$((1 + 1)); cat -v; stty sane'`)
    await shows('listening-2')
  }

  it('S2-SendKeys-01 has its name', () => expect(bench.definition('send-keys')).toBeDefined())
  it('S2-SendKeys-03 types into the active pane, or into another', async () => {
    await clear()
    await send({ literal_text: 'echo here-$((1 + 1))', enter: true })
    await shows('here-2')
    places.tmux(['new-session', '-d', '-s', 'third', 'cat'])
    await send({ target: 'third', literal_text: 'for the third', enter: true })
    await shows('for the third\nfor the third', { target: 'third' })
    expect(await capture()).not.toContain('for the third')
    expect(await refused(bench, 'send-keys', {})).toMatch(/^Tool error: invalid arguments: /)
  })
  it('S2-SendKeys-04 knows the keys by their names', async () => {
    await clear()
    await showKeys()
    await send({ keys: ['Up', 'Down', 'Enter', 'C-a', 'x'] })
    await shows('^[[A^[[B^M^Ax')
    await send({ keys: ['C-c'] })
  })
  it('S2-SendKeys-05 types text as it is', async () => {
    await clear()
    await dispatch('cat')
    const text = `C-c Enter "it's" \\n $HOME 水🚢 -l;`
    await send({ literal_text: text, enter: true })
    await until(async () => (await capture()).split(text).length === 3)
    expect(calls().findLast((call) => call.includes(text.replace(/;$/, '\\;')))).toContain('-l')
    await send({ keys: ['C-c'] })
  })
  it('S2-SendKeys-06 presses Enter', async () => {
    await clear()
    await send({ literal_text: 'echo not-yet-$((5 + 5))' })
    expect(await capture()).not.toContain('not-yet-10')
    await send({ enter: true })
    await shows('not-yet-10')
  })
  decides('S2-SendKeys-07 S2-SendKeys-08', 'waits first, in either spelling', async () => {
    for (const args of [{ delay: '400ms' }, { delay_ms: 400 }]) {
      const started = performance.now()
      await send({ ...args, enter: true })
      expect(performance.now() - started).toBeGreaterThanOrEqual(399)
    }
    expect(await refused(bench, 'send-keys', { enter: true, delay: '1s', delay_ms: 5 })).toContain('invalid arguments')
  })
  it('S2-SendKeys-09 types the text, then the keys, then Enter', async () => {
    await clear()
    await showKeys()
    await send({ enter: true, keys: ['Up', 'x'], literal_text: 'text' })
    await shows('text^[[Ax^M')
    await send({ keys: ['C-c'] })
  })
  it('S2-SendKeys-10 cancels a stuck command', async () => {
    await clear()
    await dispatch('sleep 1000; echo "ended with $?"')
    await until(() => places.tmux(['list-panes', '-a', '-F', '#{pane_current_command}']).includes('sleep'))
    await send({ keys: ['C-c'] })
    await dispatch('echo alive-$((6 * 7))')
    await shows('alive-42')
  })
  it('S2-SendKeys-11 answers a prompt', async () => {
    await clear()
    await dispatch('printf "Go on, %s? " you; read answer; echo "you said [$answer]"')
    await shows('Go on, you?')
    await send({ literal_text: 'yes', enter: true })
    await shows('you said [yes]')
  })
  it('S2-SendKeys-12 moves through a menu', async () => {
    await clear()
    const menu = [
      'stty -icanon -echo; row=1; echo "menu-$((1 + 1))"',
      `while :; do key=$(dd bs=1 count=1 2>/dev/null | od -An -c | tr -d ' ')`,
      `case $key in B) row=$((row + 1));; '\\n') break;; esac; done; stty sane; echo "chosen row $row"`,
    ].join('; ')
    await dispatch(menu)
    await shows('menu-2')
    await send({ keys: ['Down', 'Down', 'Enter'] })
    await shows('chosen row 3')
  })
})
