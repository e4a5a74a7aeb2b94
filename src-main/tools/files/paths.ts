import { isAbsolute, relative, resolve } from 'node:path'
import type { Access, PathAccess } from '../../approval/types'
import { ToolFailure } from '../tool'

/**
 * The path that a call means: absolute as it is, relative from the workspace. Nothing is expanded or decoded, and `..`
 * is resolved here, so that the gate checks exactly the path that the tool then opens.
 */
export function resolvePath(path: string, workspace: string): string {
  if (path === '') throw new ToolFailure('InvalidPath', 'The path is empty')
  if (path.includes('\0')) throw new ToolFailure('InvalidPath', 'The path contains a NUL character')
  return resolve(workspace, path)
}

/** For display: relative inside the workspace, absolute elsewhere. */
export function displayPath(path: string, workspace: string): string {
  const short = relative(workspace, path)
  return short === '' ? '.' : short.startsWith('..') || isAbsolute(short) ? path : short
}

/** What a file tool declares to the gate; the paths are resolved. */
export const accessTo = (paths: readonly PathAccess[], node: string, workspace: string): Access => ({
  action: paths.every(({ access }) => access === 'read') ? 'read' : 'write',
  node,
  workspace,
  cwd: workspace,
  paths,
})

/** The same for a tool that works on a single file or folder, with the path as the call names it. */
export const accessToOne = (access: PathAccess['access'], path: string, node: string, workspace: string): Access =>
  accessTo([{ path: resolvePath(path, workspace), access }], node, workspace)
