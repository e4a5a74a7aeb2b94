import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isRecord } from '../is-record'
import { setAside } from '../storage/set-aside'
import { systemWords } from '../storage/system-words'

interface JsonFile {
  /** What the file holds; empty when it is missing or broken. */
  content: Record<string, unknown>
  /** Where the file was moved to, if it was not a JSON object. */
  keptAs: string | null
}

/** Reads an object from a file. One that cannot be understood is moved aside, never overwritten. */
export const readJsonFile = (path: string, now: number): JsonFile => {
  if (!existsSync(path)) return { content: {}, keptAs: null }
  try {
    const content: unknown = JSON.parse(textOf(readFileSync(path)))
    if (isRecord(content)) return { content, keptAs: null }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return { content: {}, keptAs: setAside(path, now, { ending: '.json' }) }
}

/** Handles byte-order marks and UTF-16, which some editors write. */
const textOf = (bytes: Buffer): string => {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe
  return bytes.toString(wide ? 'utf16le' : 'utf8').replace(/^\uFEFF/, '')
}

/** Atomic: writes a temporary file, syncs it and renames it. Only the user can read the file. */
export const writeJsonFile = (path: string, content: Record<string, unknown>): void => {
  const unfinished = `${path}.${process.pid}.unfinished`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const file = openSync(unfinished, 'w', 0o600)
    try {
      writeSync(file, `${JSON.stringify(content, null, 2)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw new Error(`${path} could not be saved: ${systemWords(error)}.`, { cause: error })
  }
}
