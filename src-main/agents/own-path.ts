import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'

type OwnFileTrouble = 'InvalidPath' | 'FileNotFound' | 'ExecutionFailed'

/** A request for one of the agent's own files is invalid; the message tells the caller why. */
export class OwnFileError extends Error {
  constructor(
    readonly kind: OwnFileTrouble,
    message: string,
  ) {
    super(message)
    this.name = 'OwnFileError'
  }
}

const longestPath = 1000

/**
 * Normalizes a path relative to the agent's folder: leading `/` and `./` and trailing slashes are dropped, and the
 * empty string is the folder itself. `..` is refused anywhere in the path, to keep the rule simple.
 */
export function ownPath(path: string): string {
  if (path.includes('\0')) throw new OwnFileError('InvalidPath', 'The path contains a NUL character')
  if (path.length > longestPath) throw new OwnFileError('InvalidPath', 'The path is too long')
  const parts = path.trim().split('/')
  // A backslash is a separator on some systems only; for the `..` check it always counts as one.
  if (path.split(/[/\\]/).some((part) => part.trim() === '..')) {
    throw new OwnFileError('InvalidPath', `Path traversal is not allowed: ${path}`)
  }
  return parts.filter((part) => part !== '' && part !== '.').join('/')
}

/**
 * The real location of a path under `root`. Symbolic links are followed as the system would, including a final link
 * whose target does not exist yet. A link that leaves `root` is refused.
 */
export function containedPath(root: string, path: string): string {
  const wanted = join(root, ...path.split('/'))
  const home = realTarget(root)
  const real = realTarget(wanted)
  if (real !== home && !real.startsWith(home + sep)) {
    throw new OwnFileError('InvalidPath', `A link leads out of the agent's own files: ${path}`)
  }
  return real
}

function realTarget(path: string): string {
  let current = path
  const missing: string[] = []
  for (let steps = 0; steps < 200; steps++) {
    const found = lstatSync(current, { throwIfNoEntry: false })
    if (found?.isSymbolicLink() && !leads(current)) {
      // A dangling link: writing to it would create its target.
      current = resolve(dirname(current), readlinkSync(current))
      continue
    }
    if (found) return join(realpathSync(current), ...missing)
    const parent = dirname(current)
    if (parent === current) break
    missing.unshift(current.slice(parent.length).replace(/^[/\\]/, ''))
    current = parent
  }
  throw new OwnFileError('InvalidPath', `Too many symbolic links: ${path}`)
}

function leads(link: string): boolean {
  try {
    realpathSync(link)
    return true
  } catch {
    // The target of the link does not exist.
    return false
  }
}
