import type { Rule } from '../../../src-preload/contract/approval'
import type { FileView } from '../types'

/** A folder outside the workspace that the user opened by a rule about everything in it. */
interface GrantedFolder {
  path: string
  rule: Rule
}

/** The folders a call may work in, canonical, and what else path checks need. */
export interface Places {
  files: FileView
  workspace: string
  /** The workspace and every folder that may be changed like it. */
  folders: readonly string[]
  /** Those, and the folders that may only be read. */
  readFolders: readonly string[]
  granted: readonly GrantedFolder[]
  own: readonly string[]
  /** Inside `own`, but open to reading. */
  readable: readonly string[]
  /** What is decided about would run outside a cage, so that only the programs of the kernel run without a question. */
  kernelOnly?: boolean
}

/** `/w/project-evil` is not inside `/w/project`. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

export const isInsideAny = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isInside(path, folder))

/**
 * Where a path really leads: the canonical path of its deepest existing ancestor and the rest after it. Not normalised
 * first, since `link/..` is the parent of what the link points to. `null` where that cannot be told: a dangling or
 * circular link (a write would follow it), `..` below something missing, NUL.
 */
export function canonicalPath(path: string, cwd: string, files: FileView): string | null {
  if (path === '' || path.includes('\0')) return null
  return deepest(path.startsWith('/') ? path : `${cwd}/${path}`, files)
}

function deepest(absolute: string, files: FileView): string | null {
  const real = files.realpath(absolute)
  if (real !== null) return real
  const trimmed = absolute.replace(/\/+$/, '')
  if (trimmed === '') return null
  if (files.lstat(trimmed)?.kind === 'symlink') return null
  const slash = trimmed.lastIndexOf('/')
  const name = trimmed.slice(slash + 1)
  if (name === '..') return null
  const parent = deepest(slash <= 0 ? '/' : trimmed.slice(0, slash), files)
  if (parent === null || name === '.') return parent
  return parent === '/' ? `/${name}` : `${parent}/${name}`
}

/** `~` and `~/x` as a shell reads them; `null` for `~user` and the like. */
export function expandTilde(path: string, home: string): string | null {
  if (path === '~') return home
  if (path.startsWith('~/')) return home + path.slice(1)
  return path.startsWith('~') ? null : path
}

/** Removes `.`, `..` and doubled slashes as text, for paths that need not exist. */
export function lexicalPath(path: string, cwd: string): string {
  const kept: string[] = []
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') kept.pop()
    else if (part !== '' && part !== '.') kept.push(part)
  }
  return `/${kept.join('/')}`
}

/**
 * Below the workspace only what follows counts, as `./lib/x`: a project may itself lie in a folder with a telling name,
 * and its own `lib` is not the one of the system.
 */
export function inWorkspace(canonical: string, places: Places): string {
  return isInside(canonical, places.workspace) ? `.${canonical.slice(places.workspace.length)}` : canonical
}

/** A path as the card shows it: short inside the workspace and at home. */
export function shortPath(path: string, places: Places): string {
  if (path !== places.workspace && isInside(path, places.workspace)) return path.slice(places.workspace.length + 1)
  if (isInside(path, places.files.home)) return `~${path.slice(places.files.home.length)}`
  return path
}
