import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLogWriter } from './log-writer'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'deckhand-log-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

it('keeps every byte in order, in chunks of any size that are reused at once', async () => {
  const path = join(dir, 'log')
  const log = createLogWriter(path)
  const expected: Buffer[] = []
  const chunk = Buffer.alloc(200_000)
  for (let i = 0; i < 300; i++) {
    const part = chunk.subarray(0, (i * 7919) % chunk.length)
    part.fill(i)
    expected.push(Buffer.from(part))
    log.append(part)
    if (i % 50 === 0) await log.written(log.bytes)
    if (i % 50 === 0) expect(readFileSync(path).length).toBe(log.bytes)
  }
  await new Promise<void>((done) => log.end(done))
  expect(log.pending).toBe(0)
  expect(readFileSync(path).equals(Buffer.concat(expected))).toBe(true)
})

it('has written all when it says that it has ended', async () => {
  for (let i = 0; i < 200; i++) {
    const path = join(dir, `${i}`)
    const log = createLogWriter(path)
    log.append(Buffer.from('first '))
    if (i % 2) await new Promise((done) => setImmediate(done))
    log.append(Buffer.from('last'))
    await new Promise<void>((done) => log.end(done))
    expect(readFileSync(path, 'utf8')).toBe('first last')
  }
})

it('answers readers that wait for bytes which never come when it ends', async () => {
  const log = createLogWriter(join(dir, 'log'))
  const waiting = log.written(100)
  log.end(() => {})
  await waiting
})

it('makes no file for a program that writes nothing, and has one as soon as a byte has come', async () => {
  const silent = createLogWriter(join(dir, 'silent'))
  await new Promise<void>((done) => silent.end(done))
  expect(existsSync(join(dir, 'silent'))).toBe(false)

  const log = createLogWriter(join(dir, 'log'))
  expect(existsSync(join(dir, 'log'))).toBe(false)
  log.append(Buffer.from('x'))
  expect(existsSync(join(dir, 'log'))).toBe(true)
  await new Promise<void>((done) => log.end(done))
  expect(readFileSync(join(dir, 'log'), 'utf8')).toBe('x')
})
