import { readdir } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { isRecord } from '../is-record'
import { readPlainFile } from '../read-plain-file'

const maxBytes = 5 * 1024 * 1024

/** Nothing is ever written. */
export const readText = (path: string, most = maxBytes): Promise<string | null> => readPlainFile(path, most)

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
