import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'

type OwnFileTrouble = 'InvalidPath' | 'FileNotFound' | 'ExecutionFailed'

/** What is wrong with a request for one of the agent's own files, in words for whoever asked. */
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
 * A path as somebody wrote it, relative to the agent's folder: `/`, `./` and trailing slashes are dropped, and the empty
 * text is the folder itself. `..` is refused wherever it stands, so that nobody has to think about what it would mean.
 */
export function ownPath(path: string): string {
  if (path.includes('\0')) throw new OwnFileError('InvalidPath', 'The path contains a NUL character')
  if (path.length > longestPath) throw new OwnFileError('InvalidPath', 'The path is too long')
  const parts = path.trim().split('/')
  // A backslash separates on some systems and is a letter on others: it separates here when it would lead upwards.
  if (path.split(/[/\\]/).some((part) => part.trim() === '..')) {
    throw new OwnFileError('InvalidPath', `Path traversal is not allowed: ${path}`)
  }
  return parts.filter((part) => part !== '' && part !== '.').join('/')
}

/**
 * The place on the disk of a path under `root`. Links are followed as the system would follow them, also the last one,
 * which need not lead to anything yet; one that leaves `root` is refused.
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
      // It points to something that is not there: what is written would land there.
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
    // The only way to ask whether a link leads anywhere.
    return false
  }
}
