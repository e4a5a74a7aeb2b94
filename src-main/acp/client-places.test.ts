import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import {
  type ClientCapabilities,
  type ClientConnection,
  client,
  methods,
  ndJsonStream,
  RequestError,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { calls, says, scriptedModel } from '../../e2e/scripted-model'
import { openEngine, saveScripted } from '../compose/test-engine'
import type { Engine } from '../engine'
import { type Bundle, bundle } from '../gateway/test-agent'

/** `deckhand acp` as a process of its own, with a client that has terminals and files, or has not, or misbehaves. */

const root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-client-')))
const workspace = join(root, 'work')
const data = join(root, 'data')
let model: Awaited<ReturnType<typeof scriptedModel>>
let program: Bundle
const open: { child: ChildProcess; connection: ClientConnection; end(): Promise<void> }[] = []

beforeAll(async () => {
  mkdirSync(workspace)
  mkdirSync(join(root, 'home'))
  model = await scriptedModel()
  program = await bundle('src-main/cli.ts')
  await inEngine(async (engine) => {
    engine.updateSettings({ defaultModel: await saveScripted(engine, model) })
  })
}, 180_000)
afterEach(async () => {
  for (const each of open.splice(0)) await each.end()
})
afterAll(async () => {
  program.remove()
  await model.close()
  rmSync(root, { recursive: true, force: true, maxRetries: 5 })
})

async function inEngine<Result>(work: (engine: Engine) => Result | Promise<Result>): Promise<Result> {
  const engine = await openEngine(data)
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

type Behaviour = 'does it' | 'refuses' | 'refuses to write' | 'is silent'

/** A terminal as an editor would have it. */
interface EditorTerminal {
  child: ChildProcess
  output: string
  ended: Promise<{ exitCode: number | null; signal: string | null }>
  released: boolean
}

interface Editor {
  sessionId: string
  prompt(text: string): ReturnType<ClientConnection['agent']['request']>
  cancel(): Promise<void>
  updates: SessionUpdate[]
  terminals: Map<string, EditorTerminal>
  /** What was asked of it, by method. */
  asked: string[]
  /** Files that are open with changes that are not saved. */
  buffers: Map<string, string>
}

async function editor(
  clientCapabilities: ClientCapabilities,
  behaviour: Behaviour = 'does it',
  approve = 'all',
): Promise<Editor> {
  const child = spawn(process.execPath, [program.script, 'acp', '--approve', approve, '--data', data], {
    cwd: workspace,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: join(root, 'home'),
      ELECTRON_RUN_AS_NODE: '1',
      SHELL: '/bin/sh',
      SOME_API_KEY: 'not-for-commands',
    },
  })
  const updates: SessionUpdate[] = []
  const terminals = new Map<string, EditorTerminal>()
  const buffers = new Map<string, string>()
  const asked: string[] = []
  const does = async <Result>(method: string, work: () => Result | Promise<Result>): Promise<Result> => {
    asked.push(method)
    if (behaviour === 'is silent') return new Promise<never>(() => {})
    if (behaviour === 'refuses' || (behaviour === 'refuses to write' && method === 'write'))
      throw RequestError.internalError(undefined, 'not here')
    return work()
  }
  const terminal = (id: string): EditorTerminal => {
    const found = terminals.get(id)
    if (!found || found.released) throw RequestError.resourceNotFound(id)
    return found
  }
  const { fs, terminal: t, session } = methods.client
  const connection = client({ name: 'editor' })
    .onNotification(session.update, ({ params }) => void updates.push(params.update))
    .onRequest(session.requestPermission, () => {
      asked.push('permission')
      return { outcome: { outcome: 'selected' as const, optionId: 'deny' } }
    })
    .onRequest(fs.readTextFile, ({ params: { path } }) =>
      does('read', () => ({ content: buffers.get(path) ?? readFileSync(path, 'utf8') })),
    )
    .onRequest(fs.writeTextFile, ({ params: { path, content } }) =>
      does('write', () => {
        buffers.delete(path)
        writeFileSync(path, content)
        return {}
      }),
    )
    .onRequest(t.create, ({ params: { command, args = [], env = [], cwd } }) =>
      does('create', () => {
        const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]))
        const run = spawn(command, args, {
          cwd: cwd ?? workspace,
          env: { ...process.env, SOME_API_KEY: 'not-for-commands', ...variables },
          detached: true,
        })
        const ended = once(run, 'close').then(([exitCode, signal]) => ({ exitCode, signal }))
        const made: EditorTerminal = { child: run, output: '', ended, released: false }
        for (const stream of [run.stdout, run.stderr])
          stream.on('data', (chunk: Buffer) => {
            made.output += chunk
          })
        const terminalId = `terminal-${terminals.size + 1}`
        terminals.set(terminalId, made)
        return { terminalId }
      }),
    )
    .onRequest(t.output, ({ params }) =>
      does('output', () => ({ output: terminal(params.terminalId).output, truncated: false })),
    )
    .onRequest(t.waitForExit, ({ params }) => does('wait', () => terminal(params.terminalId).ended))
    .onRequest(t.kill, ({ params }) =>
      does('kill', () => {
        process.kill(-(terminal(params.terminalId).child.pid ?? 0), 'SIGKILL')
        return {}
      }),
    )
    .onRequest(t.release, ({ params }) =>
      does('release', () => {
        const one = terminal(params.terminalId)
        one.released = true
        if (one.child.exitCode === null && one.child.signalCode === null) process.kill(-(one.child.pid ?? 0), 'SIGKILL')
        return {}
      }),
    )
    .connect(
      ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>,
      ),
    )
  open.push({
    child,
    connection,
    end: async () => {
      const ended = child.exitCode === null ? once(child, 'exit') : null
      connection.close()
      child.stdin.end()
      await ended
    },
  })
  const clientInfo = { name: 'testeditor', title: 'Test Editor', version: '1' }
  await connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities, clientInfo })
  const { sessionId } = await connection.agent.request(methods.agent.session.new, { cwd: workspace, mcpServers: [] })
  return {
    sessionId,
    prompt: (text) =>
      connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    cancel: () => connection.agent.notify(methods.agent.session.cancel, { sessionId }),
    updates,
    terminals,
    asked,
    buffers,
  }
}

const everything: ClientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true }
const file = (name: string) => join(workspace, name)
/** What the model was told of its last calls. */
const results = (): string[] =>
  (model.requests.at(-1)?.body.messages ?? [])
    .filter(({ role }: { role: string }) => role === 'tool')
    .map(({ content }: { content: unknown }) => (typeof content === 'string' ? content : JSON.stringify(content)))
const last = (): string => results().at(-1) ?? ''

test('commands run in the terminals of the client, which are embedded in their calls and released', async () => {
  const { sessionId, prompt, updates, terminals, asked } = await editor(everything)
  model.push(
    calls('Bash', {
      command: `echo seen; printf '\\033[31mred\\033[0m\\n'; echo "key: $SOME_API_KEY"; touch made.txt; exit 3`,
    }),
    says('Done.'),
  )
  expect(await prompt('run it')).toMatchObject({ stopReason: 'end_turn' })
  expect(asked).toEqual(['create', 'wait', 'output', 'release'])
  expect(terminals.get('terminal-1')?.released).toBe(true)
  expect(JSON.parse(last())).toMatchObject({ status: 'failed', exitCode: 3, output: 'seen\nred\nkey: \n' })
  const shown = updates.filter((update) => update.sessionUpdate === 'tool_call_update')
  expect(shown.at(-1)?.content).toEqual([{ type: 'terminal', terminalId: 'terminal-1' }])
  expect(shown.find(({ status }) => status === 'in_progress')).toBeDefined()
  expect(existsSync(file('made.txt'))).toBe(true)
  for (const each of open.splice(0)) await each.end()
  const [receipt] = await inEngine(({ receipts }) => receipts.list(sessionId))
  expect(receipt).toMatchObject({ state: 'done', created: 1 })
})

test('nothing is asked of the client for a call that the gate does not let through', async () => {
  const { prompt, asked } = await editor(everything, 'does it', 'ask')
  model.push(calls('Bash', { command: 'touch denied.txt' }), says('Then not.'))
  await prompt('run it')
  expect(asked).toEqual(['permission'])
  expect(existsSync(file('denied.txt'))).toBe(false)
})

test('a command that takes too long is killed there, and one that is stopped too', async () => {
  const { prompt, cancel, terminals, updates, asked } = await editor(everything)
  model.push(calls('Bash', { command: 'echo begun; sleep 600', timeout: 500 }), says('Too slow.'))
  await prompt('wait')
  expect(JSON.parse(last())).toMatchObject({ status: 'failed', timedOut: true, output: 'begun\n' })
  expect(asked).toContain('kill')
  model.push(calls('Bash', { command: 'sleep 601' }))
  const ended = prompt('wait again')
  await expect.poll(() => terminals.size, { timeout: 20_000 }).toBe(2)
  await expect
    .poll(() => updates.some((update) => JSON.stringify(update).includes('terminal-2')), { timeout: 20_000 })
    .toBe(true)
  await cancel()
  expect(await ended).toEqual({ stopReason: 'cancelled' })
  expect(await terminals.get('terminal-2')?.ended).toMatchObject({ signal: 'SIGKILL' })
})

test('files are read and written through the client, so that what is not saved is seen', async () => {
  const { prompt, buffers, asked, updates } = await editor(everything)
  writeFileSync(file('open.txt'), 'one\ntwo\n')
  buffers.set(file('open.txt'), 'one\ntwo, not saved\n')
  model.push(
    calls('Read', { path: 'open.txt' }),
    calls('Edit', { path: 'open.txt', oldString: 'one', newString: 'first' }),
    calls('Write', { path: 'new.txt', content: 'new\n' }),
    says('Done.'),
  )
  await prompt('change it')
  expect(results().at(-3)).toContain('two, not saved')
  expect(readFileSync(file('open.txt'), 'utf8')).toBe('first\ntwo, not saved\n')
  expect(readFileSync(file('new.txt'), 'utf8')).toBe('new\n')
  expect(asked.filter((method) => method === 'write')).toHaveLength(2)
  const diff = updates.flatMap((update) => (update.sessionUpdate === 'tool_call_update' ? (update.content ?? []) : []))
  expect(diff).toContainEqual({
    type: 'diff',
    path: file('open.txt'),
    oldText: 'one\ntwo, not saved',
    newText: 'first\ntwo, not saved',
  })
})

test('without terminals and files in the client ours are used', async () => {
  const { prompt, asked } = await editor({})
  writeFileSync(file('plain.txt'), 'on the disk\n')
  model.push(calls('Bash', { command: 'echo ours' }), calls('Read', { path: 'plain.txt' }), says('Done.'))
  await prompt('run it')
  expect(JSON.parse(results().at(-2) ?? '')).toMatchObject({ exitCode: 0, output: 'ours\n' })
  expect(last()).toContain('on the disk')
  expect(asked).toEqual([])
})

test('where the client refuses, ours are used', async () => {
  const { prompt, asked } = await editor(everything, 'refuses')
  model.push(
    calls('Bash', { command: 'echo refused > by-us.txt; echo ours' }),
    calls('Write', { path: 'refused.txt', content: 'written\n' }),
    says('Done.'),
  )
  await prompt('run it')
  expect(JSON.parse(results().at(-2) ?? '')).toMatchObject({ exitCode: 0, output: 'ours\n' })
  expect(readFileSync(file('refused.txt'), 'utf8')).toBe('written\n')
  expect(asked).toEqual(['create', 'write'])
})

test('what is not saved in the client is not overwritten behind its back', async () => {
  const { prompt, buffers } = await editor(everything, 'refuses to write')
  writeFileSync(file('typed.txt'), 'saved\n')
  buffers.set(file('typed.txt'), 'typed\n')
  model.push(calls('Write', { path: 'typed.txt', content: 'by the agent\n' }), says('Done.'))
  await prompt('write it')
  expect(last()).toContain('has changes in Test Editor that are not saved')
  expect(readFileSync(file('typed.txt'), 'utf8')).toBe('saved\n')
})

test('a client that never answers is waited for only so long, and nothing is run twice', async () => {
  const { prompt, asked } = await editor(everything, 'is silent')
  writeFileSync(file('plain.txt'), 'on the disk\n')
  model.push(
    calls('Bash', { command: 'echo once >> count.txt' }),
    calls('Read', { path: 'plain.txt' }),
    calls('Bash', { command: 'echo after >> count.txt' }),
    says('Done.'),
  )
  await prompt('run it')
  expect(results().at(-3)).toContain(
    'Test Editor did not open a terminal within 10 s. Whether the command has run is not known',
  )
  expect(results().at(-2)).toContain('on the disk')
  expect(asked).toEqual(['create', 'read'])
  expect(readFileSync(file('count.txt'), 'utf8')).toBe('after\n')
}, 60_000)
