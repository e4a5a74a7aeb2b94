import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { during } from './say.mjs'

/**
 * Lets one process at a time do `work`. The lock file names its holder, so that one left behind by a killed run does not
 * block the next.
 * @template T
 * @param {string} file
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true })
  await during('Waiting for another run', async () => {
    while (!take(file)) await sleep(100)
  })
  const release = () => rmSync(file, { force: true })
  process.on('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isAbandoned(file)) rmSync(file, { force: true })
    return false
  }
}

function isAbandoned(file) {
  try {
    const holder = Number(readFileSync(file, 'utf8'))
    // Between creation and the first write the file is empty for an instant; only an old empty one is abandoned.
    if (!holder) return Date.now() - statSync(file).mtimeMs > 5000
    process.kill(holder, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}
