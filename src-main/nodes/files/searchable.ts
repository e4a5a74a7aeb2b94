import { systemPath } from '../../file-names'
import { NodeError } from '../node-error'
import { statOrNull } from './write-whole'

/** ripgrep has nothing helpful to say about a place that is not there. */
export async function requireSearchable(path: string, kind: 'directory' | 'any'): Promise<'directory' | 'file'> {
  const found = await statOrNull(path)
  // Programs are handed text, and this is none.
  if (found && typeof systemPath(path) !== 'string')
    throw new NodeError(
      'InvalidPath',
      `A path that is no UTF-8 cannot be searched by itself; search the folder above: ${path}`,
    )
  if (!found) throw new NodeError('FileNotFound', `No such directory: ${path}`)
  if (found.isDirectory()) return 'directory'
  if (kind === 'any' && found.isFile()) return 'file'
  throw new NodeError('InvalidPath', `This is not a directory: ${path}`)
}
