import { type Argv, type Cage, isBelow } from './cage'
import type { Hold } from './hold'

/** Separate namespaces for everything, no way to create more, and an end together with the parent process. */
const walls = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-net', '--unshare-cgroup-try'],
  ...['--cap-drop', 'ALL', '--die-with-parent'],
]

/** Programs of some systems are found only through these. */
const neededOfRun = ['/run/current-system', '/run/opengl-driver', '/run/wrappers', '/run/host']

/** These name sockets and displays that do not exist inside. */
export const outerVariables = [
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GPG_AGENT_INFO', 'DBUS_SESSION_BUS_ADDRESS', 'DISPLAY', 'WAYLAND_DISPLAY'],
  ...['XAUTHORITY', 'XDG_RUNTIME_DIR', 'ICEAUTHORITY', 'SESSION_MANAGER', 'DOCKER_HOST', 'TMPDIR', 'TMP', 'TEMP'],
]

/** Places for what programs keep between two runs; the usual ones are read-only. */
export const caches = {
  XDG_CACHE_HOME: '/tmp/.cache',
  npm_config_cache: '/tmp/.cache/npm',
  YARN_CACHE_FOLDER: '/tmp/.cache/yarn',
}

const socketFolder = '/run/deckhand'
/** Folders that are replaced as a whole; their outside content is not visible inside. */
const replaced = ['/tmp', '/var/tmp', '/run', '/dev', '/proc', '/sys']

export interface Bubblewrap {
  program: string
  /** Options that only some versions and kernels support. */
  extra: readonly string[]
  hold: Hold
}

/** The argv that runs `argv` inside the cage, in `cwd`. */
export function bubblewrapArgv({ program, extra, hold }: Bubblewrap, cage: Cage, argv: Argv, cwd: string): Argv {
  const [first = program, ...rest] = [
    ...hold.start(),
    program,
    ...walls,
    ...extra,
    ...hold.options,
    ...base(cage),
    ...mounts(cage),
    ...environment(cage),
    ...['--chdir', cwd, '--'],
    ...hold.within,
    ...(cage.proxy ? [...cage.proxy.bridge.argv, `${socketFolder}/${cage.proxy.socketName}`] : []),
    ...argv,
  ]
  return [first, ...rest]
}

/**
 * The argv that makes a cage and starts a program in it as its first process, which cannot be ended from inside: the
 * program is appended. It gives each command its environment itself.
 */
export function cageStarterArgv({ program, extra, hold }: Bubblewrap, cage: Cage): readonly string[] {
  return [
    ...hold.start(),
    program,
    ...walls,
    '--as-pid-1',
    ...extra,
    ...hold.options,
    ...base(cage),
    ...mounts(cage),
    ...['--chdir', '/', '--'],
    ...hold.within,
  ]
}

const base = ({ tmp, proxy }: Cage): string[] => [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
  // Root inside could write the kernel's own settings.
  ...['--ro-bind', '/proc/sys', '/proc/sys'],
  // Sockets of the system and of the session: D-Bus, containers, keyrings.
  ...['--tmpfs', '/run'],
  ...neededOfRun.flatMap((path) => ['--ro-bind-try', path, path]),
  ...['--bind', tmp, '/tmp', '--bind-try', tmp, '/var/tmp'],
  ...(proxy ? ['--ro-bind', proxy.socketDir, socketFolder] : []),
  ...programsInReplaced(proxy?.bridge.argv ?? []).flatMap((folder) => ['--ro-bind', folder, folder]),
]

/** An app that runs from an AppImage is mounted below /tmp. */
const programsInReplaced = (bridge: readonly string[]): string[] => [
  ...new Set(
    bridge
      .filter((path) => path.startsWith('/') && replaced.some((folder) => isBelow(path, folder)))
      .map((path) => path.slice(0, path.lastIndexOf('/'))),
  ),
]

/**
 * Sorted by path, so that a folder comes before its content, and the workspace is mounted even inside a hidden folder.
 */
function mounts(cage: Cage): string[] {
  const { workspace, view, writable, readable, hidden, frozen, closed, pinned } = cage
  const shown = [workspace, ...readable]
  const inSight = hidden.filter(
    ({ path }) =>
      shown.some((folder) => isBelow(path, folder)) ||
      (!replaced.some((folder) => isBelow(path, folder)) &&
        !hidden.some((other) => other.path !== path && isBelow(path, other.path))),
  )
  const inView = (path: string): string => (view === undefined ? path : view + path.slice(workspace.length))
  const all = [
    ...inSight.map(({ path, folder }) => ({
      path,
      words: folder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
    })),
    ...readable.map((path) => ({ path, words: ['--ro-bind-try', path, path] })),
    { path: workspace, words: [cage.readOnly ? '--ro-bind' : '--bind', inView(workspace), workspace] },
    ...writable.map((path) => ({ path, words: ['--bind-try', path, path] })),
    ...closed.map((path) => ({ path, words: ['--tmpfs', path] })),
    ...pinned.map((path) => ({ path, words: ['--bind', inView(path), path] })),
    ...frozen.map((path) => ({ path, words: ['--ro-bind-try', inView(path), path] })),
  ]
  const empty = [...inSight.flatMap(({ path, folder }) => (folder ? path : [])), ...closed]
  const seals = empty.flatMap((path) => ['--remount-ro', path])
  // Mounts inside a hidden folder need a mount point there, so it becomes read-only last.
  return [
    ...all.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)).flatMap(({ words }) => words),
    ...seals,
  ]
}

function environment({ proxy }: Cage): string[] {
  const set = { ...caches, ...proxy?.bridge.env }
  return [
    ...outerVariables.flatMap((name) => ['--unsetenv', name]),
    ...Object.entries(set).flatMap(([name, value]) => ['--setenv', name, value]),
  ]
}
