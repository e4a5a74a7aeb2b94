import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startOfProcess } from '../../process-alive'
import { clearLeftovers, digestPrefix, leavePartial, openPartial } from './partial-file'

const size = 1000
let folder: string
let place: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-partial-'))
  place = join(folder, 'file.bin')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const leftover = (owner: string, bytes: number, of = size): string => {
  const path = join(folder, `.file.bin.${of}.${owner}.${Math.random().toString(16).slice(2, 10).padEnd(8, '0')}.part`)
  writeFileSync(path, 'x'.repeat(bytes))
  return path
}
const openAndClose = async (resume: boolean) => {
  const { file, path, bytes } = await openPartial(place, size, 0o600, resume)
  await file.close()
  return { path, bytes }
}

it('finds what was left, as long as it was when it was left', async () => {
  const first = await openPartial(place, size, 0o600, true)
  expect(first.bytes).toBe(0)
  await first.file.writeFile('abcdef')
  await leavePartial(first, place, size, 4)
  const second = await openPartial(place, size, 0o600, true)
  expect(second.bytes).toBe(4)
  expect(await digestPrefix(second.file, 4)).toBe(createHash('sha256').update('abcd').digest('hex'))
  await second.file.close()
  expect(readdirSync(folder)).toEqual([second.path.slice(folder.length + 1)])
})

it('takes over from a process that has ended, and not from one that runs', async () => {
  const child = spawn('sleep', ['60'])
  await once(child, 'spawn')
  const owner = `${child.pid}-${startOfProcess(child.pid ?? 0)}`
  const theirs = leftover(owner, 300)
  expect((await openAndClose(true)).bytes).toBe(0)
  expect(readFileSync(theirs, 'utf8').length).toBe(300)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect((await openAndClose(true)).bytes).toBe(300)
})

it('a number that another process has got since is no owner', async () => {
  leftover(`${process.pid}-0`, 300)
  expect((await openAndClose(true)).bytes).toBe(300)
})

it('keeps the longest that can be of use and removes the others', async () => {
  leftover('left', 100)
  leftover('left', 200)
  leftover('left', 50)
  leftover('left', 900, 2000)
  leftover('left', size + 1)
  const { path, bytes } = await openAndClose(true)
  expect(bytes).toBe(200)
  expect(readdirSync(folder)).toEqual([path.slice(folder.length + 1)])
})

it('leaves alone what is not its own kind', async () => {
  const outside = join(folder, 'outside')
  writeFileSync(outside, 'y'.repeat(10))
  symlinkSync(outside, join(folder, `.file.bin.${size}.left.00000000.part`))
  writeFileSync(join(folder, '.file.bin.part'), 'somebody else’s')
  const { bytes, path } = await openAndClose(true)
  expect(bytes).toBe(0)
  expect(readdirSync(folder).length).toBe(4)
  expect(readFileSync(path).length).toBe(0)
})

it('looks for nothing unless it is asked to', async () => {
  leftover('left', 300)
  expect((await openAndClose(false)).bytes).toBe(0)
  expect(readdirSync(folder).length).toBe(2)
})

it('what nobody has gone on with for days goes, and nothing else', async () => {
  const day = 24 * 60 * 60 * 1000
  const left = leftover('left', 300)
  const mine = leftover(`${process.pid}-${startOfProcess(process.pid)}`, 300)
  const other = join(folder, '.notes.part')
  writeFileSync(other, 'not of a transfer')
  symlinkSync(other, join(folder, '.link.1000.left.00000000.part'))
  await clearLeftovers(folder, Date.now() + 6 * day)
  expect(readdirSync(folder).length).toBe(4)
  await clearLeftovers(folder, Date.now() + 8 * day)
  expect(readdirSync(folder)).not.toContain(left.slice(folder.length + 1))
  expect(readdirSync(folder)).toContain(mine.slice(folder.length + 1))
  expect(readdirSync(folder).length).toBe(3)
})
