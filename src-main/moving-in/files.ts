import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { isRecord } from '../is-record'

const maxBytes = 5 * 1024 * 1024

/** Null for what is not there, no ordinary file, or too large. Nothing is ever written. */
export async function readText(path: string, most = maxBytes): Promise<string | null> {
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = await file.stat()
    return stats.isFile() && stats.size <= most ? (await file.readFile('utf8')).replace(/^\uFEFF/, '') : null
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

/** An object from a JSON file, with comments and trailing commas; null for anything else. */
export async function readJsonFile(path: string): Promise<Record<string, unknown> | null> {
  const text = await readText(path)
  return text === null ? null : readJson(text)
}

export function readJson(text: string): Record<string, unknown> | null {
  for (const candidate of [text, withoutComments(text)]) {
    try {
      const value: unknown = JSON.parse(candidate)
      return isRecord(value) ? value : null
    } catch {
      // The second try is without comments.
    }
  }
  return null
}

const withoutComments = (text: string): string =>
  text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, word?: string) => word ?? '')
    .replace(/("(?:[^"\\]|\\.)*")|,(\s*[}\]])/g, (_, word?: string, end?: string) => word ?? end ?? '')

/** Files below a folder whose names end so, relative to it, in order; links are not followed. */
export async function filesBelow(root: string, ending: string, depth = 4, most = 1000): Promise<string[]> {
  const found: string[] = []
  const walk = async (path: string, left: number): Promise<void> => {
    const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => [])
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const here = path ? `${path}/${entry.name}` : entry.name
      if (entry.isDirectory() && left > 0) await walk(here, left - 1)
      else if (entry.isFile() && entry.name.endsWith(ending)) found.push(here)
      if (found.length >= most) return
    }
  }
  await walk('', depth)
  return found
}

/** A path as the user writes it. */
export const shown = (path: string, home: string): string => {
  const way = relative(home, path)
  return way.startsWith('..') || isAbsolute(way) ? path : `~/${way}`
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const entriesOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : [])
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
