import type { OwnProgram } from '../own-process'

/**
 * What a command can see and do inside: it can read everything that is not hidden here, and write only what is listed.
 */
export interface Cage {
  /** Canonical path; writable, unless `readOnly` says otherwise. */
  workspace: string
  /** Nothing is writable but the temporary folder. */
  readOnly?: true
  /** A view that replaces the workspace inside; changes made in it do not reach the workspace. */
  view?: string
  /** Further folders that the user opened for writing. */
  writable: readonly string[]
  /** Folders that are visible even inside a hidden or replaced one. */
  readable: readonly string[]
  /** The folder that this session's commands see as the one for temporary files. */
  tmp: string
  hidden: readonly Hidden[]
  /** Paths inside the workspace that stay read-only: hooks, editor and agent configuration. */
  frozen: readonly string[]
  /** Folders inside the workspace that do not exist and must not be created: an empty mount takes their place. */
  closed: readonly string[]
  /** Folders inside the workspace that cannot be moved away, so that frozen paths in them cannot be replaced. */
  pinned: readonly string[]
  /** The only way to the network; without it there is none. */
  proxy: ProxyDoor | null
}

export interface Hidden {
  path: string
  folder: boolean
}

/** A socket outside, and the program inside that forwards connections to it. */
interface ProxyDoor {
  socketDir: string
  socketName: string
  /** Starts a command with access to the proxy; the command's argv is appended. */
  bridge: OwnProgram
}

export type Argv = readonly [string, ...string[]]

export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** A cage that has only a workspace, as a base for others or for a probe. */
export const bareCage = (workspace: string): Cage => ({
  workspace,
  writable: [],
  readable: [],
  tmp: workspace,
  hidden: [],
  frozen: [],
  closed: [],
  pinned: [],
  proxy: null,
})
