import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { calls, says } from '../e2e/scripted-model'
import { inputShape } from '../src-main/tools/input'
import { definitionsOf, type Tool, ToolFailure } from '../src-main/tools/tool'
import { createToolset } from '../src-main/toolsets'
import { createBuddyToolset, type Registration } from '../src-main/toolsets/buddy/buddy'
import { type SomeToolsetDeps, type ToolsetDeps, withoutServices } from '../src-main/toolsets/deps'
import { buddy, shellParts } from './buddy'
import { decides, openBench } from './harness'
import { refused, told } from './miclaw'
import { openTalk } from './talk'
import { openWorld } from './world'

const eight = ['run_shell', 'read_file', 'write_file', 'fetch_url', 'web_search', 'capture-pane', 'send-keys', 'time']
const world = openWorld()
const talk = openTalk(world)
const play = (...turns: Parameters<typeof talk.play> extends [unknown, ...infer T] ? T : never) =>
  talk.play({ toolset: 'buddy' }, ...turns)

/** A pane is all that two of the tools need to be there. */
const withPane = { hasPane: true } as unknown as ReturnType<ToolsetDeps['machine']>
const bare: SomeToolsetDeps = { table: {} as never, setTodo: () => {} }
const namesWith = (tools: object | undefined, extra: Partial<ToolsetDeps> = {}) => [
  ...createToolset('buddy', { ...bare, toolSettings: () => tools, machine: () => withPane, ...extra }).tools.keys(),
]

const greetShape = inputShape(() => z.object({ message: z.string() }))
/** As somebody adds one of their own. */
const greet: Tool<ReturnType<typeof greetShape.parse>> = {
  description: 'Does something useful.',
  ...greetShape,
  readOnly: true,
  access: (_, { workspace }) => ({ action: 'read', node: 'local', workspace, cwd: workspace }),
  gist: ({ message }) => message,
  async run({ message }) {
    if (message === 'fail') throw new ToolFailure('ExecutionFailed', 'it broke')
    return { content: [{ type: 'text', text: `processed: ${message}` }] }
  },
}
let enabled = true
const own: Registration = { name: 'my_tool', tool: greet as Tool, when: () => enabled }
const custom = openBench({
  label: 'buddy',
  create: (deps) => createBuddyToolset(withoutServices(deps), [own]),
  name: (tool) => tool,
})
const bench = openBench(buddy())

describe('a tool', () => {
  it('S2-Tool-01 has a name of its own', () => {
    const names = definitionsOf(world.engine.toolset('buddy')).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('run_shell')
  })
  it('S2-Tool-02 is defined as OpenAI wants functions defined', async () => {
    const { last } = await play(says('hello'))
    const tool = last.body.tools.find((each: { function: { name: string } }) => each.function.name === 'run_shell')
    expect(tool).toEqual({
      type: 'function',
      function: {
        name: 'run_shell',
        description: expect.stringMatching(/\S/),
        parameters: expect.objectContaining({ type: 'object', required: ['command'] }),
      },
    })
  })
  it('S2-Tool-03 gets its arguments as a raw JSON string', async () => {
    expect(shellParts(await told(bench, 'run_shell', '{"command":"echo \\u0061"}')).stdout).toBe('a')
  })
  decides('S2-Tool-04 S2-Err-03', 'what cannot be parsed is an invalid argument, and the turn goes on', async () => {
    for (const args of ['{"command":', '[]', '"ls"', '{"command":7}'])
      expect(await refused(bench, 'run_shell', args)).toMatch(/^Tool error: invalid arguments: /)
    const played = await play([{ call: 'run_shell', args: '{"command":' }], says('done'))
    expect(played).toMatchObject({
      reason: 'done',
      results: [expect.stringMatching(/^Tool error: invalid arguments: /)],
    })
  })
  it('S2-Tool-05 always answers in text', async () => {
    const answers = await Promise.all([
      bench.call('run_shell', { command: 'true' }),
      bench.call('time', {}),
      bench.call('read_file', { path: 'absent' }),
    ])
    for (const { content } of answers) expect(content).toEqual([{ type: 'text', text: expect.any(String) }])
  })
  it('S2-Tool-06 may tell of a failure in ordinary text', async () => {
    const { isError, content } = await bench.call('run_shell', { command: 'echo no >&2; exit 3' })
    expect({ isError, content }).toEqual({
      isError: false,
      content: [{ type: 'text', text: 'exit code: 3\nstdout:\n\nstderr:\nno' }],
    })
  })
  decides(
    'S2-Tool-07 S2-Err-04 S2-Err-05',
    'a hard error is told as the result of its call, and the conversation goes on',
    async () => {
      const played = await play([{ call: 'read_file', args: { path: 'absent' }, id: 'call_1' }], says('then not'))
      expect(played.reason).toBe('done')
      expect(played.last.body.messages.at(-1)).toEqual({
        role: 'tool',
        tool_call_id: 'call_1',
        content: expect.stringMatching(/^Tool error: execution failed: .*absent/),
      })
    },
  )
  it('S2-Tool-08 is shared by calls at the same time', async () => {
    const commands = Array.from({ length: 8 }, (_, n) => `sleep 0.2; echo ${n}; echo ${n}${n} >&2; exit ${n}`)
    const texts = await Promise.all(commands.map((command) => told(bench, 'run_shell', { command })))
    expect(texts.map(shellParts)).toEqual(commands.map((_, n) => ({ exitCode: n, stdout: `${n}`, stderr: `${n}${n}` })))
  })
})

describe('the registry', () => {
  it('S2-Registry-01 takes tools in', () => {
    expect([...createBuddyToolset(withoutServices(bare), [own]).tools.keys()].at(-1)).toBe('my_tool')
  })
  it('S2-Registry-02 collects their definitions for the request', async () => {
    const { last } = await play(says('hello'))
    const sent = last.body.tools.map((tool: { function: { name: string } }) => tool.function.name)
    expect(sent).toEqual([...world.engine.toolset('buddy').tools.keys()])
    expect(sent).toEqual(expect.arrayContaining(['run_shell', 'read_file', 'time']))
  })
  it('S2-Registry-03 finds a tool by its name', async () => {
    expect(await told(custom, 'my_tool', { message: 'hi' })).toBe('processed: hi')
    expect(await refused(custom, 'no_such_tool', {})).toBe('Tool error: execution failed: unknown tool: no_such_tool')
    expect(await refused(custom, 'constructor', {})).toContain('unknown tool: constructor')
  })
  it('S2-Registry-04 sends no list where there is no tool', async () => {
    const off = Object.fromEntries(
      ['shell', 'files', 'fetch', 'search', 'time'].map((name) => [`${name}_enabled`, false]),
    )
    world.engine.settings.setSection('tools', off)
    const { last } = await play(says('hello'))
    world.engine.settings.setSection('tools', {})
    expect(last.body).not.toHaveProperty('tools')
  })
})

describe('the built-in tools', () => {
  it('S2-Builtin-01 are eight', () => expect(namesWith({})).toEqual(eight))
  it('S2-Builtin-02 are there as the settings say', () => {
    const without = (tools: object) => eight.filter((name) => !namesWith(tools).includes(name))
    expect(without({ files_enabled: false })).toEqual(['read_file', 'write_file'])
    expect(without({ search_enabled: false })).toEqual(['web_search'])
    expect(without({ time_enabled: false })).toEqual(['time'])
    expect(without({ shell_enabled: 'perhaps', web_search: { endpoint: '' } })).toEqual([])
  })
  it('S2-Builtin-03 without a shell there is no run_shell, nor a way around it', async () => {
    expect(namesWith({ shell_enabled: false })).not.toContain('run_shell')
    expect(namesWith({ shell_enabled: false })).not.toContain('send-keys')
    world.engine.settings.setSection('tools', { shell_enabled: false })
    const { results } = await play(calls('run_shell', { command: 'true' }), says('done'))
    world.engine.settings.setSection('tools', {})
    expect(results).toEqual([expect.stringContaining('unknown tool: run_shell')])
  })
  it('S2-Builtin-04 without fetching there is no fetch_url', () => {
    expect(namesWith({ fetch_enabled: false })).toEqual(eight.filter((name) => name !== 'fetch_url'))
  })
})

describe('a tool of one’s own', () => {
  it('S2-Custom-01 is registered and called like any other', async () => {
    expect(custom.definition('my_tool')).toMatchObject({
      name: 'my_tool',
      description: 'Does something useful.',
      parameters: { required: ['message'] },
    })
    expect(await told(custom, 'my_tool', '{"message":"hello"}')).toBe('processed: hello')
  })
  it('S2-Custom-02 has its arguments checked', async () => {
    expect(await refused(custom, 'my_tool', {})).toBe('Tool error: invalid arguments: `message` is required')
    expect(await refused(custom, 'my_tool', { message: 'fail' })).toBe('Tool error: execution failed: it broke')
  })
  it('S2-Custom-03 may be behind a flag', async () => {
    enabled = false
    expect(custom.definition('my_tool')).toBeUndefined()
    expect(await refused(custom, 'my_tool', { message: 'hi' })).toContain('unknown tool')
    enabled = true
    expect(custom.definition('my_tool')).toBeDefined()
  })
})

describe('results and errors', () => {
  it('S2-Err-01 what is too long is cut before it is kept', async () => {
    writeFileSync(join(world.workspace, 'long.txt'), 'x'.repeat(50_000))
    const { session, results } = await play(calls('read_file', { path: 'long.txt' }), says('done'))
    expect(results).toEqual([`${'x'.repeat(8000)}...[truncated]`])
    const kept = JSON.stringify(world.engine.store.messages.page(session.id, undefined, 10))
    expect(kept).toContain('x'.repeat(8000))
    expect(kept).not.toContain('x'.repeat(8001))
  })
  it('S2-Err-02 errors are of two kinds', async () => {
    expect(await refused(bench, 'read_file', {})).toMatch(/^Tool error: invalid arguments: /)
    const others = [
      refused(bench, 'read_file', { path: 'absent' }),
      refused(bench, 'run_shell', { command: 'sleep 60', wait: 0.2 }),
      refused(bench, 'run_shell', { command: 'true', wait: false }),
      refused(bench, 'nothing', {}),
    ]
    for (const text of await Promise.all(others)) expect(text).toMatch(/^Tool error: execution failed: /)
  })
})
