import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { configuresAgent, protectedReason } from '../approval/paths/protected-paths'
import { secretReason } from '../approval/paths/secret-paths'
import { type Cage, type Hidden, isBelow } from './cage'

/** Folders in the home folder in which programs keep their keys. */
const inHome = [
  ...['', '.config', '.local/share', '.docker', '.cargo', '.gem', '.composer', '.nuget', '.m2', '.gradle'],
  ...['Library', 'Library/Application Support', 'Library/Application Support/Google'],
]
/** Secrets of other users and of the system, which root could read. */
const ofSystem = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d'],
  ...['/etc/ssl/private', '/etc/letsencrypt', '/etc/wireguard', '/etc/krb5.keytab', '/etc/security/opasswd'],
  ...['/root', '/var/lib/docker', '/var/lib/containers', '/var/run/docker.sock', '/var/spool/cron'],
  ...['/var/lib/lxd', '/var/snap/lxd/common/lxd', '/var/lib/incus'],
]
/** These contain the sockets that control containers. */
const containerFolders = /^\.(?:docker|colima|orbstack|lima|rd|podman)$/
const homesBeside = (home: string): Set<string> =>
  new Set([dirname(home), '/home'].filter((path) => /\/(?:home|Users)$/.test(path)))
const sharedHomes = new Set(['linuxbrew', 'Shared'])

/**
 * What no sandboxed command may read: keys, credentials, other users' files, configuration of agents and of the app.
 */
export async function hiddenOutside(home: string, own: readonly string[]): Promise<Hidden[]> {
  const found: (Hidden | null)[] = [...own, ...ofSystem.filter((path) => !isBelow(home, path))].map(hiddenAt)
  for (const folder of inHome) {
    for (const name of await namesIn(join(home, folder))) {
      const path = join(home, folder, name)
      const agents = folder === '' && (configuresAgent(name) || containerFolders.test(name))
      if (agents || looksSecret(join('/', folder, name), path)) found.push(hiddenAt(path))
    }
  }
  for (const folder of homesBeside(home))
    for (const name of await namesIn(folder))
      if (join(folder, name) !== home && !sharedHomes.has(name)) found.push(hiddenAt(join(folder, name)))
  for (const name of await namesIn('/etc/ssh'))
    if (name.startsWith('ssh_host_') && !name.endsWith('.pub')) found.push(hiddenAt(join('/etc/ssh', name)))
  return unique(found)
}

/** Where `hiddenOutside` looks. */
export const foldersOutside = (home: string): string[] => [
  ...inHome.map((folder) => join(home, folder)),
  ...homesBeside(home),
  '/etc/ssh',
]

interface Kept {
  hidden: Hidden[]
  frozen: string[]
  closed: string[]
  pinned: string[]
  /** The search ended early; anything deeper is neither hidden nor frozen. */
  cut: boolean
  /** The folders that were looked through. */
  folders: string[]
}

const notEntered =
  /^(?:node_modules|\.git|\.hg|\.svn|\.jj|target|dist|build|out|\.venv|venv|__pycache__|\.next|vendor)$/
const maxDepth = 6
const maxFolders = 4000

/** What a command may not read or change inside the workspace. Searched for every time, since files come and go. */
export async function keptInside(workspace: string): Promise<Kept> {
  const kept: Kept = { hidden: [], frozen: [], closed: [], pinned: [], cut: false, folders: [] }
  const folders: { path: string; depth: number }[] = [{ path: workspace, depth: 0 }]
  for (let next = 0; next < folders.length; next++) {
    const here = folders[next]
    if (!here) break
    if (next >= maxFolders) return { ...kept, cut: true }
    kept.folders.push(here.path)
    for (const entry of await entriesIn(here.path)) {
      const path = join(here.path, entry.name)
      const inside = path.slice(workspace.length)
      if (entry.name === '.git') {
        keepRepository(path, entry.isDirectory(), kept)
      } else if (!entry.isSymbolicLink() && looksSecret(inside, path)) {
        kept.hidden.push({ path, folder: entry.isDirectory() })
      } else if (!entry.isSymbolicLink() && protectedReason(`here/${entry.name}`) !== null) {
        kept.frozen.push(path)
      } else if (entry.isDirectory() && entry.name === 'workflows' && inside.endsWith('/.github/workflows')) {
        kept.frozen.push(path)
      } else if (entry.isDirectory() && here.depth < maxDepth && !notEntered.test(entry.name)) {
        folders.push({ path, depth: here.depth + 1 })
      }
    }
  }
  return kept
}

/** New files that make something run later by itself. */
export async function plantedSince(
  before: Pick<Cage, 'frozen' | 'closed' | 'pinned'>,
  workspace: string,
): Promise<string[]> {
  const known = new Set([...before.frozen, ...before.closed, ...before.pinned])
  const { frozen, pinned } = await keptInside(workspace)
  const fresh = [...frozen, ...pinned].filter((path) => !known.has(path) && existsSync(path))
  // A whole new repository is listed once.
  return fresh
    .filter((path) => !fresh.some((other) => other !== path && path.startsWith(`${other}/`)))
    .map((path) => path.slice(workspace.length + 1))
    .sort()
}

/** Commits are ordinary work; hooks and configuration make later commands run something. */
function keepRepository(path: string, folder: boolean, kept: Kept): void {
  if (!folder) {
    kept.frozen.push(path)
    return
  }
  kept.pinned.push(path)
  kept.frozen.push(join(path, 'config'))
  // Only linked work trees need these; elsewhere they point git to other configuration.
  for (const name of ['commondir', 'config.worktree'])
    if (existsSync(join(path, name))) kept.frozen.push(join(path, name))
  const hooks = join(path, 'hooks')
  const list = existsSync(hooks) ? kept.frozen : kept.closed
  list.push(hooks)
}

/** Whether a folder counts depends on its location, not its name: `src/cookies` is code. */
function looksSecret(shownAs: string, path: string): boolean {
  if (secretReason(shownAs) === null) return false
  try {
    if (statSync(path).isDirectory()) return secretReason(`${shownAs}/file`) !== null
    // Most projects that have this file share it, and keep no secret in it.
    return !shownAs.endsWith('/.npmrc') || /auth|token|password|username/i.test(readFileSync(path, 'utf8'))
  } catch {
    return false // Gone, or unreadable for us and so for a command as well.
  }
}

function hiddenAt(path: string): Hidden | null {
  try {
    const real = realpathSync(path)
    return { path: real, folder: statSync(real).isDirectory() }
  } catch {
    return null // Missing, or unreadable for us and so for a command as well.
  }
}

const unique = (found: readonly (Hidden | null)[]): Hidden[] => [
  ...new Map(found.flatMap((each) => (each ? [[each.path, each] as const] : []))).values(),
]

const namesIn = async (folder: string): Promise<string[]> => (await entriesIn(folder)).map(({ name }) => name)

const entriesIn = (folder: string) => readdir(folder, { withFileTypes: true }).catch(() => [])
