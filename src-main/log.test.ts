import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLog } from './log'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = () => readFileSync(join(folder, 'logs/deckhand.log'), 'utf8')

test('writes one JSON object a line, from its level on', () => {
  const log = openLog(folder, { clock: () => 0 })
  log.debug('not this')
  log.info('hello', { session: 's_1' })
  log.error('bad', { error: new TypeError('broken', { cause: new Error('deeper') }) })
  const lines = read()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines[0]).toEqual({ time: '1970-01-01T00:00:00.000Z', level: 'info', message: 'hello', session: 's_1' })
  expect(lines[1].error).toMatchObject({ name: 'TypeError', message: 'broken', cause: { message: 'deeper' } })
})

test('never writes a secret: registered ones and those that look like one', () => {
  const log = openLog(folder)
  log.hide('a"quoted secret')
  log.info('key is a"quoted secret', { nested: { value: 'x a"quoted secret y' } })
  log.warn('Authorization: Bearer abcdefghijklmnop', {
    headers: { authorization: 'Bearer zyxwvutsrq', 'x-api-key': 'tell-nobody' },
  })
  log.warn('sk-proj-0123456789abcdefghij and https://me:pass@host/ and api_key=verysecretvalue')
  const text = read()
  for (const secret of [
    'quoted secret',
    'abcdefghijklmnop',
    'zyxwvutsrq',
    'tell-nobody',
    '0123456789abcdefghij',
    'me:pass',
    'verysecretvalue',
  ]) {
    expect(text).not.toContain(secret)
  }
  for (const line of text.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
})

test('a text that leaves the app is cleaned in the same way', () => {
  const log = openLog(folder)
  log.hide('my-registered-key')
  const text = 'key my-registered-key, sk-abcdefghijklmnop123456 and the rest'
  expect(log.clean(text)).toBe('key [hidden], [hidden] and the rest')
})

test('rotates and keeps three files', () => {
  const log = openLog(folder, { maxBytes: 500 })
  for (let n = 0; n < 40; n++) log.info(`line ${n}`, { filler: 'x'.repeat(60) })
  expect(readdirSync(join(folder, 'logs')).toSorted()).toEqual(['deckhand.log', 'deckhand.log.1', 'deckhand.log.2'])
  expect(read()).toContain('line 39')
})
