import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { OwnFiles } from '../agents/own-files'
import { OwnFileError, ownPath } from '../agents/own-path'
import { errorCode } from '../error-code'
import type { Logger } from '../log'
import { chunkMarkdown } from './chunk'
import type { MemoryRows } from './rows'

/** Normalizes the path of a note. Throws for any other of the agent's own files. */
export function notePath(path: string): string {
  const name = ownPath(path)
  if (name === 'MEMORY.md' || /^memory\/[^/]+\.md$/.test(name)) return name
  throw new OwnFileError('InvalidPath', `Memory is MEMORY.md and memory/*.md, not ${JSON.stringify(path)}`)
}

/** Updates the stored passages of an agent from its files. Returns whether anything changed. */
export async function readNotes(agentId: string, files: OwnFiles, rows: MemoryRows, log: Logger): Promise<boolean> {
  const there = [...(await files.list(agentId, '/')).files, ...(await files.list(agentId, 'memory')).files].filter(
    isNote,
  )
  const known = new Map(rows.files(agentId).map((row) => [row.path, row]))
  let different = false
  for (const path of there) {
    const before = known.get(path)
    const found = await stat(join(files.folder(agentId), path)).catch(unreadable)
    if (!found) continue
    known.delete(path)
    if (before && before.size === found.size && before.modifiedAt === found.mtimeMs) continue
    const file = await files.find(agentId, path).catch((error: unknown) => {
      if (!(error instanceof OwnFileError)) throw error
      log.warn('A note cannot be read', { agentId, path, error })
      return null
    })
    if (!file) continue
    const hash = createHash('sha256').update(file.content).digest('hex')
    const row = { path, hash, size: found.size, modifiedAt: found.mtimeMs }
    if (before?.hash === hash) {
      rows.touch(agentId, row)
      continue
    }
    rows.replace(agentId, row, chunkMarkdown(file.content))
    different = true
  }
  for (const path of known.keys()) rows.remove(agentId, path)
  return different || known.size > 0
}

const isNote = (path: string): boolean => path === 'MEMORY.md' || /^memory\/[^/]+\.md$/.test(path)

/** The file disappeared after it was listed; the next refresh will notice. */
const unreadable = (error: unknown): null => {
  if (errorCode(error) === 'ENOENT') return null
  throw error
}
