import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { withLock } from './lock.mjs'

const folder = mkdtempSync(join(tmpdir(), 'deckhand-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('two processes never work at the same time', async () => {
  const log = join(folder, 'log')
  const script = `
    import { appendFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { withLock } from ${JSON.stringify(new URL('./lock.mjs', import.meta.url).href)}
    await withLock(${JSON.stringify(join(folder, 'shared'))}, async () => {
      appendFileSync(${JSON.stringify(log)}, 'in ')
      await sleep(50)
      appendFileSync(${JSON.stringify(log)}, 'out ')
    })`
  const run = () =>
    new Promise((resolve) => {
      const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
      spawn(process.execPath, ['--input-type=module', '-e', script], { env }).on('exit', resolve)
    })
  expect(await Promise.all([run(), run(), run()])).toEqual([0, 0, 0])
  expect(readFileSync(log, 'utf8')).toBe('in out in out in out ')
})

test('a lock left behind by a dead process is taken over', async () => {
  const file = join(folder, 'abandoned')
  const dead = spawnSync('true').pid
  writeFileSync(file, String(dead))
  expect(await withLock(file, () => 'done')).toBe('done')
  expect(existsSync(file)).toBe(false)
})

test('the lock is given back when the work fails', async () => {
  const file = join(folder, 'failed')
  await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(existsSync(file)).toBe(false)
})
