import type { ToolErrorKind } from '../../src-preload/contract/tool-calls'
import { SecretInputError } from '../nodes/node'
import { NodeError } from '../nodes/node-error'
import { ToolFailure } from './tool'

/** How an error of the operating system is shown to a model: its kind, and a message that says what to do. */
const meanings = new Map<string, [ToolErrorKind, string]>([
  ['ENOENT', ['FileNotFound', 'No such file or directory']],
  ['EACCES', ['PermissionDenied', 'The operating system denies access']],
  ['EPERM', ['PermissionDenied', 'The operating system does not permit this']],
  ['EROFS', ['PermissionDenied', 'The file system is read-only']],
  ['EISDIR', ['InvalidPath', 'This is a directory']],
  ['ENOTDIR', ['InvalidPath', 'A part of the path is not a directory']],
  ['ENOTEMPTY', ['InvalidPath', 'The directory is not empty']],
  ['EEXIST', ['InvalidPath', 'It exists already']],
  ['ELOOP', ['InvalidPath', 'Too many symbolic links']],
  ['ENAMETOOLONG', ['InvalidPath', 'The name is too long']],
  ['EINVAL', ['InvalidPath', 'The operating system refuses this path']],
  ['ENOSPC', ['ExecutionFailed', 'No space left on the device']],
  ['EDQUOT', ['ExecutionFailed', 'The disk quota is used up']],
  ['EFBIG', ['ExecutionFailed', 'The file would be too large']],
  ['EMFILE', ['ExecutionFailed', 'Too many open files']],
  ['EBUSY', ['ExecutionFailed', 'The file is busy']],
  ['ETXTBSY', ['ExecutionFailed', 'The program is running']],
  ['EIO', ['ExecutionFailed', 'The device reports an input/output error']],
  ['ETIMEDOUT', ['Timeout', 'The operation timed out']],
])

/** An operating system error as a failure that the model can read; `null` for anything else, which is a bug. */
export function systemFailure(error: unknown): ToolFailure | null {
  if (!(error instanceof Error)) return null
  const { code, path, syscall } = error as NodeJS.ErrnoException
  if (typeof code !== 'string' || !syscall) return null
  const [kind, words] = meanings.get(code) ?? ['ExecutionFailed', 'The operating system reports an error']
  return new ToolFailure(kind, `${words}${path ? `: ${path}` : ''} (${code})`)
}

/** A machine's error as a failure that the model can read; `null` for anything else, which is a bug. */
export function failureOf(error: unknown): ToolFailure | null {
  if (error instanceof ToolFailure) return error
  if (error instanceof SecretInputError) return new ToolFailure('PermissionDenied', error.message)
  if (error instanceof NodeError) return new ToolFailure(nodeKinds.get(error.kind) ?? 'ExecutionFailed', error.message)
  return systemFailure(error)
}

/** How errors of a machine are shown to a model; connection errors are failures to execute. */
const nodeKinds = new Map<NodeError['kind'], ToolErrorKind>([
  ['timeout', 'Timeout'],
  ...(['FileNotFound', 'InvalidPath', 'PermissionDenied', 'InvalidArgs', 'NotFound', 'Timeout'] as const).map(
    (kind) => [kind, kind] as const,
  ),
])
