import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { backendPlace } from '../../../src-preload/contract/backend-calls'
import { openEngine } from '../../compose/test-engine'
import type { Engine } from '../../engine'
import { makeFolder, removeFolder, writeProgram } from '../../test-folder'
import { testContext } from '../../tools/test-context'
import type { ToolContext } from '../../tools/tool'
import { sshHosts } from './ssh-config'
import { hasSshd, startSshd, type TestSshd } from './test-sshd'

let home: string
let sshd: TestSshd
let engine: Engine
const before = { PATH: process.env.PATH, HOME: process.env.HOME, TMUX_TMPDIR: process.env.TMUX_TMPDIR }

const open = async () => {
  engine = await openEngine(join(home, 'data'))
}

beforeEach(async () => {
  if (!hasSshd) return
  home = makeFolder('backends')
  mkdirSync(join(home, 'data'))
  mkdirSync(join(home, 'there'))
  sshd = await startSshd({ home: join(home, 'there'), tmuxFolder: home, passphrase: 'sesame', strict: true })
  mkdirSync(join(home, 'bin'))
  sshd.shim((name, body) => writeProgram(join(home, 'bin', name), body))
  Object.assign(process.env, { PATH: `${join(home, 'bin')}${delimiter}${before.PATH}`, TMUX_TMPDIR: home })
  await open()
})
afterEach(async () => {
  if (!hasSshd) return
  await engine.close()
  await sshd.stop()
  execFileSync('sh', ['-c', 'tmux kill-server 2>/dev/null || true'])
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  removeFolder(home)
})

/** Answers ssh's questions, as the user would in the window. */
function answering(secret: string): { asked: string[]; events: string[] } {
  const seen = { asked: [] as string[], events: [] as string[] }
  engine.subscribe((event) => {
    seen.events.push(JSON.stringify(event))
    if (event.type !== 'backend-questions') return
    for (const { id, kind, prompt } of event.questions) {
      seen.asked.push(`${kind} ${prompt}`)
      setImmediate(() => engine.shellNodes.questions.answer(id, kind === 'confirm' ? 'yes' : secret))
    }
  })
  return seen
}

const context = (sessionId: string): ToolContext => testContext(home, sessionId)
/** A pane's end of a channel, whose other end types. */
function typing(data: string): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port2.postMessage({ type: 'input', data })
  port2.unref()
  return port1
}
const run = async (sessionId: string, name: string, args: object) => {
  const tool = engine.toolset('deckhand').tools.get(name)
  if (!tool) throw new Error(`no ${name}`)
  const { content } = await tool.run(tool.parse(args), context(sessionId))
  const [first] = content
  return JSON.parse(first?.type === 'text' ? first.text : '')
}

test.skipIf(!hasSshd)(
  'an ssh host is added with an answer, its tools work there, and its terminals are found again',
  async () => {
    const { asked, events } = answering('sesame')
    const id = await engine.shellNodes.add({ kind: 'ssh', ...sshd.target }, 'box')
    expect(asked.map((each) => each.split(' ')[0])).toEqual(['confirm', 'secret'])
    expect(engine.nodes.registry.get(id)).toMatchObject({
      state: 'connected',
      workspace: join(home, 'there'),
      backend: { label: `ssh ${sshd.target.host}:${sshd.target.port}`, connecting: false },
    })
    const session = engine.createSession({ workspace: home })
    const there = (path: string) => join(home, 'there', path)

    expect(await run(session.id, 'Bash', { node: 'box', command: 'pwd; exit 3' })).toMatchObject({
      exitCode: 3,
      output: `${join(home, 'there')}\n`,
    })
    await run(session.id, 'Write', { node: 'box', path: 'notes/one.txt', content: 'first\nsecond ü\n' })
    expect(readFileSync(there('notes/one.txt'), 'utf8')).toBe('first\nsecond ü\n')
    expect(
      await run(session.id, 'Edit', { node: 'box', path: 'notes/one.txt', oldString: 'first', newString: '1st' }),
    ).toEqual({ path: there('notes/one.txt'), replacements: 1 })
    expect(await run(session.id, 'Read', { node: 'box', path: 'notes/one.txt', offset: 1 })).toMatchObject({
      path: there('notes/one.txt'),
      content: '2\tsecond ü',
    })
    const numbers = Array.from({ length: 2_000_000 }, (_, index) => `line ü ${index + 1}\n`).join('')
    writeFileSync(there('long'), numbers)
    expect(await run(session.id, 'Read', { node: 'box', path: 'long', offset: 1_500_000, limit: 2 })).toMatchObject({
      content: '1500001\tline ü 1500001\n1500002\tline ü 1500002',
      lines: 2,
    })
    const place = engine.shellNodes.get('box')
    if (!place) throw new Error('It is not connected')
    const wanted = { offset: 1_000_000, limit: 3, maxBytes: 1000 }
    expect((await place.files.lines(there('long'), wanted, { signal: AbortSignal.timeout(60_000) }))?.lines).toEqual(
      [1, 2, 3].map((number) => `line ü ${1_000_000 + number}`),
    )
    const all = await run(session.id, 'Read', { node: 'box', path: 'long' })
    expect(all).toMatchObject({ truncated: true, nextOffset: all.lines })
    expect(await run(session.id, 'Read', { node: 'box', path: 'long', offset: 3_000_000 })).toMatchObject({
      lines: 0,
      note: 'The file has 2000000 lines',
    })
    writeFileSync(there('one-line'), '漢'.repeat(1_000_000))
    expect(await run(session.id, 'Read', { node: 'box', path: 'one-line' })).toMatchObject({ truncated: true })
    writeFileSync(there('wide'), Buffer.from('\ufefföne\ntwo\n', 'utf16le'))
    expect(await run(session.id, 'Read', { node: 'box', path: 'wide', offset: 1 })).toMatchObject({ content: '2\ttwo' })
    for (const name of ['long', 'one-line', 'wide']) rmSync(there(name))
    expect(await run(session.id, 'Glob', { node: 'box', pattern: '**/*.txt' })).toMatchObject({
      matches: [there('notes/one.txt')],
    })
    expect(await run(session.id, 'Grep', { node: 'box', pattern: 'sec+ond', include: '*.{txt,md}' })).toMatchObject({
      matches: [{ path: there('notes/one.txt'), line: 2, content: 'second ü' }],
    })
    const patch = [
      '*** Begin Patch',
      '*** Update File: notes/one.txt\n-1st\n+zeroth',
      '*** Add File: notes/two.txt\n+new',
      '*** End Patch',
    ].join('\n')
    const patching = engine.toolset('deckhand').tools.get('ApplyPatch')
    const input = patching?.parse({ node: 'box', patch })
    expect(await patching?.preview?.(input, context(session.id))).toMatchObject([
      { path: 'notes/one.txt', kind: 'update', added: 1, removed: 1 },
      { path: 'notes/two.txt', kind: 'add' },
    ])
    expect(readFileSync(there('notes/one.txt'), 'utf8')).toContain('1st')
    await run(session.id, 'ApplyPatch', { node: 'box', patch })
    expect(readFileSync(there('notes/one.txt'), 'utf8')).toBe('zeroth\nsecond ü\n')
    symlinkSync('one.txt', there('notes/link'))
    mkdirSync(there('notes/deep'))
    expect(await run(session.id, 'List', { node: 'box', path: 'notes' })).toEqual({
      path: there('notes'),
      count: 4,
      entries: [
        { name: 'deep', type: 'directory' },
        { name: 'link', type: 'link' },
        { name: 'one.txt', type: 'file', size: 17 },
        { name: 'two.txt', type: 'file', size: 4 },
      ],
    })
    await run(session.id, 'Delete', { node: 'box', path: 'notes/link' })
    await expect(run(session.id, 'Delete', { node: 'box', path: 'notes' })).rejects.toMatchObject({
      kind: 'InvalidPath',
      message: expect.stringContaining('not empty'),
    })
    await expect(run(session.id, 'Delete', { node: 'box', path: '.' })).rejects.toMatchObject({ kind: 'InvalidPath' })
    await run(session.id, 'Delete', { node: 'box', path: 'notes', recursive: true })
    expect(existsSync(there('notes'))).toBe(false)
    expect(await engine.shellNodes.probe('box', ['sh', 'no-such-program'], 20_000)).toEqual({
      sh: true,
      'no-such-program': false,
    })
    expect(
      await run(session.id, 'Transfer', { source: 'box:sshd/host.pub', destination: 'gsv:keys/host.pub' }),
    ).toMatchObject({ bytesTransferred: expect.any(Number), mime: 'text/plain' })
    expect(readFileSync(join(home, 'data/agents/main/keys/host.pub'))).toEqual(readFileSync(there('sshd/host.pub')))
    expect(await run(session.id, 'NodeLogs', { nodeId: 'box' })).toMatchObject({
      nodeId: 'box',
      lines: [expect.stringContaining('Connected')],
      truncated: false,
    })
    await expect(run(session.id, 'Read', { node: 'box', path: 'nothing' })).rejects.toMatchObject({
      kind: 'FileNotFound',
    })

    const { sessionId: processId } = await run(session.id, 'Bash', {
      node: 'box',
      command: 'echo started; read line; echo "read $line"',
      background: true,
    })
    await expect.poll(() => engine.table.tail(processId), { timeout: 20_000 }).toContain('started')
    await engine.close()
    expect(events.join()).not.toContain('sesame')
    expect(readFileSync(join(home, 'data', 'deckhand.log'), { flag: 'a+' }).toString()).not.toContain('sesame')

    await open()
    expect(engine.table.get(processId)).toMatchObject({ status: 'running', link: 'down' })
    answering('sesame')
    await engine.shellNodes.connect('box')
    expect(engine.table.get(processId)).toMatchObject({ status: 'running', link: 'up' })
    await run(session.id, 'Process', { action: 'submit', sessionId: processId, data: 'on' })
    await engine.table.wait(processId, 20_000)
    expect((await engine.table.output(processId, { maxChars: 100 })).text).toBe('started\non\nread on\n')
  },
  120_000,
)

test.skipIf(!hasSshd)(
  'a refused answer adds nothing',
  async () => {
    answering('wrong')
    await expect(engine.shellNodes.add({ kind: 'ssh', ...sshd.target }, 'box')).rejects.toThrow(
      `ssh ${sshd.target.host}`,
    )
    expect(engine.nodes.registry.get('box')).toBeUndefined()
  },
  60_000,
)

test.skipIf(!hasSshd)(
  'a lost connection is noticed, and the card says why there is none',
  async () => {
    answering('sesame')
    await engine.shellNodes.add({ kind: 'ssh', ...sshd.target }, 'box')
    const session = engine.createSession({ workspace: home })
    const { sessionId: id } = await run(session.id, 'Bash', { node: 'box', command: 'cat', background: true })
    sshd.dropConnections()
    await expect.poll(() => engine.table.get(id)?.link, { timeout: 30_000 }).toBe('down')
    await expect.poll(() => engine.nodes.registry.get('box')?.state, { timeout: 30_000 }).toBe('disconnected')
    await expect.poll(() => engine.nodes.registry.get('box')?.problem, { timeout: 30_000 }).toContain('ssh')
    await engine.shellNodes.connect('box')
    expect(engine.table.get(id)).toMatchObject({ status: 'running', link: 'up' })
    await engine.shellNodes.disconnect('box')
    expect(engine.table.get(id)).toMatchObject({ status: 'running', link: 'down' })
    // A pane that is still open must not reopen the connection.
    const connections = sshd.connections()
    engine.localNode.attachPane({ id, logPath: engine.table.logPath(id), exit: null }, typing('x'))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(sshd.connections()).toBe(connections)
    await engine.shellNodes.connect('box')
    await expect.poll(() => engine.nodes.registry.get('box')?.latencyMs, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(() => engine.shellNodes.rename('box', engine.nodes.registry.localId())).toThrow()
    engine.shellNodes.rename('box', 'crate')
    expect(engine.nodes.registry.get('box')).toBeUndefined()
    expect(engine.table.get(id)).toMatchObject({ node: 'crate', status: 'running', link: 'up' })
    await run(session.id, 'Process', { action: 'submit', sessionId: id, data: 'still here' })
    await expect.poll(() => engine.table.tail(id), { timeout: 20_000 }).toContain('still here')
    expect(await run(session.id, 'Bash', { node: 'crate', command: 'echo new name' })).toMatchObject({ exitCode: 0 })
    expect(engine.table.list(session.id).map(({ node }) => node)).toEqual(['crate', 'crate'])
    await engine.shellNodes.remove('crate')
    expect(engine.nodes.registry.get('crate')).toBeUndefined()
    expect(engine.table.get(id)).toMatchObject({ status: 'lost' })
  },
  120_000,
)

test.skipIf(!hasSshd)(
  'a session of tmux on this machine is a node',
  async () => {
    const id = await engine.shellNodes.add({ kind: 'local', tmux: true })
    expect(engine.nodes.registry.get(id)).toMatchObject({
      id: 'tmux',
      backend: { attach: expect.stringMatching(/^tmux attach -t buddy-/) },
    })
    const session = engine.createSession({ workspace: home })
    expect(await run(session.id, 'Bash', { node: id, command: 'echo "$TMUX_PANE"' })).toMatchObject({
      output: expect.stringMatching(/^%\d+\n$/),
    })
    engine.updateSettings({ primaryNode: id })
    expect(engine.shellNodes.current()).toMatchObject({ kind: 'local-tmux', id: 'tmux' })
  },
  60_000,
)

test('a place that would be read as an option is none', () => {
  for (const place of [
    { kind: 'ssh', host: '-oProxyCommand=touch /tmp/x' },
    { kind: 'ssh', host: 'a b' },
    { kind: 'container', name: '--privileged' },
    { kind: 'local', tmux: 'a;b' },
  ])
    expect(backendPlace.safeParse(place).success).toBe(false)
  expect(backendPlace.safeParse({ kind: 'ssh', host: 'me@host', port: 22 }).success).toBe(true)
})

test('hosts are read from the configuration of ssh, patterns are none', () => {
  const folder = makeFolder('ssh-config')
  const file = join(folder, 'config')
  writeFileSync(join(folder, 'more'), 'Host inner\n')
  writeFileSync(
    file,
    `Host one two *.example.com !three\n  User me\nhost=four\nMatch all\nInclude ${join(folder, 'mo*')}\n`,
  )
  expect(sshHosts(file)).toEqual(['one', 'two', 'four', 'inner'])
  removeFolder(folder)
})
