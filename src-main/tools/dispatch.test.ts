import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Verdict } from '../../src-preload/contract/approval'
import type { Grant, ToolState } from '../../src-preload/contract/tool-calls'
import type { Access, Decision } from '../approval/types'
import { type CallOutcome, ToolBug } from './call-outcome'
import { dispatch } from './dispatch'
import type { CallGate } from './permission'
import type { QuestionDraft } from './question'
import { type Tool, ToolFailure, type Toolset } from './tool'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'deckhand-dispatch-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

interface Say {
  command: string
}

/** Returns its command, and records what it ran. */
function sayTool(over: Partial<Tool<Say>> = {}): Tool<Say> & { ran: string[] } {
  const ran: string[] = []
  const parse = (raw: unknown): Say => {
    const { command } = raw as Say
    if (typeof command !== 'string') throw new ToolFailure('InvalidArgs', '`command` is required')
    return { command }
  }
  return {
    ran,
    description: '',
    schema: { type: 'object', properties: { command: { type: 'string' } } },
    parse,
    readOnly: false,
    access: ({ command }) => ({ action: 'exec', node: 'local', cwd: '/w', workspace: '/w', command }),
    gist: ({ command }) => command,
    withCommand: (_, command) => parse({ command }),
    async run({ command }) {
      ran.push(command)
      return { content: [{ type: 'text', text: `said ${command}` }] }
    },
    ...over,
  }
}

const toolset = (tools: Record<string, Tool<Say>>): Toolset => ({
  name: 'test',
  tools: new Map(Object.entries(tools)) as Toolset['tools'],
  renderFailure: ({ kind, message }) => [{ type: 'text', text: `${kind}: ${message}` }],
})

const decision = (verdict: Verdict, more: Partial<Decision> = {}): Decision => ({
  verdict,
  reason: `because ${verdict}`,
  subCommands: [],
  ruleIds: [],
  offers: [],
  resources: [],
  targets: [],
  ...more,
})

interface Told {
  gists: string[]
  grants: Grant[]
  states: ToolState[]
  drafts: QuestionDraft[]
  remembered: unknown[]
}

async function call(
  args: unknown,
  options: {
    tool?: Tool<Say>
    name?: string
    decide?: (access: Access) => Decision
    answer?: Answer | (() => Promise<Answer>)
    signal?: AbortSignal
    maxResultBytes?: number
    begin?: CallGate['begin']
  } = {},
): Promise<Told & { outcome: CallOutcome | { thrown: unknown } }> {
  const told: Told = { gists: [], grants: [], states: [], drafts: [], remembered: [] }
  const gate: CallGate = {
    mode: 'safe',
    decide: options.decide ?? (() => decision('allow')),
    async ask(draft) {
      told.drafts.push(draft)
      const { answer } = options
      if (!answer) throw new Error('nobody should have been asked')
      return { answer: typeof answer === 'function' ? await answer() : answer }
    },
    remember: (answer) => void told.remembered.push(answer),
    ...(options.begin && { begin: options.begin }),
  }
  const sink = {
    gist: (text: string) => told.gists.push(text),
    grant: (grant: Grant) => told.grants.push(grant),
    state: (state: ToolState) => told.states.push(state),
  }
  const outcome = await dispatch(
    { toolset: toolset({ Say: options.tool ?? sayTool() }), name: options.name ?? 'Say', arguments: args },
    { sessionId: 's', callId: 'call-1', workspace: '/w', signal: options.signal ?? new AbortController().signal },
    gate,
    sink,
    { maxResultBytes: options.maxResultBytes ?? 10_000, spillDir: join(dir, 'spill') },
  ).catch((thrown: unknown) => ({ thrown }))
  return { ...told, outcome }
}

const failed = (kind: string, message: string) => ({
  content: [{ type: 'text', text: `${kind}: ${message}` }],
  isError: true,
  error: { kind, message },
})

describe('parse', () => {
  it('runs an allowed call and tells its life', async () => {
    const content = [{ type: 'text', text: 'said hi' }]
    expect(await call('{"command":"hi"}')).toEqual({
      outcome: { content, isError: false, error: null },
      gists: ['hi'],
      grants: [{ by: 'mode', mode: 'safe', reason: 'because allow' }],
      states: [{ status: 'running' }, { status: 'done', content }],
      drafts: [],
      remembered: [],
    })
  })

  it('takes arguments that are already a value', async () => {
    expect((await call({ command: 'hi' })).outcome).toMatchObject({ content: [{ text: 'said hi' }] })
  })

  it('says where the JSON is broken', async () => {
    const { outcome, states } = await call('{"command": "a" "b"}')
    expect(outcome).toMatchObject({
      isError: true,
      error: { kind: 'InvalidArgs', message: expect.stringContaining('position 16') },
    })
    expect(states.at(-1)).toMatchObject({ status: 'failed' })
  })

  it.each([
    ['{"command":"ls","command":"rm x"}', 'command'],
    ['{"a":[{"b":1}],"c":{"d":"\\"x\\":","d":2}}', 'd'],
    ['{"command":"ls","c\\u006fmmand":"rm x"}', 'command'],
  ])('refuses the same name twice: %s', async (text, name) => {
    expect((await call(text)).outcome).toMatchObject({
      error: { kind: 'InvalidArgs', message: expect.stringContaining(`\`${name}\` twice`) },
    })
  })

  it('names the nearest tool for one that does not exist', async () => {
    expect((await call('{}', { name: 'say_text' })).outcome).toEqual(
      failed('NotFound', 'There is no tool named "say_text". Did you mean Say?'),
    )
  })

  it.each(['constructor', '__proto__', 'toString'])('does not find %s', async (name) => {
    expect((await call('{}', { name })).outcome).toMatchObject({ error: { kind: 'NotFound' } })
  })

  it('treats empty arguments as none', async () => {
    expect((await call('')).outcome).toEqual(failed('InvalidArgs', '`command` is required'))
  })

  it('tells of arguments that the tool does not know, and does not run it', async () => {
    const { outcome } = await call({ command: 'ls', force: true })
    expect(outcome).toEqual(failed('InvalidArgs', 'Unknown argument: force; known: command'))
    expect((await call({ cmd: 'ls' })).outcome).toEqual(
      failed('InvalidArgs', '`command` is required; Unknown argument: cmd; known: command'),
    )
  })
})

describe('decide and ask', () => {
  it('refuses with the reason and does not run', async () => {
    const tool = sayTool()
    const { outcome, states } = await call({ command: 'x' }, { tool, decide: () => decision('deny') })
    expect(outcome).toEqual(failed('PermissionDenied', 'Not permitted: because deny'))
    expect(states).toEqual([{ status: 'denied', message: 'Not permitted: because deny' }])
    expect(tool.ran).toEqual([])
  })

  it('shows everything the gate found', async () => {
    const { drafts, grants, remembered } = await call(
      { command: 'npm test' },
      {
        decide: () =>
          decision('ask', {
            typedWord: 'run',
            resources: ['/etc/hosts'],
            subCommands: [{ text: 'npm test', verdict: 'ask', reason: 'unknown program' }],
            offers: [{ scope: 'workspace', matches: [], sentence: 'npm test, in this folder' }],
          }),
        answer: { decision: 'allow', scope: 'rule', offer: 0 },
      },
    )
    expect(drafts).toEqual([
      {
        kind: 'command',
        title: 'Run a command',
        node: 'local',
        cwd: '/w',
        command: 'npm test',
        reason: 'because ask',
        typedWord: 'run',
        resources: ['/etc/hosts'],
        subCommands: [{ text: 'npm test', verdict: 'ask', reason: 'unknown program' }],
        offers: [{ index: 0, scope: 'workspace', sentence: 'npm test, in this folder' }],
        editable: true,
      },
    ])
    expect(grants).toEqual([{ by: 'user', scope: 'workspace', edited: false, reason: 'because ask' }])
    expect(remembered).toEqual([{ decision: 'allow', scope: 'rule', offer: 0 }])
  })

  it('runs the edited command and tells the model', async () => {
    const tool = sayTool()
    const { outcome, gists, grants } = await call(
      { command: 'rm -r a' },
      { tool, decide: () => decision('ask'), answer: { decision: 'allow-edited', command: 'rm a' } },
    )
    expect(tool.ran).toEqual(['rm a'])
    expect(gists).toEqual(['rm -r a', 'rm a'])
    expect(grants).toMatchObject([{ by: 'user', edited: true }])
    expect(outcome).toMatchObject({
      content: [{ text: 'said rm a' }, { text: 'The user edited the command before allowing it. What ran: rm a' }],
    })
  })

  it('decides an edited command anew', async () => {
    const tool = sayTool()
    const { outcome } = await call(
      { command: 'a' },
      {
        tool,
        decide: ({ command }) => decision(command === 'a' ? 'ask' : 'deny'),
        answer: { decision: 'allow-edited', command: 'b' },
      },
    )
    expect(outcome).toEqual(failed('PermissionDenied', 'The edited command is not permitted: because deny'))
    expect(tool.ran).toEqual([])
  })

  it("passes the user's note on", async () => {
    const { outcome, states } = await call(
      { command: 'a' },
      { decide: () => decision('ask'), answer: { decision: 'deny', note: 'use yarn' } },
    )
    expect(outcome).toEqual(failed('PermissionDenied', 'The user denied this call and says: use yarn'))
    expect(states).toEqual([{ status: 'denied', message: 'You denied it: use yarn' }])
  })

  it('shows the diff, and does not ask about a change that cannot be made', async () => {
    const diff = [{ path: 'a', kind: 'update' as const, patch: '', added: 1, removed: 0 }]
    const asked = await call(
      { command: 'a' },
      {
        tool: sayTool({ preview: async () => diff }),
        decide: () => decision('ask'),
        answer: { decision: 'allow', scope: 'once' },
      },
    )
    expect(asked.drafts).toMatchObject([{ diff }])
    const preview = async () => {
      throw new ToolFailure('FileNotFound', 'gone')
    }
    const { outcome, drafts } = await call(
      { command: 'a' },
      { tool: sayTool({ preview }), decide: () => decision('ask') },
    )
    expect(drafts).toEqual([])
    expect(outcome).toEqual(failed('FileNotFound', 'gone'))
  })

  it('hands the environment that the gate wants to an automatic run only', async () => {
    const seen: unknown[] = []
    const run: Tool<Say>['run'] = async (_, context) => {
      seen.push(context.env)
      return { content: [] }
    }
    const env = { GIT_PAGER: 'cat' }
    await call({ command: 'a' }, { tool: sayTool({ run }), decide: () => decision('allow', { env }) })
    const answer: Answer = { decision: 'allow', scope: 'once' }
    await call({ command: 'a' }, { tool: sayTool({ run }), decide: () => decision('ask', { env }), answer })
    expect(seen).toEqual([env, undefined])
  })
})

describe('run', () => {
  it('turns an error of the system into a failure', async () => {
    const run = async () => {
      throw Object.assign(new Error('x'), { code: 'ENOSPC', syscall: 'write', path: '/w/a' })
    }
    expect((await call({ command: 'a' }, { tool: sayTool({ run }) })).outcome).toEqual(
      failed('ExecutionFailed', 'No space left on the device: /w/a (ENOSPC)'),
    )
  })

  it('lets a bug through, after the call has come to its end', async () => {
    const run = async () => {
      throw new TypeError('oops')
    }
    const { outcome, states } = await call({ command: 'a' }, { tool: sayTool({ run }) })
    expect(outcome).toEqual({ thrown: expect.any(ToolBug) })
    expect(states.at(-1)).toMatchObject({ status: 'failed', error: { kind: 'ExecutionFailed' } })
  })

  it('stops at once, also when the tool does not listen', async () => {
    const stop = new AbortController()
    const display = { type: 'text' as const, text: 'half' }
    const run: Tool<Say>['run'] = (_, context) => {
      context.show(display)
      setTimeout(() => stop.abort(), 10)
      return new Promise(() => {})
    }
    const { outcome, states } = await call({ command: 'a' }, { tool: sayTool({ run }), signal: stop.signal })
    expect(outcome).toEqual({ thrown: stop.signal.reason })
    expect(states.at(-1)).toEqual({ status: 'aborted', message: 'Stopped', display })
  })

  it('is watched from before it runs until it has ended, however it ends', async () => {
    const seen: string[] = []
    const begin = async () => {
      seen.push('begin')
      return () => void seen.push('end')
    }
    const ran = (work: () => Promise<never>) =>
      sayTool({
        run: () => {
          seen.push('run')
          return work()
        },
      })
    const failing = ran(async () => {
      throw new ToolFailure('ExecutionFailed', 'it broke')
    })
    await call({ command: 'a' }, { begin, tool: failing })
    expect(seen.splice(0)).toEqual(['begin', 'run', 'end'])

    const stop = new AbortController()
    const endless = ran(() => {
      setTimeout(() => stop.abort(), 10)
      return new Promise<never>(() => {})
    })
    await call({ command: 'a' }, { begin, tool: endless, signal: stop.signal })
    expect(seen.splice(0)).toEqual(['begin', 'run', 'end'])

    await call({ command: 'a' }, { begin, decide: () => decision('deny') })
    expect(seen).toEqual([])
  })

  it('stops while it waits for an answer', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 10)
    const { outcome, states } = await call(
      { command: 'a' },
      { decide: () => decision('ask'), answer: () => new Promise(() => {}), signal: stop.signal },
    )
    expect(outcome).toEqual({ thrown: stop.signal.reason })
    expect(states).toEqual([{ status: 'aborted', message: 'Stopped' }])
  })

  it('bounds what the model reads and keeps the rest on disk', async () => {
    const long = `head${'x'.repeat(50_000)}tail`
    const run = async () => ({ content: [{ type: 'text' as const, text: long }] })
    const { outcome } = await call({ command: 'a' }, { tool: sayTool({ run }), maxResultBytes: 2_000 })
    const { text } = (outcome as CallOutcome).content[0] as { text: string }
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000)
    const path = join(dir, 'spill', 'call-1.txt')
    expect(text).toMatch(/^head.*bytes left out; the whole text is in .*tail$/s)
    expect(text).toContain(path)
    expect(readFileSync(path, 'utf8')).toBe(long)
  })
})
