import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTimeLog, readTimeLog, timesOf } from './time-log'

let folder: string
let path: string
let clock = 1_000_000
const now = () => clock
const size = { cols: 100, rows: 30 }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-times-'))
  path = join(folder, 'p.log')
  clock = 1_800_000_000_000
})
afterEach(() => rmSync(folder, { recursive: true }))

test('output, sizes and keys come back in order, with their times', () => {
  const times = createTimeLog(path, size, 0, now)
  const start = clock
  times.wrote(5)
  clock += 40
  times.wrote(17)
  clock += 1000
  times.resized(80, 24)
  times.typed('user', 'ls é\n')
  times.typed('user', '')
  clock += 7
  times.typed('agent', 'y\n')
  times.wrote(18)
  times.end()
  expect(readTimeLog(path)).toEqual([
    { at: start, type: 'size', cols: 100, rows: 30 },
    { at: start, type: 'output', bytes: 5 },
    { at: start + 40, type: 'output', bytes: 17 },
    { at: start + 1040, type: 'size', cols: 80, rows: 24 },
    { at: start + 1040, type: 'typed', by: 'user', text: 'ls é\n' },
    { at: start + 1040, type: 'typed', by: 'user', text: '' },
    { at: start + 1047, type: 'typed', by: 'agent', text: 'y\n' },
    { at: start + 1047, type: 'output', bytes: 18 },
  ])
})

test('a program that ends at once leaves no file', () => {
  const times = createTimeLog(path, size, 0, now)
  times.wrote(5)
  clock += 400
  times.end()
  expect(existsSync(timesOf(path))).toBe(false)
  expect(readTimeLog(path)).toEqual([])
})

test('a flood of a minute takes a few hundred bytes a second at most, and ends with all of its bytes', () => {
  const times = createTimeLog(path, size, 0, now)
  let bytes = 0
  const start = clock
  for (let ms = 0; ms < 60_000; ms++) {
    clock++
    for (let chunk = 0; chunk < 3; chunk++) {
      bytes += 65_536
      times.wrote(bytes)
    }
  }
  times.end()
  return expect
    .poll(() => readTimeLog(path).at(-1))
    .toEqual({ at: start + 60_000, type: 'output', bytes })
    .then(() => {
      expect(readFileSync(timesOf(path)).length / 60).toBeLessThan(800)
      const events = readTimeLog(path)
      for (const [index, event] of events.entries())
        expect(event.at - (events[index - 1]?.at ?? start)).toBeLessThan(35)
    })
})

test('a clock that is set back, a continued log and a damaged file are taken as they come', async () => {
  const times = createTimeLog(path, size, 0, now)
  times.wrote(5)
  clock -= 60_000
  times.wrote(9)
  times.typed('user', 'x')
  times.end()
  clock += 120_000
  const again = createTimeLog(path, size, 9, now)
  clock += 1000
  again.wrote(12)
  again.end()
  expect(readTimeLog(path).map(({ at, type }) => [at - 1_800_000_000_000, type])).toEqual([
    [0, 'size'],
    [0, 'output'],
    [0, 'output'],
    [0, 'typed'],
    [60_000, 'size'],
    [61_000, 'output'],
  ])
  writeFileSync(timesOf(path), `nonsense\n1 2\nT\n${readFileSync(timesOf(path), 'utf8')}2s U "cut o`)
  expect(readTimeLog(path).at(-1)).toMatchObject({ type: 'output', bytes: 12 })
})

test.runIf(process.platform === 'linux')('what cannot be kept is told once, in words', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    const times = createTimeLog(path, size, 0, now)
    // Writing to this device fails as on a full disk.
    symlinkSync('/dev/full', timesOf(path))
    for (let n = 1; n < 3000; n++) {
      clock += 50
      times.typed('user', 'a')
      if (n % 1000 === 0) await delay(20)
    }
    times.end()
    await delay(20)
    expect(told.mock.calls).toEqual([['deckhand: the times of a terminal were not kept: the disk is full.']])
  } finally {
    told.mockRestore()
  }
})
