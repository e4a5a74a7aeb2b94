import { readFileSync } from 'node:fs'
import type { LossOwner } from '../../src-preload/contract/losses'
import { hashOf } from '../changes/put'
import { systemPath } from '../file-names'
import { mostNamed } from './describe'
import type { Lost, LostFile } from './lost'

/** The call that was the last known to write a file, and what it left there. */
export interface Writer {
  sessionId: string
  /** Of the content, where it is known. */
  hash: string | undefined
}

const maxBytes = 8 * 1024 * 1024

/**
 * Whose the files are that the card names. A file that is still what a session left there is that session's; one that was
 * changed since, or that no session has written, is the user's.
 */
export function createOwners(
  lost: Lost,
  writersOf: (paths: readonly string[]) => ReadonlyMap<string, Writer>,
): (file: LostFile) => LossOwner | undefined {
  const kinds = new Map<string, string[]>()
  for (const { kind, path } of lost.files) {
    const list = kinds.get(kind) ?? []
    if (list.length < mostNamed) kinds.set(kind, [...list, path])
  }
  const writers = writersOf([...kinds.values()].flat())
  return ({ path, size, mtimeMs }) => {
    const writer = writers.get(path)
    const same = writer?.hash !== undefined && size <= maxBytes && hashAt(path) === writer.hash
    return writer && same ? { by: 'session', sessionId: writer.sessionId } : { by: 'user', since: mtimeMs }
  }
}

function hashAt(path: string): string | null {
  try {
    return hashOf(readFileSync(systemPath(path)))
  } catch {
    return null // Gone, or not ours to read.
  }
}
