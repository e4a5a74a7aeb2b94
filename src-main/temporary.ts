import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isProcessAlive, startOfProcess } from './process-alive'

/**
 * Names of files and folders that are only there while something is done. They say which process made them, so that what a
 * crash has left can be told from what is in use, and from everything of the user's.
 */

/** So long at least something of another machine, on a shared disk, is left alone. */
const foreignMs = 24 * 60 * 60 * 1000

const host = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 6)
const owner = (): string => `${host()}-${process.pid}-${startOfProcess(process.pid)}`

/** The name of a file that is written beside another one and then takes its place. */
export const temporaryName = (name: string): string =>
  `.${name.slice(0, 100)}.${owner()}.${randomBytes(6).toString('hex')}.tmp`

const folderKinds = ['filter', 'sandbox', 'trial', 'probe', 'proxy', 'ask', 'copy', 'tools'] as const

/** A new folder among the system's temporary files. */
export const makeTemporaryFolder = (kind: (typeof folderKinds)[number]): string =>
  mkdtempSync(join(tmpdir(), `deckhand-${kind}-${owner()}-`))

const fileName = /^\..+\.([0-9a-f]{6})-(\d+)-(\d*)\.[0-9a-f]{12}\.tmp$/
const folderName = new RegExp(`^deckhand-(?:${folderKinds.join('|')})-([0-9a-f]{6})-(\\d+)-(\\d*)-\\w{6}$`)

/** Removes a file, if it is one of ours and the process that made it is gone. */
export function removeLeftFile(folder: string, name: string): boolean {
  return removeLeft(folder, name, fileName.exec(name), 'file')
}

/** Removes the folders that crashed runs of this user have left among the system's temporary files. */
export function removeLeftFolders(folder = tmpdir()): void {
  for (const name of readdirSync(folder)) removeLeft(folder, name, folderName.exec(name), 'folder')
}

function removeLeft(folder: string, name: string, parts: RegExpExecArray | null, kind: 'file' | 'folder'): boolean {
  if (!parts) return false
  const [, where, pid, start] = parts
  const path = join(folder, name)
  const found = lstatSync(path, { throwIfNoEntry: false })
  const isKind = kind === 'file' ? found?.isFile() || found?.isSymbolicLink() : found?.isDirectory()
  if (!found || !isKind || (process.getuid && found.uid !== process.getuid())) return false
  if (where !== host() && Date.now() - found.mtimeMs < foreignMs) return false
  if (where === host() && isProcessAlive(Number(pid)) && startOfProcess(Number(pid)) === start) return false
  rmSync(path, { recursive: true, force: true })
  return true
}
