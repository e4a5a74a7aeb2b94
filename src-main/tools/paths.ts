import { isAbsolute, relative, resolve } from 'node:path'
import { ToolFailure } from './tool'

/**
 * The path that a call means: absolute as it is, relative from the workspace. Nothing is expanded or decoded, and `..`
 * is taken out here, so that the gate looks at the very path that the tool then opens.
 */
export function resolvePath(path: string, workspace: string): string {
  if (path === '') throw new ToolFailure('InvalidPath', 'The path is empty')
  if (path.includes('\0')) throw new ToolFailure('InvalidPath', 'The path contains a NUL character')
  return resolve(workspace, path)
}

/** As short as a reader needs it: relative inside the workspace, absolute elsewhere. */
export function displayPath(path: string, workspace: string): string {
  const short = relative(workspace, path)
  return short === '' ? '.' : short.startsWith('..') || isAbsolute(short) ? path : short
}
