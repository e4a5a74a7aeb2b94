import { canonicalPath, inWorkspace, isInsideAny, shortPath } from '../paths/paths'
import { secretReason } from '../paths/secret-paths'
import { type Doubt, doubt, first, type ReadingContext, type Standing } from './facts'

/** A folder is searched for secrets only so far: the gate has to stay fast. */
const MAX_SEARCHED = 2000

/** Why a path may not be read without asking: outside, secret, not a plain file, or not to be told. */
export function pathDoubt(path: string, context: ReadingContext, metadata = false): Doubt | null {
  if (path === '-' || path === '/dev/null' || path === '/dev/stdin') return null
  const { places } = context
  for (const cwd of context.cwds) {
    if (cwd === null && !path.startsWith('/')) return doubt('unclear', `it is not clear which folder ${path} is in`)
    const canonical = canonicalPath(path, cwd ?? '/', places.files)
    if (canonical === null) return doubt('unclear', `it is not clear where ${path} leads`)
    if (!isInsideAny(canonical, places.readFolders)) {
      context.outside.push(canonical)
      return doubt('outside', `it reads outside the workspace: ${shortPath(canonical, places)}`)
    }
    const secret = metadata ? null : (secretReason(inWorkspace(canonical, places)) ?? secretReason(path))
    if (secret !== null) return doubt('secret', secret)
    const kind = places.files.lstat(canonical)?.kind
    if (!metadata && kind !== undefined && kind !== 'file' && kind !== 'directory')
      return doubt('unclear', `${path} is not a plain file`)
    context.reads.push(canonical)
  }
  return null
}

/** The same for several. All of them are looked at, so that the card can name what would be read. */
export const pathsDoubt = (paths: readonly string[], context: ReadingContext, metadata = false): Doubt | null =>
  paths.map((path) => pathDoubt(path, context, metadata)).find((found) => found !== null) ?? null

export function isFolder(path: string, { cwds, places }: Standing): boolean {
  return cwds.some((cwd) => {
    const canonical = canonicalPath(path, cwd ?? '/', places.files)
    return canonical !== null && places.files.lstat(canonical)?.kind === 'directory'
  })
}

/** Whether a file below one of these folders looks secret, as far as one may look. */
export function secretBelow(paths: readonly string[], hidden: boolean, standing: Standing): Doubt | null {
  return first(paths.length > 0 ? paths : ['.'], (path) => {
    const secret = findSecret(path, hidden, standing)
    if (secret === undefined) return doubt('lasting', 'there are too many folders to be looked through for secrets')
    return secret === null ? null : doubt('secret', `it would also read ${secret}`)
  })
}

/** `undefined` where there are more folders than can be looked at. */
function findSecret(path: string, hidden: boolean, { cwds, places }: Standing): string | null | undefined {
  const { files } = places
  const queue = cwds.map((cwd) => canonicalPath(path, cwd ?? '/', places.files)).filter((folder) => folder !== null)
  for (let searched = 0; searched < queue.length; searched++) {
    if (searched >= MAX_SEARCHED) return undefined
    const folder = queue[searched] ?? ''
    const entries = files.entries?.(folder) ?? (files.list(folder) ?? []).map((name) => ({ name, kind: 'directory' }))
    for (const { name, kind } of entries) {
      if (!hidden && name.startsWith('.')) continue
      const child = `${folder}/${name}`
      if (secretReason(`/${name}`) !== null) return shortPath(child, places)
      if (kind === 'directory' && name !== 'node_modules' && name !== '.git') queue.push(child)
    }
  }
  return null
}
