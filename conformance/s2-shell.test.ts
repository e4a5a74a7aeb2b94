import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { calls, says } from '../e2e/scripted-model'
import type { ToolState } from '../src-preload/contract/tool-calls'
import { buddy, requiredOf, shellParts } from './buddy'
import { openCommandLine } from './command-line'
import { decides, openBench, until } from './harness'
import { refused, told } from './miclaw'
import { openTalk } from './talk'
import { openWorld } from './world'

const bench = openBench(buddy())
const shell = async (command: string, wait?: unknown) =>
  shellParts(await told(bench, 'run_shell', { command, ...(wait !== undefined && { wait }) }))

/** How long the table was asked to wait. */
async function waitsOf(...waits: unknown[]): Promise<(number | undefined)[]> {
  const asked: (number | undefined)[] = []
  const wait = bench.table.wait
  bench.table.wait = (id, ms, signal) => {
    asked.push(ms)
    return wait(id, ms, signal)
  }
  for (const each of waits) await shell('true', each)
  bench.table.wait = wait
  return asked
}

describe('run_shell', () => {
  it('S2-Shell-01 has its name', () => expect(bench.definition('run_shell')).toBeDefined())
  it('S2-Shell-02 needs a command', async () => {
    expect(requiredOf(bench, 'run_shell')).toEqual(['command'])
    expect(await refused(bench, 'run_shell', {})).toBe('Tool error: invalid arguments: `command` is required')
    expect(await refused(bench, 'run_shell', { command: '  ' })).toMatch(/^Tool error: invalid arguments: /)
  })
  it('S2-Shell-03 runs it by sh -c', async () => {
    expect(await shell('a=1; [ "$a" = 1 ] && echo "$0 $((a + 1))" | tr a-z A-Z')).toMatchObject({ stdout: 'SH 2' })
    expect(bench.accesses.at(-1)).toMatchObject({ action: 'exec', shell: 'sh', cwd: bench.workspace })
    expect((await shell('pwd')).stdout).toBe(bench.workspace)
  })
  decides('S2-Shell-04 S2-Shell-05', 'waits until the command exits', async () => {
    expect(await shell('sleep 0.5; echo over')).toMatchObject({ exitCode: 0, stdout: 'over' })
    expect(await shell('sleep 0.5; echo over', true)).toMatchObject({ exitCode: 0, stdout: 'over' })
    expect(await waitsOf(undefined, true)).toEqual([undefined, undefined])
  })
  it('S2-Shell-07 cannot leave it behind without a tmux pane', async () => {
    const command = `touch ${join(bench.workspace, 'left-behind')}`
    expect(await refused(bench, 'run_shell', { command, wait: false })).toBe(
      'Tool error: execution failed: `wait: false` requires a tmux-backed target',
    )
    expect(existsSync(join(bench.workspace, 'left-behind'))).toBe(false)
  })
  it('S2-Shell-08 waits for seconds', async () => expect(await waitsOf('30s')).toEqual([30_000]))
  it('S2-Shell-09 for minutes', async () => expect(await waitsOf('10m')).toEqual([600_000]))
  it('S2-Shell-10 for an hour', async () => expect(await waitsOf('1h')).toEqual([3_600_000]))
  it('S2-Shell-11 for a number of seconds', async () => {
    expect(await waitsOf(500, '500', 0.5, '250ms', '2d')).toEqual([500_000, 500_000, 500, 250, 172_800_000])
    for (const wait of ['soon', '-1s', '5 weeks', '', [], {}])
      expect(await refused(bench, 'run_shell', { command: 'true', wait })).toMatch(/^Tool error: invalid arguments: /)
  })
  it('S2-Shell-12 fails when the time is over', async () => {
    expect(await refused(bench, 'run_shell', { command: 'sleep 600', wait: '300ms' })).toBe(
      'Tool error: execution failed: timeout after 0.3s',
    )
    const [row] = bench.table.list()
    expect(row).toMatchObject({ status: 'exited', timedOut: true })
  })
  decides('S2-Shell-13 S2-Shell-14 S2-Shell-15', 'tells exit code, stdout and stderr in this order', async () => {
    const text = await told(bench, 'run_shell', { command: "printf '512M\\t/var\\n'; exit 0" })
    expect(text).toBe('exit code: 0\nstdout:\n512M\t/var\nstderr:\n')
    expect(await told(bench, 'run_shell', { command: 'echo out; echo err >&2; exit 7' })).toBe(
      'exit code: 7\nstdout:\nout\nstderr:\nerr',
    )
    expect(await shell('kill -9 $$')).toMatchObject({ exitCode: -1 })
  })
  const long = (character: string, stream: 1 | 2) =>
    `printf '${character}%.0s' $(seq 5000) >&${stream}; printf short >&${3 - stream}`
  it('S2-Shell-16 keeps 4000 characters of stdout', async () => {
    for (const character of ['x', '水', '🚢'])
      expect(await shell(long(character, 1))).toMatchObject({
        stdout: `${character.repeat(4000)}...[truncated]`,
        stderr: 'short',
      })
    expect((await shell(`printf 'x%.0s' $(seq 4000)`)).stdout).toBe('x'.repeat(4000))
  })
  it('S2-Shell-17 and 4000 of stderr', async () => {
    expect(await shell(long('🚢', 2))).toMatchObject({ stdout: 'short', stderr: `${'🚢'.repeat(4000)}...[truncated]` })
  })
  it('S2-Shell-18 of stdout the beginning', async () => {
    expect((await shell('seq 100000')).stdout).toMatch(/^1\n2\n3\n[\d\n]*\.\.\.\[truncated\]$/)
  })
  it('S2-Shell-19 of stderr too', async () => {
    expect((await shell('seq 100000 >&2')).stderr).toMatch(/^1\n2\n3\n[\d\n]*\.\.\.\[truncated\]$/)
  })
})

describe('approval', () => {
  const world = openWorld({ interactive: true })
  const talk = openTalk(world)
  const touched = () => existsSync(join(world.workspace, 'touched'))
  const command = 'touch touched'
  /** Answers the next question, after a look at it. */
  const onceAsked = (answer: 'allow' | 'deny', look: (command: string | undefined) => void, note?: string) => {
    const stop = world.engine.subscribe((event) => {
      if (event.type !== 'call' || event.call.state.status !== 'awaiting') return
      stop()
      const { question } = event.call.state
      look(question.command)
      const said =
        answer === 'allow' ? { decision: 'allow', scope: 'once' } : { decision: 'deny', ...(note && { note }) }
      world.engine.runner.answer(question.id, said as Parameters<typeof world.engine.runner.answer>[1])
    })
  }
  const play = () => talk.play({ toolset: 'buddy' }, calls('run_shell', { command }), says('done'))
  const statuses = (states: ToolState[]) => states.map(({ status }) => status).filter((each) => each !== 'pending')

  beforeAll(() => world.engine.settings.setSection('tools', { shell_confirm: true }))

  decides(
    'S2-Shell-21 S2-Shell-22 S2-Shell-26',
    'with shell_confirm every command is asked about where the user is, before it is shown as running',
    async () => {
      const asked: unknown[] = []
      onceAsked('allow', (shown) => asked.push(shown, touched()))
      const { results, states } = await play()
      expect(asked).toEqual([command, false])
      expect(results).toEqual(['exit code: 0\nstdout:\n\nstderr:\n'])
      expect(touched()).toBe(true)
      const seen = statuses(states)
      expect(seen[0]).toBe('awaiting')
      expect(seen.indexOf('running')).toBeGreaterThan(seen.lastIndexOf('awaiting'))
    },
  )
  decides('S2-Shell-24 S2-Shell-25', 'what the user denies is told, and not run', async () => {
    const other = 'touch other'
    onceAsked('deny', () => {})
    const played = await talk.play({ toolset: 'buddy' }, calls('run_shell', { command: other }), says('done'))
    expect(played).toMatchObject({ reason: 'done', results: ['Command execution denied by user.'] })
    expect(statuses(played.states)).not.toContain('running')
    expect(existsSync(join(world.workspace, 'other'))).toBe(false)
    onceAsked('deny', () => {}, 'not today')
    const { results } = await play()
    expect(results).toEqual(['Command execution denied by user. They say: not today'])
  })
  it('without it a harmless command runs at once', async () => {
    world.engine.settings.setSection('tools', {})
    const { states } = await talk.play(
      { toolset: 'buddy', mode: 'safe' },
      calls('run_shell', { command: 'pwd' }),
      says('done'),
    )
    expect(statuses(states)).not.toContain('awaiting')
  })
})

describe('one shot on a terminal', () => {
  const line = openCommandLine()
  const args = (command: string) => ['--toolset', 'buddy', '--approve', 'ask', `Please run ${command}`]

  it('S2-Shell-23 asks with a simple prompt', async () => {
    for (const [typed, runs] of [
      ['y', true],
      ['n', false],
      ['', false],
    ] as const) {
      const command = `touch answer-${typed || 'none'}`
      line.model().push(calls('run_shell', { command }), says('done'))
      const terminal = line.run(args(command))
      await until(() => terminal.output().includes(`Run: ${command} [y/N]`))
      // The prompt comes first, and nothing looks as if it ran already.
      expect(terminal.output()).not.toContain('▸ run_shell')
      terminal.type(`${typed}\r`)
      expect(await terminal.exitCode).toBe(0)
      expect(existsSync(join(line.workspace(), `answer-${typed || 'none'}`))).toBe(runs)
      const told = line.model().requests.at(-1)?.body.messages.at(-1).content
      expect(told).toMatch(runs ? /^exit code: 0\n/ : /^Command execution denied by user\.$/)
    }
  }, 180_000)
})
