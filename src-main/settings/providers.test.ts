import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Provider } from '../../src-preload/contract/models'
import type { Model } from '../agent/model'
import { ask, collect } from '../agent/test-server'
import { silentLog } from '../log'
import { createKeySources } from './key-source'
import { createProviders } from './providers'
import { memorySecrets } from './secrets'
import { openSettings } from './settings'

const guide: Model = { stream: async function* () {} }
let folder: string
let close: (() => void)[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-providers-'))
  close = []
})
afterEach(() => {
  for (const each of close) each()
  rmSync(folder, { recursive: true, force: true })
})

const serve = async (names: string[]) => {
  const seen: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', data: names.map((id) => ({ id, object: 'model' })) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close.push(() => server.close())
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen }
}

const setUp = (local: { id: string; name: string; baseUrl: string }[] = []) => {
  const settings = openSettings(folder)
  const secrets = memorySecrets()
  const published: Provider[][] = []
  const hidden: string[] = []
  const providers = createProviders({
    settings,
    secrets,
    guide,
    log: silentLog,
    local,
    detectMs: 5000,
    publish: (list) => published.push(list),
    onKey: (key) => hidden.push(key),
  })
  return { settings, secrets, providers, published, hidden }
}

test('with nothing configured the guide answers', () => {
  const { providers } = setUp()
  expect(providers.defaultModel()).toBe('guide')
  expect(providers.modelFor('guide').model).toBe(guide)
  expect(() => providers.modelFor('gone/model')).toThrow('The model gone/model is not there any more.')
})

test('a saved provider lists its models, sends its key, and offers the first as the default', async () => {
  const server = await serve(['b-model', 'a-model'])
  const { providers, published, hidden } = setUp()
  const list = await providers.save({ name: 'My Server', kind: 'openai', baseUrl: server.baseUrl, key: 'k-123456' })
  expect(list).toEqual([
    {
      id: 'my-server',
      name: 'My Server',
      kind: 'openai',
      baseUrl: server.baseUrl,
      hasKey: true,
      detected: false,
      models: [
        expect.objectContaining({ id: 'my-server/a-model', name: 'a-model' }),
        expect.objectContaining({ id: 'my-server/b-model', name: 'b-model' }),
      ],
    },
  ])
  expect(published.at(-1)).toEqual(list)
  expect(server.seen[0]?.authorization).toBe('Bearer k-123456')
  expect(hidden).toContain('k-123456')
  expect(providers.defaultModel()).toBe('my-server/a-model')
  expect(providers.modelFor('my-server/b-model').modelName).toBe('b-model')
})

test('a key stays with the host that it was entered for', async () => {
  const [first, second] = [await serve(['m']), await serve(['m'])]
  const { providers, settings } = setUp()
  await providers.save({ name: 'P', kind: 'openai', baseUrl: first.baseUrl, key: 'k-123456' })
  await providers.save({ id: 'p', name: 'Renamed', kind: 'openai', baseUrl: `${first.baseUrl}/` })
  expect(providers.list()[0]).toMatchObject({ name: 'Renamed', hasKey: true })
  // Even if the file was changed behind the app's back.
  settings.setProviders(settings.providers().map((provider) => ({ ...provider, baseUrl: second.baseUrl })))
  await providers.refresh('p')
  expect(second.seen[0]?.authorization).toBeUndefined()
  settings.setProviders(settings.providers().map((provider) => ({ ...provider, baseUrl: first.baseUrl })))
  expect(await providers.save({ id: 'p', name: 'P', kind: 'openai', baseUrl: second.baseUrl })).toMatchObject([
    { hasKey: false },
  ])
  expect(await providers.save({ id: 'p', name: 'P', kind: 'openai', baseUrl: first.baseUrl })).toMatchObject([
    { hasKey: false },
  ])
})

test('a model that was used takes its key from where the settings say now', async () => {
  const server = await serve(['m'])
  const { settings, secrets } = setUp()
  const env = { FIRST: 'k-first', SECOND: 'k-second' }
  const keySources = createKeySources({ env, shell: '/bin/sh', onKey: () => {} })
  const providers = createProviders({ settings, secrets, guide, log: silentLog, publish: () => {}, keySources })
  const input = { name: 'P', kind: 'openai' as const, baseUrl: server.baseUrl }
  const usedKey = async (): Promise<string | undefined> => {
    await collect(providers.modelFor('p/m').model.stream(ask()))
    return server.seen.at(-1)?.authorization
  }
  await providers.save({ ...input, keySource: { kind: 'environment', name: 'FIRST' } })
  expect(await usedKey()).toBe('Bearer k-first')
  await providers.save({ ...input, id: 'p', keySource: { kind: 'environment', name: 'SECOND' } })
  expect(await usedKey()).toBe('Bearer k-second')
  await providers.save({ ...input, id: 'p', keySource: null, key: 'k-stored' })
  expect(await usedKey()).toBe('Bearer k-stored')
})

test('a server that is down is kept all the same, and the test says what is wrong', async () => {
  const { providers } = setUp()
  const list = await providers.save({ name: 'Down', kind: 'openai', baseUrl: 'http://127.0.0.1:1/v1' })
  expect(list).toMatchObject([{ id: 'down', models: [] }])
  expect(await providers.test({ kind: 'openai', baseUrl: 'http://127.0.0.1:1/v1' })).toMatchObject({
    ok: false,
    models: 0,
  })
  expect(await providers.test({ kind: 'openai', baseUrl: 'nonsense' })).toMatchObject({ ok: false })
})

test('finds a server on this machine, and forgets it when the user has added the same', async () => {
  const server = await serve(['llama'])
  const local = [
    { id: 'ollama', name: 'Ollama', baseUrl: server.baseUrl },
    { id: 'none', name: 'None', baseUrl: 'http://127.0.0.1:1/v1' },
  ]
  const { providers, published } = setUp(local)
  await providers.detect()
  expect(published).toMatchObject([[{ id: 'ollama', detected: true, models: [{ id: 'ollama/llama' }] }]])
  await providers.detect()
  expect(published).toHaveLength(1)
  await providers.save({ name: 'Mine', kind: 'openai', baseUrl: server.baseUrl.replace('127.0.0.1', 'localhost') })
  await providers.detect()
  expect(providers.list().map(({ id }) => id)).toEqual(['mine'])
})

test('finds a server that was started later, and keeps one that does not answer for a while', async () => {
  const server = await serve(['llama'])
  const local = [{ id: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:1/v1' }]
  const { providers } = setUp(local)
  await providers.detect()
  expect(providers.list()).toEqual([])
  local[0] = { id: 'ollama', name: 'Ollama', baseUrl: server.baseUrl }
  await providers.detect()
  expect(providers.list()).toMatchObject([{ id: 'ollama', models: [{ id: 'ollama/llama' }] }])
  local[0] = { id: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:1/v1' }
  await providers.detect()
  expect(providers.list()).toMatchObject([{ id: 'ollama', models: [{ id: 'ollama/llama' }] }])
})

test('names of providers never clash, nor end a model id early', async () => {
  const { providers } = setUp()
  const input = { kind: 'openai' as const, baseUrl: 'http://127.0.0.1:1/v1' }
  await providers.save({ ...input, name: 'Guide' })
  await providers.save({ ...input, name: 'a/b' })
  await providers.save({ ...input, name: 'A B' })
  expect(providers.list().map(({ id }) => id)).toEqual(['guide-2', 'a-b', 'a-b-2'])
  expect(providers.remove('a-b').map(({ id }) => id)).toEqual(['guide-2', 'a-b-2'])
})

test('numbers come from the user, else from the server, else from a table, and are unknown otherwise', async () => {
  const settings = openSettings(folder)
  settings.setProviders([
    {
      id: 'a',
      name: 'A',
      kind: 'anthropic',
      baseUrl: 'https://api.anthropic.com',
      listedAt: 1,
      models: [
        { id: 'a/claude-opus-5-5', name: 'claude-opus-5-5', contextWindow: 900_000 },
        { id: 'a/claude-unheard-of', name: 'claude-unheard-of' },
      ],
    },
  ])
  const published: Provider[][] = []
  const providers = createProviders({
    settings,
    secrets: memorySecrets(),
    guide: { stream: async function* () {} },
    publish: (list) => published.push(list),
    log: silentLog,
  })
  const facts = () =>
    providers.list()[0]?.models.map(({ contextWindow, price, source }) => [contextWindow, price?.input ?? null, source])
  expect(facts()).toEqual([
    [900_000, 4, { contextWindow: 'server', price: 'table' }],
    [0, null, { contextWindow: 'unknown', price: 'unknown' }],
  ])
  expect(providers.modelFor('a/claude-unheard-of')).toMatchObject({ contextWindow: 0, assumedWindow: 128_000 })
  settings.update({
    modelCorrections: { 'a/claude-unheard-of': { contextWindow: 50_000, price: { input: 1, output: 2 } } },
  })
  expect(facts()?.[1]).toEqual([50_000, 1, { contextWindow: 'user', price: 'user' }])
  expect(published).toHaveLength(1)
  expect(providers.modelFor('a/claude-opus-5-5').efforts).toContain('xhigh')
})

test('what a corrected price leaves open stays as it is known, and a long request costs as much more', () => {
  const { settings, providers } = setUp()
  const price = { input: 2, output: 10, cached: 0.2, long: { above: 272_000, input: 4, output: 15, cached: 0.4 } }
  const models = [{ id: 'a/m', name: 'm', price }]
  settings.setProviders([
    { id: 'a', name: 'A', kind: 'openai', baseUrl: 'https://example.org/v1', models, listedAt: 1 },
  ])
  const corrected = (own: { input: number; output: number; cached?: number }) => {
    settings.update({ modelCorrections: { 'a/m': { price: own } } })
    return providers.modelFor('a/m').price
  }
  expect(corrected({ input: 1, output: 20 })).toEqual({
    input: 1,
    output: 20,
    cached: 0.2,
    long: { above: 272_000, input: 2, output: 30, cached: 0.4 },
  })
  expect(corrected({ input: 2, output: 10, cached: 0.1 })).toMatchObject({
    cached: 0.1,
    long: { input: 4, output: 15, cached: 0.2 },
  })
})
