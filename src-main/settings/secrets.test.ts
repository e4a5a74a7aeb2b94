import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Cipher, environmentSecrets, fileSecrets, memorySecrets } from './secrets'

/** Turns every bit over: enough to see that what is written is what the cipher made. */
const cipher: Cipher = {
  encrypt: (text) => Buffer.from(text).map((byte) => byte ^ 0xff) as Buffer,
  decrypt: (data) => Buffer.from(data.map((byte) => byte ^ 0xff)).toString(),
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('keeps a key encrypted and finds it again after a restart', () => {
  const path = join(folder, 'secrets.json')
  fileSecrets(path, cipher).set('a@https://a.example', 'sk-very-secret')
  expect(readFileSync(path, 'utf8')).not.toContain('sk-very-secret')
  const again = fileSecrets(path, cipher)
  expect([again.has('a@https://a.example'), again.get('a@https://a.example')]).toEqual([true, 'sk-very-secret'])
  again.remove('a@https://a.example')
  expect(fileSecrets(path, cipher).get('a@https://a.example')).toBeNull()
})

test('a key that the keychain cannot open any more counts as missing and is told of', () => {
  const path = join(folder, 'secrets.json')
  fileSecrets(path, cipher).set('a', 'secret')
  const notes: string[] = []
  const broken: Cipher = {
    ...cipher,
    decrypt: () => {
      throw new Error('no')
    },
  }
  expect(fileSecrets(path, broken, (note) => notes.push(note)).get('a')).toBeNull()
  expect(notes).toHaveLength(1)
})

test('a broken file is kept aside', () => {
  const path = join(folder, 'secrets.json')
  writeFileSync(path, 'nonsense')
  const notes: string[] = []
  expect(fileSecrets(path, cipher, (note) => notes.push(note)).get('constructor')).toBeNull()
  expect(notes).toHaveLength(1)
})

test('memory forgets; the environment speaks only for the provider of the command line', () => {
  const memory = memorySecrets()
  memory.set('a', 'secret')
  expect([memory.kind, memory.get('a'), memorySecrets().get('a')]).toEqual(['none', 'secret', null])
  const environment = environmentSecrets({ DECKHAND_API_KEY: 'key' })
  expect([environment.get('cli@https://a.example'), environment.get('other@https://a.example')]).toEqual(['key', null])
})

test('secrets of channels come from the environment as well', () => {
  const secrets = environmentSecrets({
    DECKHAND_CHANNEL_TELEGRAM_TOKEN: 'one',
    DECKHAND_CHANNEL_MY_HOOK_WORK_SIGNING_KEY: 'two',
  })
  expect(secrets.get('channel:telegram/default:token')).toBe('one')
  expect(secrets.get('channel:my-hook/work:signingKey')).toBe('two')
  expect(secrets.get('channel:telegram/work:token')).toBe(null)
  expect(secrets.get('telegram')).toBe(null)
})
