import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { decides, type Json, until } from './harness'
import { type JoinedNode, openWorld } from './world'

const seven = ['Bash', 'Edit', 'Glob', 'Grep', 'Process', 'Read', 'Write']

describe('nodes', () => {
  const world = openWorld()
  let laptop: JoinedNode
  let server: JoinedNode

  beforeAll(async () => {
    laptop = await world.join('laptop', { env: { ONLY_ON_LAPTOP: 'secret-value' } })
    server = await world.join('server', { role: 'specialized' })
  })

  const toolsOf = (id: string): string[] =>
    world
      .definitions()
      .map(({ name }) => name)
      .filter((name) => name.startsWith(`${id}__`))
      .map((name) => name.slice(id.length + 2))
      .sort()
  const on = (node: string) => (tool: string, args: unknown) => world.answer(`${node}__${tool}`, args)
  const info = (id: string) => {
    const found = world.engine.nodes.registry.get(id)
    if (!found) throw new Error(`There is no node ${id}`)
    return found
  }

  describe('names', () => {
    it('S0-Gen-01 a node that is not connected offers nothing', async () => {
      const gone = await world.join('gone')
      expect(toolsOf('gone')).toEqual(seven)
      await gone.end()
      await until(() => info('gone').state !== 'connected')
      expect(toolsOf('gone')).toEqual([])
      expect((await world.call('gone__Read', { path: 'x' })).error).toMatchObject({ kind: 'NotFound' })
    })
    it('S0-Gen-02 a node brings its tools over the connection', () => {
      const brought = world.engine.nodes.gateway.tools('laptop').map(({ name }) => name)
      expect(brought).toEqual(expect.arrayContaining(seven))
    })
    it('S0-Gen-03 a tool runs on the machine of its node', async () => {
      const { output } = await on('laptop')('Bash', { command: 'echo $PPID $ONLY_ON_LAPTOP' })
      // Its shell hangs on the other process, and has what only that one has in its environment.
      expect((output as string).trim()).toBe(`${laptop.child.pid} secret-value`)
    })
    decides('S0-Gen-04 S0-Gen-05', 'laptop__Bash is Bash on laptop', async () => {
      expect(await on('laptop')('Bash', { command: 'pwd' })).toMatchObject({
        output: expect.stringContaining(laptop.workspace),
      })
    })
    it('S0-Gen-06 server__Read is Read on server', async () => {
      writeFileSync(join(server.workspace, 'where.txt'), 'on the server')
      expect(await on('server')('Read', { path: 'where.txt' })).toMatchObject({ content: '1\ton the server' })
    })
    it('S0-Gen-07 the same tool of two nodes is two tools', async () => {
      writeFileSync(join(laptop.workspace, 'both.txt'), 'laptop')
      writeFileSync(join(server.workspace, 'both.txt'), 'server')
      const [one, other] = await Promise.all([
        on('laptop')('Read', { path: 'both.txt' }),
        on('server')('Read', { path: 'both.txt' }),
      ])
      expect([one.content, other.content]).toEqual(['1\tlaptop', '1\tserver'])
    })
    it('S0-Gen-08 only the full name addresses a tool', async () => {
      expect((await world.call('Read', { path: 'both.txt' })).error).toMatchObject({ kind: 'NotFound' })
      expect((await world.call('Laptop__read', { path: 'both.txt' })).error).toMatchObject({ kind: 'NotFound' })
    })
  })

  describe('paths on another machine', () => {
    const put = (path: string, text: string) => writeFileSync(join(laptop.workspace, path), text)

    it('S0-Path-01 Read starts at its workspace', async () => {
      put('r.txt', 'here')
      expect(await on('laptop')('Read', { path: 'r.txt' })).toEqual({
        path: join(laptop.workspace, 'r.txt'),
        content: '1\there',
        lines: 1,
      })
    })
    it('S0-Path-02 Write starts at its workspace', async () => {
      expect(await on('laptop')('Write', { path: 'new/w.txt', content: 'ü' })).toEqual({
        path: join(laptop.workspace, 'new/w.txt'),
        bytes: 2,
      })
      expect(readFileSync(join(laptop.workspace, 'new/w.txt'), 'utf8')).toBe('ü')
    })
    it('S0-Path-03 Edit starts at its workspace', async () => {
      put('e.txt', 'old old')
      expect(
        await on('laptop')('Edit', { path: 'e.txt', oldString: 'old', newString: '$&', replaceAll: true }),
      ).toMatchObject({ replacements: 2 })
      expect(readFileSync(join(laptop.workspace, 'e.txt'), 'utf8')).toBe('$& $&')
    })
    it('S0-Path-04 Glob starts at its workspace', async () => {
      expect(await on('laptop')('Glob', { pattern: '**/w.txt', path: 'new' })).toMatchObject({
        basePath: join(laptop.workspace, 'new'),
        count: 1,
      })
    })
    it('S0-Path-05 Grep starts at its workspace', async () => {
      expect(await on('laptop')('Grep', { pattern: 'ü', path: 'new' })).toMatchObject({
        basePath: join(laptop.workspace, 'new'),
        count: 1,
      })
    })
    decides(
      'S0-Path-06 S0-Path-07 S0-Path-08 S0-Path-09 S0-Path-10',
      'absolute paths are used as they are',
      async () => {
        const file = join(server.workspace, 'absolute.txt')
        await on('laptop')('Write', { path: file, content: 'far' })
        await on('laptop')('Edit', { path: file, oldString: 'far', newString: 'near' })
        expect(await on('laptop')('Read', { path: file })).toMatchObject({ path: file, content: '1\tnear' })
        expect(await on('laptop')('Glob', { pattern: 'absolute.*', path: server.workspace })).toMatchObject({
          count: 1,
        })
        expect(await on('laptop')('Grep', { pattern: 'near', path: server.workspace })).toMatchObject({ count: 1 })
      },
    )
  })

  describe('every tool on another machine', () => {
    it('S0-Bash-19 waits for the end and returns all of the output', async () => {
      expect(await on('laptop')('Bash', { command: 'seq 1 3; exit 4' })).toMatchObject({
        status: 'failed',
        exitCode: 4,
        output: expect.stringContaining('3'),
      })
    })
    decides('S0-Bash-12 S0-Process-17 S0-Process-28 S0-Process-29', 'a background command lives there', async () => {
      const started = await on('laptop')('Bash', { command: 'read line; echo got $line; sleep 60', background: true })
      const { sessionId } = started as { sessionId: string }
      expect(started).toMatchObject({ status: 'running', pid: expect.any(Number) })
      await on('laptop')('Process', { action: 'submit', sessionId, data: 'hello' })
      const poll = () => on('laptop')('Process', { action: 'poll', sessionId })
      await until(async () => String((await poll()).tail).includes('got hello'))
      // The other node knows nothing of it.
      expect(await on('server')('Process', { action: 'poll', sessionId })).toMatchObject({ status: 'failed' })
      await on('laptop')('Process', { action: 'kill', sessionId })
      await until(async () => (await poll()).running === false)
      expect(await poll()).toMatchObject({ signal: 'SIGKILL' })
    })
    decides('S0-Read-13 S0-Read-18', 'an image arrives as an image', async () => {
      const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
      writeFileSync(join(laptop.workspace, 'dot.png'), Buffer.from(png, 'base64'))
      const { content } = await world.call('laptop__Read', { path: 'dot.png' })
      expect(content).toEqual([
        { type: 'text', text: 'Image file: dot.png (image/png, 70 bytes)' },
        { type: 'image', data: png, mimeType: 'image/png' },
      ])
    })
    decides('S0-Read-25 S0-Edit-14 S0-Process-04', 'failures say what is wrong', async () => {
      expect(await on('laptop')('Read', { path: 'missing' })).toEqual({ error: expect.stringContaining('missing') })
      expect(await on('laptop')('Edit', { path: 'r.txt', oldString: 'nowhere', newString: 'x' })).toEqual({
        error: expect.stringContaining('not found'),
      })
      expect((await world.call('laptop__Process', { action: 'screen', sessionId: 'x' })).error).toMatchObject({
        kind: 'InvalidArgs',
      })
    })
    decides('S0-Grep-15 S0-Grep-16 S0-Grep-17', 'search there has the same limits', async () => {
      writeFileSync(join(laptop.workspace, 'many.txt'), 'match\n'.repeat(150))
      const found = await on('laptop')('Grep', { pattern: 'match', include: 'many.*' })
      expect(found).toMatchObject({ truncated: true })
      expect([(found.matches as Json[]).length, 'count' in found]).toEqual([100, false])
    })
    it('S0-Bash-22 200,000 characters come over whole', async () => {
      const { output, truncated } = await on('laptop')('Bash', { command: 'head -c 300000 /dev/zero | tr "\\0" x' })
      expect([(output as string).length, truncated]).toEqual([200_000, true])
    })
  })

  describe('capabilities', () => {
    const capabilityOf = (tool: string) => world.engine.nodes.gateway.hub.link('laptop')?.runtime.toolCapabilities[tool]

    it.each([
      ['S0-Cap-01', 'Glob', 'filesystem.list'],
      ['S0-Cap-02', 'Read', 'filesystem.read'],
      ['S0-Cap-03', 'Write', 'filesystem.write'],
      ['S0-Cap-04', 'Edit', 'filesystem.edit'],
      ['S0-Cap-05', 'Grep', 'text.search'],
      ['S0-Cap-06', 'Bash', 'shell.exec'],
      ['S0-Cap-07', 'Process', 'shell.exec'],
    ])('%s %s reports %s', (_, tool, capability) => expect(capabilityOf(tool)).toEqual([capability]))
    it('S0-Cap-08 the gateway knows them', () => {
      expect(info('laptop').capabilities).toEqual([
        'filesystem.edit',
        'filesystem.list',
        'filesystem.read',
        'filesystem.write',
        'shell.exec',
        'text.search',
      ])
    })
    it('S0-Cap-09 skills are chosen by them', async () => {
      await world.result('WriteFile', {
        path: 'skills/shelly/SKILL.md',
        content: skill('shelly', { capabilities: ['shell.exec'] }),
      })
      await world.result('WriteFile', {
        path: 'skills/odd/SKILL.md',
        content: skill('odd', { capabilities: ['teleport'] }),
      })
      const rows = await world.engine.agents.skills.list('main')
      expect(rows.find(({ name }) => name === 'shelly')).toMatchObject({
        eligible: true,
        eligibleHosts: expect.arrayContaining(['laptop', 'server']),
      })
      expect(rows.find(({ name }) => name === 'odd')).toMatchObject({
        eligible: false,
        reasons: ['unknown capability: teleport'],
      })
    })
  })

  describe('roles', () => {
    it('S0-Role-01 each node has one', () => {
      expect([info('laptop').role, info('server').role]).toEqual(['execution', 'specialized'])
    })
    it('S0-Role-02 an execution host has all seven tools', () => expect(toolsOf('laptop')).toEqual(seven))
    it('S0-Role-03 an execution host becomes the primary one', () => {
      const { registry } = world.engine.nodes
      expect(registry.primary()).toMatchObject({ role: 'execution', primary: true })
      world.engine.updateSettings({ primaryNode: 'laptop' })
      expect(registry.primary().id).toBe('laptop')
    })
    it('S0-Role-04 a specialized host never does', () => {
      world.engine.updateSettings({ primaryNode: 'server' })
      expect(world.engine.nodes.registry.primary().role).toBe('execution')
      expect(info('server').primary).toBe(false)
    })
  })

  describe('what a node tells of its machine', () => {
    it('S0-Runtime-01 its system', () =>
      expect(info('laptop').os).toBe(process.platform === 'darwin' ? 'darwin' : 'linux'))
    it('S0-Runtime-02 the names of its variables, without values', () => {
      expect(info('laptop').envKeys).toContain('ONLY_ON_LAPTOP')
      expect(info('server').envKeys).not.toContain('ONLY_ON_LAPTOP')
      expect(JSON.stringify(info('laptop'))).not.toContain('secret-value')
    })
    decides('S0-Runtime-03 S0-Runtime-04 S0-Runtime-06', 'its programs, when somebody asks', async () => {
      expect(Object.keys(info('laptop').bins)).toEqual([])
      const before = Date.now()
      expect(await world.engine.nodes.gateway.probe('laptop', ['sh', 'no-such-program'])).toEqual({
        sh: true,
        'no-such-program': false,
      })
      expect(info('laptop').bins).toMatchObject({ sh: true, 'no-such-program': false })
      expect(info('laptop').binsCheckedAt).toBeGreaterThanOrEqual(before)
    })
    it('S0-Runtime-05 a program counts only if it can be run', async () => {
      const bin = join(world.root, 'bin')
      const node = await world.join('tinker', { env: { PATH: `${bin}:${process.env.PATH}`, HOME: tinkerHome(bin) } })
      writeFileSync(join(bin, 'plain-file'), 'not a program', { mode: 0o644 })
      writeFileSync(join(bin, 'a-program'), '#!/bin/sh\n', { mode: 0o755 })
      symlinkSync(join(bin, 'nowhere'), join(bin, 'dangling'))
      expect(await world.engine.nodes.gateway.probe('tinker', ['plain-file', 'a-program', 'dangling'])).toEqual({
        'plain-file': false,
        'a-program': true,
        dangling: false,
      })
      await node.end()
    })
  })

  /** A login shell makes its own PATH; this home's profile puts the folder back into it. */
  const tinkerHome = (bin: string): string => {
    const home = join(world.root, 'tinker-home')
    for (const folder of [home, bin]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(home, '.profile'), `PATH="${bin}:$PATH"\n`)
    rmSync(join(bin, 'dangling'), { force: true })
    return home
  }
})

const skill = (name: string, requires: object): string =>
  `---\nname: ${name}\ndescription: For a test\nmetadata: ${JSON.stringify({ gsv: { requires } })}\n---\n\nDo it.\n`
