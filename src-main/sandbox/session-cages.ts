import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'
import type { LocalNode } from '../nodes/local'
import { explainBlocked } from './blocked'
import { caches, cageStarterArgv, outerVariables } from './bubblewrap'
import { type Cage, type Hidden, isBelow } from './cage'
import { foldersOutside, hiddenOutside, keptInside, plantedSince } from './hidden-paths'
import { linkedRepository } from './linked-repository'
import { namedByEnvironment, privatePaths, repositoryRoot } from './private-paths'
import { programsInHome } from './programs-in-home'
import { type Sandbox, type SandboxedCall, withCommits } from './sandbox'
import { type Stamps, stampOf, takeStamps } from './stamps'

/** `read`: nothing is writable. `write`: the workspace is, but not what runs by itself later. */
export type CageKind = 'read' | 'write'

/** Folders outside the workspace that the user opened. */
interface OpenedFolders {
  readable: readonly string[]
  writable: readonly string[]
}

/** The cages of sessions, for commands that nobody was asked about. */
export interface SessionCages {
  /** Whether commands of this session can be caged; the first answer takes a moment. */
  available(session: CagedSession): Promise<boolean>
  /** Makes what a session will need, in the background. */
  warm(session: CagedSession, kinds: readonly CageKind[]): void
  /** `null` if it cannot be made. */
  enter(session: CagedSession, kind: CageKind, opened: OpenedFolders): Promise<SandboxedCall | null>
  close(): void
}

interface CagedSession {
  id: string
  workspace: string
}

interface SessionCagesOptions {
  sandbox: Sandbox
  node: Pick<LocalNode, 'openCage' | 'retireCage'>
  home: string
  /** The app's own folders, which are hidden, and those in them that the shell needs. */
  own: readonly string[]
  needed: readonly string[]
  env?: Readonly<Record<string, string | undefined>>
  platform?: NodeJS.Platform
  /** Called once, with the reason why there are no cages here. */
  onProblem(problem: string): void
}

/** A cage that is open, and what it was made of. */
interface OpenCage {
  id: string
  cage: Cage
  /** Everything that it depends on, as text, to tell whether another would be the same. */
  made: string
  stamps: Stamps
}

/** Each keeps a few small processes; the one that was used longest ago is closed first. */
const mostCages = 8

const nothingOpened: OpenedFolders = { readable: [], writable: [] }

export function createSessionCages(options: SessionCagesOptions): SessionCages {
  const { sandbox, node, home } = options
  const platform = options.platform ?? process.platform
  /** Found on first use, since it looks at files. */
  let named: string[] | null = null
  const namedOnce = (): string[] => {
    named ??= namedByEnvironment(home, options.env ?? process.env)
    return named
  }
  /** By session, kind and folders; the one that was used last comes last. */
  const open = new Map<string, OpenCage>()
  const opening = new Map<string, Promise<OpenCage | null>>()
  let told = false
  let closed = false

  const problem = (text: string): null => {
    if (!told && !closed) options.onProblem(text)
    told = true
    return null
  }

  const make = async (
    key: string,
    session: CagedSession,
    kind: CageKind,
    opened: OpenedFolders,
  ): Promise<OpenCage | null> => {
    const { cage, stamps } = await describeCage(session, kind, opened, { ...options, named: namedOnce() })
    const identities = [...cage.hidden.map(({ path }) => path), ...cage.frozen].map((path) => stampOf(path, false))
    const made = JSON.stringify([cage, identities])
    const before = open.get(key)
    if (before?.made === made) {
      const kept = { ...before, stamps }
      open.set(key, kept)
      return kept
    }
    const id = `${kind}-${randomUUID()}`
    if (platform === 'linux') {
      const bubblewrap = await sandbox.bubblewrap()
      if (!bubblewrap) return null
      try {
        await node.openCage(id, cageStarterArgv(bubblewrap, cage))
      } catch (error) {
        return problem(error instanceof Error ? error.message : String(error))
      }
    }
    if (before) node.retireCage(before.id)
    const fresh = { id, cage, made, stamps }
    open.delete(key)
    open.set(key, fresh)
    for (const [old, { id: oldId }] of [...open].slice(0, Math.max(0, open.size - mostCages))) {
      open.delete(old)
      node.retireCage(oldId)
    }
    return fresh
  }

  const get = async (session: CagedSession, kind: CageKind, opened: OpenedFolders): Promise<OpenCage | null> => {
    const key = JSON.stringify([session.id, session.workspace, kind, opened])
    const known = open.get(key)
    if (known?.stamps.unchanged()) {
      open.delete(key)
      open.set(key, known)
      return known
    }
    const running = opening.get(key)
    if (running) return running
    const started = make(key, session, kind, opened).finally(() => opening.delete(key))
    opening.set(key, started)
    return started
  }

  const available: SessionCages['available'] = async ({ workspace }) => {
    const status = await sandbox.status()
    if (!status.available) problem(status.note)
    return status.available && canonical(workspace) !== '/'
  }

  return {
    available,
    warm: (session, kinds) => {
      void available(session).then(async (can) => {
        if (can) await Promise.all(kinds.map((kind) => get(session, kind, nothingOpened)))
      }, problem)
    },
    enter: async (session, kind, opened) => {
      const entered = (await available(session)) ? await get(session, kind, opened) : null
      return entered && commandsIn(entered, { sandbox, platform, home })
    },
    close: () => {
      closed = true
      for (const { id } of open.values()) node.retireCage(id)
      open.clear()
    },
  }
}

/** What a cage shows, and stamps by which it is noticed that it would be another one now. */
async function describeCage(
  session: CagedSession,
  kind: CageKind,
  { readable, writable }: OpenedFolders,
  { sandbox, home, own, needed, named }: SessionCagesOptions & { named: readonly string[] },
): Promise<{ cage: Cage; stamps: Stamps }> {
  const workspace = realpathSync(session.workspace)
  const root = repositoryRoot(workspace, home)
  const linked = linkedRepository(workspace)
  const shown = [...new Set([root, ...(linked?.writable ?? []), ...readable, ...writable])].filter(
    (path) => path !== workspace,
  )
  const [outside, inside, more] = await Promise.all([
    hiddenOutside(home, own),
    keptInside(root),
    privatePaths(home, [workspace, ...shown, ...named]),
  ])
  const hidden: Hidden[] = [...outside, ...more, ...inside.hidden].filter(({ path }) => path !== workspace)
  // What is around the workspace is read-only anyway.
  const here = (paths: readonly string[]): string[] =>
    kind === 'write' ? paths.filter((path) => isBelow(path, workspace)) : []
  const kept = { frozen: here(inside.frozen), closed: here(inside.closed), pinned: here(inside.pinned) }
  const cage: Cage = {
    workspace,
    ...(kind === 'read' && { readOnly: true as const }),
    writable: kind === 'write' ? writable : [],
    readable: [...new Set([...programsInHome(home), ...shown, ...named, ...needed])].filter(
      (path) => path !== workspace,
    ),
    tmp: sandbox.tmpFor(session.id),
    hidden: unique(hidden),
    ...kept,
    proxy: null,
  }
  const files = [...inside.hidden.map(({ path }) => path), ...kept.frozen, ...kept.pinned]
  const stamps = takeStamps(inside.folders, files, foldersOutside(home))
  return { cage: kind === 'write' ? withCommits(cage) : cage, stamps }
}

/** Commands of one call in a cage. */
function commandsIn(
  { id, cage }: OpenCage,
  { sandbox, platform, home }: { sandbox: Sandbox; platform: NodeJS.Platform; home: string },
): SandboxedCall {
  return {
    caged: cage.readOnly ? 'read' : 'write',
    asOutside: true,
    open: () => {},
    place: async ({ argv, cwd, tty }) =>
      platform === 'linux' && tty
        ? { argv, cage: id, unset: outerVariables, env: caches }
        : { argv: await sandbox.wrap(cage, argv, cwd) },
    planted: async () => (cage.readOnly ? [] : plantedSince(cage, cage.workspace)),
    explain: (output) =>
      explainBlocked(output, {
        hidden: cage.hidden,
        shown: cage.readable,
        home,
        workspace: cage.workspace,
        refusedHosts: [],
      }),
  }
}

const unique = (hidden: readonly Hidden[]): Hidden[] => [...new Map(hidden.map((each) => [each.path, each])).values()]

function canonical(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
