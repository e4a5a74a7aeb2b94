import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemPath } from '../../file-names'
import { requireChecked, withFolder } from './checked'
import type { ReachOptions } from './node-files'
import { ripgrep, searchOptions } from './ripgrep'
import { requireSearchable } from './searchable'

/** Matching local files below `base`, newest first, as absolute paths. */
export async function findFiles(
  pattern: string,
  base: string,
  { signal, checked }: ReachOptions & { signal: AbortSignal },
): Promise<string[]> {
  await requireSearchable(base, 'directory')
  return withFolder(base, (within, real) => {
    requireChecked(real, checked)
    return find(pattern, base, within, signal)
  })
}

async function find(pattern: string, base: string, within: string, signal: AbortSignal): Promise<string[]> {
  const found: { path: string; changed: bigint }[] = []
  const pending: Promise<void>[] = []
  // A leading slash anchors the pattern at the base; without one it would match at any depth.
  const args = ['--files', '--null', '--glob', `/${pattern}`, ...searchOptions(`${base} ${pattern}`), '.']
  for await (const name of ripgrep(args, { cwd: within, separator: '\0', signal })) {
    const path = join(base, name)
    pending.push(changedAt(path).then((changed) => void found.push({ path, changed })))
  }
  await Promise.all(pending)
  return found.sort((a, b) => Number(b.changed - a.changed) || (a.path < b.path ? -1 : 1)).map(({ path }) => path)
}

/** A file that was deleted since it was found counts as old. */
const changedAt = (path: string): Promise<bigint> =>
  lstat(systemPath(path), { bigint: true }).then(
    ({ mtimeNs }) => mtimeNs,
    () => 0n,
  )
