/** What a command can see and do inside: everything that is not named here can be read, and nothing else written. */
export interface Cage {
  /** Canonical, and writable. */
  workspace: string
  /** What stands in the place of the workspace: a view of it whose changes stay aside. */
  view?: string
  /** Folders besides it that the user opened. */
  writable: readonly string[]
  /** The folder that commands of this session see as the one for temporary files. */
  tmp: string
  hidden: readonly Hidden[]
  /** Inside the workspace, but not to be written to: hooks, editor and agent configuration. */
  frozen: readonly string[]
  /** Folders inside the workspace that are not there and must not come: something empty stands in their place. */
  closed: readonly string[]
  /** Folders inside the workspace that cannot be moved away, so that nothing else takes the place of what is frozen there. */
  pinned: readonly string[]
  /** The only way out to the network; none without it. */
  proxy: ProxyDoor | null
}

export interface Hidden {
  path: string
  folder: boolean
}

/** A socket outside, and the program inside that hands connections on to it. */
interface ProxyDoor {
  socketDir: string
  socketName: string
  /** What starts a command behind the door: the command's own words follow. */
  bridge: readonly string[]
}

export type Argv = readonly [string, ...string[]]

export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** A cage with nothing in it but a workspace: to be filled, or tried out. */
export const bareCage = (workspace: string): Cage => ({
  workspace,
  writable: [],
  tmp: workspace,
  hidden: [],
  frozen: [],
  closed: [],
  pinned: [],
  proxy: null,
})
