import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ImportItem } from '../../src-preload/contract/moving-in'
import { openEngine } from '../compose/test-engine'
import type { Engine } from '../engine'
import { memorySecrets, type SecretStore } from '../settings/secrets'
import { makeFolder, removeFolder } from '../test-folder'
import { writeHomes } from './test-homes'
import { writeOpencodeDatabase } from './test-opencode-database'

let root: string
let home: string
let data: string
let engine: Engine
let secrets: SecretStore

beforeEach(async () => {
  root = makeFolder('import')
  ;[home, data] = [join(root, 'home'), join(root, 'data')]
  mkdirSync(join(root, 'work'))
  writeHomes(home, join(root, 'work'))
  writeOpencodeDatabase(home, join(root, 'work'))
  secrets = { ...memorySecrets(), kind: 'keychain' }
  engine = await openEngine(data, { secrets })
})
afterEach(async () => {
  await engine.close()
  removeFolder(root)
})

const look = async () => (await engine.movingIn.look(home)).items
const sketch = ({ tool, kind, name, state }: ImportItem): string => `${tool} ${kind} ${name}: ${state}`
/** Every file of the home with its content and time, so that a change would be seen. */
const picture = (): string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const { mtimeMs, mode } = statSync(join(home, path))
      return `${path} ${mtimeMs} ${mode} ${statSync(join(home, path)).isFile() ? readFileSync(join(home, path), 'utf8') : ''}`
    })
const take = async (wanted: (item: ImportItem) => boolean) =>
  engine.movingIn.take(
    (await look()).filter((item) => item.state === 'ready' && wanted(item)).map(({ id }) => id),
    home,
  )

it('finds what each program has, and says what cannot be carried over', async () => {
  expect((await look()).map(sketch)).toMatchSnapshot()
  expect(await engine.movingIn.tools(home)).toEqual(['claude', 'codex', 'opencode', 'gemini', 'vscode'])
  expect(await engine.movingIn.look(join(root, 'nobody'))).toMatchObject({ items: [] })
})

it('translates permissions into rules that are never wider', async () => {
  const rules = (await look()).filter(({ kind }) => kind === 'rule')
  expect(rules.map(({ name, becomes, note }) => [name, becomes || note])).toMatchSnapshot()
  const { done } = await take(({ kind, name }) => kind === 'rule' && /cargo build|curl|docs\.example/.test(name))
  expect(done).toHaveLength(3)
  expect(engine.store.rules.list().map(({ verdict, match }) => [verdict, match])).toEqual([
    ['allow', { kind: 'prefix', argv: ['cargo', 'build'] }],
    ['allow', { kind: 'host', host: 'docs.example.com' }],
    ['deny', { kind: 'prefix', argv: ['curl'] }],
  ])
  const { id } = engine.createSession({ workspace: join(root, 'work'), mode: 'all' })
  const signal = AbortSignal.timeout(20_000)
  const { error } = await engine.runner.call(id, 'Bash', '{"command":"curl https://x.example"}', { signal })
  expect(error?.kind).toBe('PermissionDenied')
})

it('takes over everything that it can, once, and writes nothing back', async () => {
  const before = picture()
  const { done, failed } = await take(() => true)
  expect(failed).toEqual([])
  expect(done.length).toBeGreaterThan(25)
  expect(picture()).toEqual(before)

  const settings = readFileSync(join(data, 'settings.json'), 'utf8')
  const saved = JSON.parse(settings)
  expect(Object.keys(saved.mcpServers).sort()).toEqual(['docs', 'far', 'files', 'github', 'maps', 'play', 'search'])
  for (const secret of ['hidden-token', 'hidden-key']) expect(settings).not.toContain(secret)
  expect(saved.mcpServers.files).toMatchObject({ env: { LOG: '1' }, secretEnv: ['API_KEY'] })
  expect(saved.mcpServers.search).toMatchObject({ command: 'bun', args: ['x', 'search'], env: { A: 'b' } })
  expect(saved.hooks.PostToolUse).toEqual([
    { matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'prettier --write .', timeout: 60 }] },
  ])

  expect(readFileSync(join(data, 'commands/git/commit.md'), 'utf8')).toContain('$ARGUMENTS: !`git diff`')
  for (const name of ['review', 'test', 'ship', 'plan'])
    expect(existsSync(join(data, `commands/${name}.md`))).toBe(true)
  expect(readFileSync(join(data, 'skills/deploy/SKILL.md'), 'utf8')).toContain('Push the button.')
  const own = readFileSync(join(data, 'AGENTS.md'), 'utf8')
  for (const words of ['Answer in English.', 'Use pnpm.', 'Be brief.', 'Use metric units.', 'Two spaces.'])
    expect(own).toContain(words)
  expect(await engine.instructions.forPrompt(join(root, 'work'))).toContain('Use pnpm.')

  const sessions = engine.store.sessions.list()
  expect(sessions.map(({ title }) => title).sort()).toEqual([
    'A boat',
    'A question',
    'Depth',
    'How far is it?',
    'Moorings',
    'No folder',
    'Sails',
    'Sort this',
    'Tides',
  ])
  const boat = sessions.find(({ title }) => title === 'A boat')
  expect(boat).toMatchObject({ workspace: join(root, 'work'), status: 'idle' })
  const texts = engine.store.messages
    .page(boat?.id ?? '', undefined, 10)
    .messages.map(({ role, parts: [part] }) => `${role}: ${part?.type === 'text' ? part.text : part?.type}`)
  expect(texts).toEqual(['user: Build a boat', 'assistant: With oars?', 'system: notice'])
  expect(engine.store.search('oars')).toHaveLength(1)
  const said = (title: string): [string, ...string[]] => {
    const { id = '', workspace = '' } = sessions.find((session) => session.title === title) ?? {}
    const words = engine.store.messages
      .since(id, 0)
      .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? part.text : [])))
    return [workspace, ...words]
  }
  const work = join(root, 'work')
  expect(said('Moorings')).toEqual([work, 'Where do I tie up?', 'At the third buoy.'])
  expect(said('Depth')).toEqual([work, 'How deep is it?', 'Two metres.'])
  expect(said('Sails')).toEqual([work, 'Which sail?', 'The small one.'])

  // A second look has nothing left, and what changed since is offered again.
  expect((await look()).filter(({ state }) => state === 'ready')).toEqual([])
  expect((await engine.movingIn.take([(await look())[0]?.id ?? ''], home)).failed).toHaveLength(1)
})

it('does not put its own over what is there', async () => {
  await take(({ name }) => name === '/ship')
  engine.mcp.save({ id: 'docs', config: { command: 'mine', enabled: false } })
  const { failed } = await take(({ name, kind }) => kind === 'mcp' && name === 'docs')
  expect(failed).toEqual([{ id: expect.any(String), words: 'There is a server docs already.' }])
})

it('says so where the database of opencode cannot be read', async () => {
  const path = join(home, '.local/share/opencode/opencode.db')
  rmSync(`${path}-wal`)
  writeFileSync(path, 'no database')
  const sessions = (await look()).filter(({ tool, kind }) => tool === 'opencode' && kind === 'session')
  expect(sessions.map(({ name, state, note }) => [name, state, note])).toEqual([
    ['sessions', 'not', 'Its database could not be read. opencode export writes a session as a file.'],
    ['Tides', 'ready', expect.any(String)],
  ])
})
