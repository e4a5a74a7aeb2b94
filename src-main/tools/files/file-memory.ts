import { stat } from 'node:fs/promises'
import { errorCode } from '../../error-code'

const maxEntries = 5_000

/** What each session last saw of a file, so that it notices changes by others. */
export interface FileMemory {
  remember(sessionId: string, path: string): Promise<void>
  /** Whether the file differs from what this session last read or wrote; `false` if it never saw the file. */
  changedSince(sessionId: string, path: string): Promise<boolean>
}

export function createFileMemory(): FileMemory {
  const stamps = new Map<string, string>()
  const keyOf = (sessionId: string, path: string): string => `${sessionId}\0${path}`
  return {
    async remember(sessionId, path) {
      const key = keyOf(sessionId, path)
      stamps.delete(key)
      stamps.set(key, await stampOf(path))
      const oldest = stamps.size > maxEntries ? stamps.keys().next().value : undefined
      if (oldest !== undefined) stamps.delete(oldest)
    },
    async changedSince(sessionId, path) {
      const known = stamps.get(keyOf(sessionId, path))
      return known !== undefined && known !== (await stampOf(path))
    },
  }
}

async function stampOf(path: string): Promise<string> {
  try {
    const { mtimeNs, size } = await stat(path, { bigint: true })
    return `${mtimeNs}:${size}`
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'missing'
    throw error
  }
}
