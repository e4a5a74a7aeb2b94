import { isUtf8 } from 'node:buffer'
import { type Dirent, lstatSync, readdirSync } from 'node:fs'

/**
 * Names of files are bytes, and here they are text. A name that is no UTF-8 is written with `\xNN` for every byte that
 * belongs to no character, and a path with such a name means those bytes again when the system is asked for it.
 */
export function nameText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at)
    text += length > 0 ? bytes.toString('utf8', at, at + length) : `\\x${bytes.toString('hex', at, at + 1)}`
    at += length || 1
  }
  return text
}

const escapedByte = /\\x([89a-f][0-9a-f])/g

/** What to ask the system for. A file whose name really holds a backslash comes first. */
export function systemPath(path: string): string | Buffer {
  if (!path.includes('\\x') || path.search(escapedByte) < 0) return path
  const bytes = nameBytes(path)
  // Bytes that are a character when taken together are never written like this.
  return nameText(bytes) === path && !isThere(path) ? bytes : path
}

/** The bytes of a name as it was read here, whether or not it is there. */
export function nameBytes(name: string): Buffer {
  const pieces = name.split(escapedByte)
  return Buffer.concat(pieces.map((piece, index) => Buffer.from(piece, index % 2 === 1 ? 'hex' : 'utf8')))
}

/** The names in a folder. */
export function namesIn(folder: string): string[] {
  const place = systemPath(folder)
  const names = readdirSync(place)
  return names.some(isGarbled) ? readdirSync(place, 'buffer').map(nameText) : names
}

/** The same with what each of them is. */
export function entriesIn(folder: string): Dirent[] {
  const place = systemPath(folder)
  const entries = readdirSync(place, { withFileTypes: true })
  if (!entries.some(({ name }) => isGarbled(name))) return entries
  return readdirSync(place, { withFileTypes: true, encoding: 'buffer' }).map((entry) =>
    Object.assign(Object.create(entry), { name: nameText(entry.name) }),
  )
}

/** Whether a name was read as text and lost something by it. */
export const isGarbled = (name: string): boolean => name.includes('\uFFFD')

function lengthAt(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const character = bytes.subarray(at, at + length)
  return character.length === length && isUtf8(character) ? length : 0
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false // Not for us to see; whoever asks is told why.
  }
}
