import { existsSync, realpathSync } from 'node:fs'
import type { Blocked, SandboxStatus } from '../../src-preload/contract/sandbox'
import { ownProgram } from '../own-process'
import { makeTemporaryFolder } from '../temporary'
import { explainBlocked } from './blocked'
import { type Bubblewrap, bubblewrapArgv } from './bubblewrap'
import type { Argv, Cage, Hidden } from './cage'
import type { Bounds } from './groups'
import { hiddenOutside, keptInside, plantedSince } from './hidden-paths'
import { usualBounds } from './hold'
import { linkedRepository } from './linked-repository'
import type { NetworkProxy } from './network-proxy'
import { type Found, probeBubblewrap, probeSeatbelt } from './probe'
import { seatbeltArgv } from './seatbelt'
import { removeScratch } from './view'

export interface SandboxOptions {
  home: string
  /** The app's own folders, which commands may not read. */
  own: readonly string[]
  /** Hosts that commands inside may reach. */
  hosts(): readonly string[]
  /** Limits that all sandboxed commands share; by default most of the machine. */
  bounds?: Bounds
  /** Where programs are searched. */
  path?: string
  platform?: NodeJS.Platform
}

/** A command that is about to be started. */
interface CommandStart {
  argv: Argv
  cwd: string
  /** Whether it gets a terminal. */
  tty: boolean
}

/** The same command inside, as the table of processes starts it. */
export interface PlacedStart {
  argv: Argv
  /** A cage that is open already, which `argv` is started in. */
  cage?: string
  /** Variables to add and to leave out. */
  env?: Readonly<Record<string, string>>
  unset?: readonly string[]
}

/** A call whose commands run in the sandbox or in the session's cage. */
export interface SandboxedCall {
  /** Folders besides the workspace that may be written to. */
  open(folders: readonly string[]): void
  /** It runs in the session's cage, since nobody was asked about it. */
  caged?: 'read' | 'write'
  /** What login files read is the same inside, so a snapshot of it holds there. */
  asOutside?: true
  /** How it is started inside; ask for it right before the start. */
  place(start: CommandStart): Promise<PlacedStart>
  /** Files it created that will make something run later by themselves, which the sandbox cannot prevent. */
  planted(): Promise<string[]>
  /** What it ran into, if it failed because of the sandbox. */
  explain(output: string): Blocked | null
}

export interface Sandbox {
  status(): Promise<SandboxStatus>
  /** `null` if there is no sandbox for this workspace. */
  enter(session: { id: string; workspace: string }): Promise<SandboxedCall | null>
  /** For a trial: the same cage without any network. */
  cageFor(session: { id: string; workspace: string }): Promise<Cage>
  bubblewrap(): Promise<Bubblewrap | null>
  /** Puts a command into a cage of its own; rejects where there is no sandbox. */
  wrap(cage: Cage, argv: Argv, cwd: string): Promise<Argv>
  /** The folder that a session's commands see as the one for temporary files. */
  tmpFor(sessionId: string): string
  close(): Promise<void>
}

type Runner = (cage: Cage, argv: Argv, cwd: string) => Argv

export function createSandbox(options: SandboxOptions): Sandbox {
  const { home, own } = options
  const platform = options.platform ?? process.platform
  const path = options.path ?? process.env.PATH ?? ''
  const temporary = createTemporaryFolders()
  const refused: string[] = []
  let probed: Promise<Found<Bubblewrap>> | null = null
  let proxy: Promise<NetworkProxy> | null = null

  const bubblewrap = (): Promise<Found<Bubblewrap>> => {
    probed ??= probeBubblewrap(path, options.bounds ?? usualBounds())
    return probed
  }
  let seatbelt: Promise<string> | null = null

  const runner = async (): Promise<Found<Runner>> => {
    if (platform === 'linux') {
      const found = await bubblewrap()
      return 'problem' in found ? found : { works: (cage, argv, cwd) => bubblewrapArgv(found.works, cage, argv, cwd) }
    }
    if (platform !== 'darwin') return { problem: 'There is no sandbox for this system.' }
    seatbelt ??= probeSeatbelt()
    const problem = await seatbelt
    return problem === '' ? { works: seatbeltArgv } : { problem }
  }

  const cageFor: Sandbox['cageFor'] = async (session) => {
    const workspace = realpathSync(session.workspace)
    const [outside, inside] = await Promise.all([hiddenOutside(home, own), keptInside(workspace)])
    const { frozen, closed, pinned } = inside
    const hidden: Hidden[] = [...outside.filter(({ path: each }) => each !== workspace), ...inside.hidden]
    const folders = { writable: [], readable: [], tmp: temporary.of(session.id) }
    return { workspace, ...folders, hidden, frozen, closed, pinned, proxy: null }
  }

  const withProxy = async (cage: Cage): Promise<Cage> => {
    if (platform !== 'linux' || options.hosts().length === 0) return cage
    // Imported on first use: it loads node:http, which would slow down the start of the app.
    proxy ??= import('./network-proxy').then(({ openProxy }) =>
      openProxy({ hosts: options.hosts, onRefused: (host) => refused.push(host) }),
    )
    const { socketDir, socketName } = await proxy
    return { ...cage, proxy: { socketDir, socketName, bridge: ownProgram('sandbox-bridge') } }
  }

  return {
    status: async () => {
      const found = await runner()
      if ('problem' in found) return { available: false, note: found.problem, canTry: false }
      const untested = platform === 'darwin' ? 'On macOS the sandbox is new and has not been tried much.' : ''
      return { available: true, note: untested, canTry: platform === 'linux' }
    },
    enter: async (session) => {
      const found = await runner()
      if ('problem' in found || realpathSync(session.workspace) === '/') return null
      let cage: Cage | null = null
      let turnedAway = 0
      let writable: readonly string[] = []
      return {
        open: (folders) => {
          writable = folders
        },
        place: async ({ argv, cwd }) => {
          cage = await withProxy(withCommits({ ...(await cageFor(session)), writable }))
          turnedAway = refused.length
          return { argv: found.works(cage, argv, cwd) }
        },
        planted: async () => (cage ? plantedSince(cage, cage.workspace) : []),
        explain: (output) =>
          cage &&
          explainBlocked(output, {
            hidden: cage.hidden,
            home,
            workspace: cage.workspace,
            refusedHosts: refused.slice(turnedAway),
          }),
      }
    },
    cageFor,
    tmpFor: temporary.of,
    wrap: async (cage, argv, cwd) => {
      const found = await runner()
      if ('problem' in found) throw new Error(found.problem)
      return found.works(cage, argv, cwd)
    },
    bubblewrap: async () => {
      const found = platform === 'linux' ? await bubblewrap() : null
      return found && 'works' in found ? found.works : null
    },
    close: async () => {
      await (await proxy)?.close()
      temporary.clear()
      const found = await probed
      if (found && 'works' in found) found.works.hold.close()
    },
  }
}

/** A folder of each session for its temporary files, made when it is first needed. */
const createTemporaryFolders = () => {
  const folders = new Map<string, string>()
  return {
    of: (sessionId: string): string => {
      const known = folders.get(sessionId)
      if (known && existsSync(known)) return known
      const made = realpathSync(makeTemporaryFolder('sandbox'))
      folders.set(sessionId, made)
      return made
    },
    clear: (): void => {
      for (const folder of folders.values()) removeScratch(folder)
      folders.clear()
    },
  }
}

/**
 * Lets commands commit in a linked work tree. Not used for trials, whose commits must not reach the real repository.
 */
export function withCommits(cage: Cage): Cage {
  const linked = linkedRepository(cage.workspace)
  if (!linked) return cage
  return { ...cage, writable: [...cage.writable, ...linked.writable], frozen: [...cage.frozen, ...linked.frozen] }
}
