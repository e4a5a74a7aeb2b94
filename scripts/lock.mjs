import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
    clearIfAbandoned(file)
    return false
  }
}

function clearIfAbandoned(file) {
  const holder = read(file)
  if (holder === undefined || isAlive(file, holder)) return
  // Another waiter may have cleared it and taken the lock meanwhile: what was moved aside must be what was looked at.
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (read(aside) !== holder) linkSync(aside, file)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  }
  rmSync(aside, { force: true })
}

function isAlive(file, holder) {
  // Between creation and the first write the file is empty for an instant; only an old empty one is abandoned.
  if (!holder) return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < 5000
  try {
    process.kill(Number(holder), 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
