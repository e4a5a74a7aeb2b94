import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

interface JsonFile {
  /** What the file holds; empty when it is missing or broken. */
  content: Record<string, unknown>
  /** Where a file that was no JSON object has been kept. */
  keptAs: string | null
}

/** Reads an object from a file. One that cannot be understood is moved aside, never overwritten. */
export const readJsonFile = (path: string, now: number): JsonFile => {
  if (!existsSync(path)) return { content: {}, keptAs: null }
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) {
      return { content: content as Record<string, unknown>, keptAs: null }
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  const stamp = new Date(now).toISOString().replaceAll(':', '-').slice(0, 19)
  const stem = path.replace(/\.json$/, '')
  let keptAs = `${stem}.broken-${stamp}.json`
  for (let n = 2; existsSync(keptAs); n++) keptAs = `${stem}.broken-${stamp}-${n}.json`
  renameSync(path, keptAs)
  return { content: {}, keptAs }
}

/** Whole or not at all: written beside, brought to disk, then moved over. For the user's eyes only. */
export const writeJsonFile = (path: string, content: Record<string, unknown>): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const unfinished = `${path}.${process.pid}.unfinished`
  const file = openSync(unfinished, 'w', 0o600)
  try {
    writeSync(file, `${JSON.stringify(content, null, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(unfinished, path)
}
