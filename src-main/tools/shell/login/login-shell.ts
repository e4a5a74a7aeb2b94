import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { commandEnv } from '../../../nodes/command-env'
import type { Node } from '../../../nodes/node'
import { shellArgv } from '../../../nodes/windows-shell'
import { isProcessAlive } from '../../../process-alive'
import { loginShellPath } from '../shell'
import { learnLogin, type NoSnapshot, type Snapshot, shellKind } from './learn-login'
import { stampsOf } from './read-paths'

export interface ShellStart {
  argv: readonly [string, ...string[]]
  env: Record<string, string>
}

/** How to start a command as the user's login shell would, with additional variables. */
export type StartCommand = (command: string, env: Record<string, string>) => ShellStart

export interface LoginShell {
  start: StartCommand
  /** Removes everything that was stored. */
  close(): void
}

interface LoginShellOptions {
  /** This machine; the login files are run there, outside the process table that the user sees. */
  node: Pick<Node, 'start'>
  /** For snapshots, which contain the user's variables. Several processes may share it; each has its own subfolder. */
  folder: string
  env?: Readonly<Record<string, string | undefined>>
  /** Called with the reason why commands keep reading the login files. */
  onProblem?(problem: string): void
  patienceMs?: number
}

/** Not everything that login files depend on is known, so a snapshot is renewed after this. */
const freshMs = 5 * 60_000
/** The next attempt after a snapshot was not possible. */
const retryMs = 30 * 60_000

/**
 * The user's login shell for many commands. It reads its start-up files for the first of them; later commands start
 * from a snapshot of what the files left behind, until one of the files changes. Reading the files takes longer than
 * most commands: 4 ms on a bare Debian, hundreds if they set up nvm, pyenv or conda.
 */
export function createLoginShell(options: LoginShellOptions): LoginShell {
  const given = options.env ?? process.env
  const base = commandEnv(given)
  const home = base.HOME ?? '/'
  const folder = join(options.folder, `${process.pid}`)
  let commands = 0
  let closed = false
  let learning = false
  /** It takes a parser of shell commands, which is loaded with the first snapshot. */
  let usesFunctions: typeof import('./uses-functions').usesFunctions | null = null
  let held: { stamp: string; own: string; paths: readonly string[]; at: number; snapshot: Snapshot | null } | null =
    null

  const stampOf = (shell: string, paths: readonly string[]): string => {
    const all = new Set([...(shellKind(shell)?.startFiles(base) ?? []), ...paths])
    return [shell, ...stampsOf([...all], home)].join('\n')
  }

  const learn = async (shell: string): Promise<void> => {
    const own = join(folder, randomUUID())
    const before = stampOf(shell, [])
    const place = { node: options.node, folder: own, ...(options.patienceMs && { patienceMs: options.patienceMs }) }
    const earlier = held?.own
    const hold = (snapshot: Snapshot | null) => {
      const paths = snapshot?.paths ?? []
      // Files that were changed meanwhile may have been read before or after the change.
      const stamp = stampOf(shell, []) === before ? stampOf(shell, paths) : ''
      held = { stamp, own, paths, at: Date.now(), snapshot }
    }
    const take = async (): Promise<Awaited<ReturnType<typeof learnLogin>>> => {
      usesFunctions ??= (await import('./uses-functions')).usesFunctions
      await prepare(options.folder, folder)
      return learnLogin(shell, place, base, hold)
    }
    const learnt = await take().catch((error): NoSnapshot => ({ problem: String(error) }))
    if (closed) return rmSync(folder, { recursive: true, force: true })
    if ('problem' in learnt) {
      // A file that was changed meanwhile is not a problem: the next command starts over.
      const changed = held?.own === own ? held.stamp !== stampOf(shell, held.paths) : stampOf(shell, []) !== before
      if (!changed) options.onProblem?.(learnt.problem)
      if (changed) held = null
      else hold(null)
      rmLater(own)
    }
    if (earlier) rmLater(earlier)
  }

  const start: StartCommand = (command, env) => {
    const shell = loginShellPath(given.SHELL)
    commands++
    // A session that runs a second command will probably run more.
    if (commands < 2 || !shellKind(shell)) return { argv: shellArgv(shell, command), env }
    // Checked for every command: the previous one may have changed them.
    const usable = held !== null && held.stamp === stampOf(shell, held.paths)
    const age = Date.now() - (held?.at ?? 0)
    if (!learning && !closed && (!usable || age > (held?.snapshot ? freshMs : retryMs))) {
      learning = true
      void learn(shell).finally(() => {
        learning = false
      })
    }
    const snapshot = usable ? held?.snapshot : null
    // The login files may depend on variables that the command sets.
    if (!snapshot || Object.keys(env).some((name) => snapshot.names.has(name)) || !snapshot.files.every(isThere))
      return { argv: [shell, '-lc', command], env }
    const { slim } = snapshot
    const variables = slim && usesFunctions?.(command, slim.functions) === false ? slim.variables : snapshot.variables
    return { argv: [shell, ...snapshot.args, command], env: { ...env, ...variables } }
  }

  return {
    start,
    close() {
      closed = true
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A command that was just started may not have read it yet. */
const rmLater = (folder: string): void =>
  void setTimeout(() => rmSync(folder, { recursive: true, force: true }), 10_000).unref()

const isThere = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined

/** Creates the folder, and removes those that a crash left behind. */
async function prepare(all: string, own: string): Promise<void> {
  mkdirSync(own, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(all)) {
    if (/^\d+$/.test(name) && !isProcessAlive(Number(name))) rmSync(join(all, name), { recursive: true, force: true })
  }
}
