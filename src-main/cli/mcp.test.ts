import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mcp } from './mcp'
import type { Stopping } from './stopping'

let data = ''
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'deckhand-mcp-command-'))
  writeFileSync(join(data, 'settings.json'), '{}')
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const stopping: Stopping = {
  signal: new AbortController().signal,
  exitCode: null,
  stop: () => {},
  attend: () => {},
}
const add = (options: Record<string, string>, ...words: string[]): Promise<number> =>
  mcp(new Map(Object.entries({ data, ...options })), ['add', 'one', ...words], stopping)

it.each([
  ['a header that the keychain would hold', { url: 'http://127.0.0.1:9/', header: 'X-Auth=word' }, [], 'like a secret'],
  ['such a variable', { env: 'PAT=word' }, ['true'], 'like a secret'],
  ['what is no address of the web', { url: 'ftp://x' }, [], 'needs an address with http'],
  ['an address with a password', { url: 'http://me:word@127.0.0.1:9/' }, [], 'with a name or password'],
])('does not add a server with %s', async (_what, options, words, why) => {
  const error: unknown = await add(options, ...words).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'UsageError', message: expect.stringContaining(why) })
  expect(String(error)).not.toContain('word@')
  expect(readFileSync(join(data, 'settings.json'), 'utf8')).not.toContain('one')
})
