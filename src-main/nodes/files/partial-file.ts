import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isProcessAlive, startOfProcess } from '../../process-alive'

/** The first part of a file, as far as one side has it. */
export interface Prefix {
  bytes: number
  sha256: string
}

/** A file that is written beside its final place. */
export interface PartialFile {
  file: FileHandle
  path: string
  /** How much an earlier attempt has left in it. */
  bytes: number
}

/** Smaller files are sent again rather than compared. */
export const worthKeeping = 1024 * 1024

/** A transfer that was not resumed by then is abandoned. */
const keptMs = 7 * 24 * 60 * 60 * 1000
const hashPiece = 1024 * 1024
const leftBy = 'left'

/**
 * Opens the file that will be moved to its place when complete; with `resume`, what an earlier attempt at the same
 * place and size has left, if any. Its name contains its owner: the file of an ended process is unused.
 */
export async function openPartial(place: string, size: number, mode: number, resume: boolean): Promise<PartialFile> {
  const path = nameFor(place, size, ownerHere())
  const found = resume ? await claimLeftover(place, size, path) : null
  await clearLeftovers(dirname(place))
  return found ?? { file: await open(path, 'wx', mode), path, bytes: 0 }
}

/** Releases an unfinished file, so that the next attempt finds it. */
export async function leavePartial({ file, path }: PartialFile, place: string, size: number, bytes: number) {
  await file.truncate(bytes)
  await file.close()
  await rename(path, nameFor(place, size, leftBy))
}

/** Removes partial files from a folder that were not resumed for days. */
export async function clearLeftovers(folder: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const owner = /^\..+\.\d+\.([\w-]+)\.[0-9a-f]{8}\.part$/.exec(name)?.[1]
    if (owner === undefined || !isAbandoned(owner)) continue
    const path = join(folder, name)
    const found = await lstat(path).catch(() => null)
    if (found?.isFile() && now - found.mtimeMs > keptMs) await rm(path, { force: true })
  }
}

export async function digestPrefix(file: FileHandle, bytes: number): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(Math.min(hashPiece, bytes))
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, bytes - at), at)
    if (bytesRead === 0) break
    hash.update(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
  return hash.digest('hex')
}

const stemFor = (place: string): string => `.${basename(place).slice(0, 100)}.`
const nameFor = (place: string, size: number, owner: string): string =>
  join(dirname(place), `${stemFor(place)}${size}.${owner}.${randomUUID().slice(0, 8)}.part`)

const ownerHere = (): string => `${process.pid}-${startOfProcess(process.pid)}`

function isAbandoned(owner: string): boolean {
  if (owner === leftBy) return true
  const [pid = '', start = ''] = owner.split('-')
  return !isProcessAlive(Number(pid)) || startOfProcess(Number(pid)) !== start
}

/** Takes the longest usable file; the other leftovers for this place are useless. */
async function claimLeftover(place: string, size: number, path: string): Promise<PartialFile | null> {
  const stem = stemFor(place)
  const folder = dirname(place)
  let best: PartialFile | null = null
  // A folder may be writable but not readable; then there is nothing to find.
  for (const name of await readdir(folder).catch(() => [])) {
    const parts = name.startsWith(stem) ? /^(\d+)\.([\w-]+)\.[0-9a-f]{8}\.part$/.exec(name.slice(stem.length)) : null
    if (!parts || !isAbandoned(parts[2] ?? '')) continue
    const found = await openLeftover(join(folder, name))
    if (!found) continue
    const fits = Number(parts[1]) === size && found.bytes <= size && found.bytes > (best?.bytes ?? 0)
    const loser: PartialFile | null = fits ? best : found
    if (fits) best = found
    if (loser) await discard(loser)
  }
  if (!best) return null
  try {
    await rename(best.path, path)
  } catch {
    await best.file.close()
    return null // Another transfer to the same place was faster.
  }
  return { ...best, path }
}

async function openLeftover(path: string): Promise<PartialFile | null> {
  const flags = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch(() => null)
  const found = await file?.stat()
  if (file && found?.isFile()) return { file, path, bytes: found.size }
  await file?.close()
  return null
}

async function discard({ file, path }: PartialFile): Promise<void> {
  await file.close()
  await rm(path, { force: true })
}
