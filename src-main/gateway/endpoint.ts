import { lstat, mkdir, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { GatewayError } from './errors'

/** One end of a transfer: a path on a node, or one among the agent's own files. */
export type Endpoint = { kind: 'node'; nodeId: string; path: string } | { kind: 'own'; path: string }

/** Parses `{nodeId}:/path` or `gsv:workspace/path`; throws `GatewayError` 400 with a message for the model. */
export function parseEndpoint(text: string, which: 'source' | 'destination'): Endpoint {
  const refuse = (why: string): never => {
    const forms = 'Write {nodeId}:/path/to/file or gsv:workspace/path.'
    throw new GatewayError(400, `Malformed ${which} endpoint ${JSON.stringify(text.slice(0, 200))}: ${why}. ${forms}`)
  }
  const colon = text.indexOf(':')
  if (colon < 0) refuse('there is no ":"')
  const nodeId = text.slice(0, colon)
  const path = text.slice(colon + 1)
  if (nodeId === '') refuse('the node is missing')
  if (path === '') refuse('the path is missing')
  if (path.includes('\0')) refuse('the path contains a NUL character')
  if (nodeId !== 'gsv') return { kind: 'node', nodeId, path }
  const own = path.replace(/^\/+/, '').replace(/^workspace\//, '')
  if (own === '' || own.endsWith('/')) refuse('the path names no file')
  if (own.split(/[\\/]/).includes('..')) refuse('".." is not allowed')
  return { kind: 'own', path: own }
}

/**
 * The location of one of the agent's own files. Symbolic links may not lead out of its folder, neither as the file
 * itself nor as one of its parent folders.
 */
export async function ownPath(root: string, path: string): Promise<string> {
  await mkdir(root, { recursive: true })
  const home = await realpath(root)
  const wanted = join(home, path)
  for (let each = wanted; each !== home; each = dirname(each)) {
    if (!(await exists(each))) continue
    const real = await realpath(each).catch(() => null)
    if (real === null || !isInside(real, home))
      throw new GatewayError(403, `gsv:${path} leads out of the agent's own files`)
    return join(real, relative(each, wanted))
  }
  return wanted
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
