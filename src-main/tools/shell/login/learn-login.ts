import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { bash } from './bash-state'
import { type Looked, type LookPlace, look } from './look'
import { pathsIn, stampsOf } from './read-paths'
import { keyOf, ofKind, readState, type ShellKind, type ShellState } from './shell-kind'
import { zsh } from './zsh-state'

/** How to start a shell in the state after its login files, without reading them. */
export interface Snapshot {
  args: readonly string[]
  /** Point the shell to the snapshot; they are unset again when a command begins. */
  variables: Record<string, string>
  /** For commands that use none of these functions. */
  slim?: { variables: Record<string, string>; functions: ReadonlySet<string> }
  /** What the login files set, changed or unset; a command that sets one of these itself needs the files. */
  names: ReadonlySet<string>
  /** Files that the snapshot depends on, besides those that the shell always reads. */
  paths: readonly string[]
  /** Files that must exist for it to work. */
  files: readonly string[]
}

/** Why there is no snapshot. */
export interface NoSnapshot {
  problem: string
}

export function shellKind(shell: string): ShellKind | null {
  const name = basename(shell)
  return name === 'bash' ? bash : name === 'zsh' ? zsh : null
}

/** Long enough that login files which record the time record another one. */
const untilLater = (): Promise<void> => pause(1100, undefined, { ref: false })

/**
 * Takes a snapshot of what a shell's login files leave behind: variables, functions, aliases, options. It is stored in
 * files that only the user can read. It is used only if it was verified: the files are read twice, with the same result
 * and without printing anything, and a shell started from the snapshot has the same state as a login shell. It is then
 * passed to `use`; a second later the files are read once more, and if they now leave something else behind, the
 * snapshot is withdrawn.
 */
export async function learnLogin(
  shell: string,
  place: LookPlace,
  env: Readonly<Record<string, string>>,
  use?: (snapshot: Snapshot) => void,
): Promise<Snapshot | NoSnapshot> {
  const kind = shellKind(shell)
  if (!kind) return { problem: `${shell} cannot be asked what it holds` }
  // Bash expands the variable that points to the snapshot.
  if (/["$\\`]/.test(place.folder)) return { problem: 'the path of the folder has characters that shells expand' }
  mkdirSync(place.folder, { recursive: true, mode: 0o700 })
  const folder = realpathSync(place.folder)
  const home = env.HOME ?? '/'
  const empty = writeIn(folder, 'before', kind, '')

  const stateOf = async (
    args: readonly string[],
    cwd: string,
    extra: Record<string, string>,
    name: string,
  ): Promise<{ state: ShellState } | NoSnapshot> => {
    const file = join(folder, name)
    const seen = await looking(place, [shell, ...args, kind.dump(file)], cwd, extra, file)
    if (!seen) return { problem: 'a shell did not tell what it holds' }
    if (seen.printed) return { problem: 'the login files print something' }
    const state = readState(seen.text)
    if (!state) return { problem: 'a shell told only a part of what it holds' }
    if (state.get(keyOf('now', 'folder')) !== cwd) return { problem: 'the login files go to another folder' }
    return { state }
  }
  // Side by side, as when the user opens several terminals: commands read the login files until there is a snapshot.
  const [traced, before] = await Promise.all([
    looking(place, kind.trace(shell, join(folder, 'trace')), '/', {}, join(folder, 'trace')),
    stateOf(kind.instead, '/', kind.variables(empty), 'state-before'),
  ])
  if ('problem' in before) return before
  const paths = traced ? pathsIn(traced.text, home) : []
  const begun = stampsOf(paths, home)
  const [after, again] = await Promise.all([
    stateOf(kind.login, '/', {}, 'state-login'),
    stateOf(kind.login, folder, {}, 'state-again'),
  ])
  if ('problem' in after) return after
  if ('problem' in again) return again
  const changing = difference(after.state, again.state, kind)
  if (changing) return { problem: `the login files leave another ${changing} each time` }

  const text = kind.compose(before.state, after.state)
  if (!text) return { problem: 'no file can do what the login files do' }
  const whole = writeIn(folder, 'whole', kind, text.whole)
  if (kind === zsh) await compile(place, shell, folder, whole)
  const slimFile = text.slim && writeIn(folder, 'slim', kind, text.slim.text)
  const slim =
    text.slim && slimFile ? { variables: kind.variables(slimFile), functions: new Set(text.slim.functions) } : undefined
  const [made, checked] = await Promise.all([
    stateOf(kind.instead, folder, kind.variables(whole), 'state-whole'),
    slim && stateOf(kind.instead, folder, slim.variables, 'state-slim'),
  ])
  if ('problem' in made) return made
  const missed = difference(after.state, made.state, kind)
  if (missed) return { problem: `the snapshot makes another ${missed}` }
  if (slim && checked) {
    if ('problem' in checked) return checked
    const left = slim.functions
    const missing = difference(without(after.state, left), without(checked.state, left), kind)
    if (missing) return { problem: `the snapshot without functions makes another ${missing}` }
  }
  const ended = stampsOf(paths, home)
  const snapshot: Snapshot = {
    args: kind.instead,
    variables: kind.variables(whole),
    slim,
    names: changedNames(before.state, after.state, kind),
    // Files that change with every login have no influence, or the snapshot would not have been verified.
    paths: paths.filter((_, at) => begun[at] === ended[at]),
    files: slimFile ? [whole, slimFile] : [whole],
  }
  use?.(snapshot)
  await untilLater()
  const later = await stateOf(kind.login, '/', {}, 'state-later')
  if ('problem' in later) return later
  const moved = difference(after.state, later.state, kind)
  return moved ? { problem: `the login files leave another ${moved} each time` } : snapshot
}

async function looking(
  place: LookPlace,
  argv: readonly [string, ...string[]],
  cwd: string,
  env: Record<string, string>,
  file: string,
): Promise<Looked | null> {
  // Created here, so that only the user may read it.
  writeFileSync(file, '', { mode: 0o600 })
  return look(place, { argv, cwd, env, file })
}

/** Writes the file that the shell is pointed to, in its own folder. */
function writeIn(folder: string, name: string, kind: ShellKind, text: string): string {
  const own = join(folder, name)
  mkdirSync(own, { recursive: true, mode: 0o700 })
  if (kind === bash) {
    writeFileSync(join(own, 'login.sh'), text || 'unset -v BASH_ENV\n', { mode: 0o600 })
    return join(own, 'login.sh')
  }
  // zsh would read the system's own files between these two; the last one restores that option.
  writeFileSync(join(own, '.zshenv'), 'unsetopt globalrcs\n', { mode: 0o600 })
  writeFileSync(join(own, '.zlogin'), text || 'setopt globalrcs\nunset ZDOTDIR\n', { mode: 0o600 })
  return join(own, '.zlogin')
}

/** Zsh reads a compiled file many times faster. If compiling fails, the plain one is read. */
async function compile(place: LookPlace, shell: string, folder: string, file: string): Promise<void> {
  const done = join(folder, 'compiled')
  const script = 'umask 077; zcompile -U -- "$1"; print done >|"$2"'
  await looking(place, [shell, '-fc', script, shell, file, done], folder, {}, done)
}

/** The first difference between two states that matters to a command, as text; null if there is none. */
function difference(one: ShellState, other: ShellState, { ofTheShell, rewritten }: ShellKind): string | null {
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const [what = '', name = ''] = key.split('\0')
    if (what === 'variable' && ofTheShell.has(name)) continue
    if (key === keyOf('now', 'folder') || one.get(key) === other.get(key)) continue
    if (what === 'function' && rewritten && rewritten(one.get(key) ?? '') === rewritten(other.get(key) ?? '')) continue
    return name ? `${what} ${name}` : what
  }
  return null
}

const without = (state: ShellState, functions: ReadonlySet<string>): ShellState => {
  const rest = new Map([...state].filter(([key]) => !key.startsWith('function\0') || !functions.has(key.slice(9))))
  const lines = (rest.get(keyOf('attributes', '')) ?? '').split('\n')
  return rest.set(
    keyOf('attributes', ''),
    lines.filter((line) => !functions.has(line.split(' ').at(-1) ?? '')).join('\n'),
  )
}

function changedNames(before: ShellState, after: ShellState, kind: ShellKind): Set<string> {
  const names = new Set<string>()
  for (const [name] of [...ofKind(before, 'variable'), ...ofKind(after, 'variable')]) {
    const changed = before.get(keyOf('variable', name)) !== after.get(keyOf('variable', name))
    if (changed && !kind.ofTheShell.has(name)) names.add(name)
  }
  return names
}
