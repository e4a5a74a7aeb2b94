import { createHash } from 'node:crypto'
import type { BoundContent } from '../../../src-preload/contract/approval'
import { canonicalPath, isInsideAny, type Places, shortPath } from '../paths/paths'

export const MAX_BYTES = 1_048_576
/** Of a longer text only the hash is kept, and no difference can be shown later. */
const MAX_KEPT = 32_768

/** The content of a file of the workspace; nothing for any other path. */
export function fileContent(path: string, cwd: string, places: Places): BoundContent[] {
  const canonical = canonicalPath(path, cwd, places.files)
  if (canonical === null || !isInsideAny(canonical, places.folders)) return []
  if (places.files.lstat(canonical)?.kind !== 'file') return []
  const text = places.files.readText(canonical, MAX_BYTES)
  if (text === null) return []
  return [{ path: shortPath(canonical, places), hash: hashOf(text), ...(text.length <= MAX_KEPT && { text }) }]
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
