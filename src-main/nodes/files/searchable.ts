import { systemPath } from '../../file-names'
import { NodeError } from '../node-error'
import { statOrNull } from './write-whole'

/** Checked first, because ripgrep's message about a missing path is not helpful. */
export async function requireSearchable(path: string, kind: 'directory' | 'any'): Promise<'directory' | 'file'> {
  const found = await statOrNull(path)
  // Programs take arguments as text, and this path is not valid text.
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
