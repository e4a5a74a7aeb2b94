import { basename, dirname, join } from 'node:path'
import { removeLeftFile } from '../temporary'
import { scan } from './scan'

const limits = { maxEntries: 100_000, maxMs: 5_000 }
/** Large folders in which nobody edits. */
const passedOver = new Set(['node_modules', '.git'])

/** Removes temporary files that a crash left beside edited files in a workspace. */
export async function clearTemporary(root: string, signal?: AbortSignal): Promise<void> {
  const isSealed = (_path: string, name: string): boolean => passedOver.has(name)
  const { entries } = await scan(root, { ...limits, isSealed, signal })
  for (const [path, { kind }] of entries)
    if (kind === 'file' && path.endsWith('.tmp')) removeLeftFile(join(root, dirname(path)), basename(path))
}
