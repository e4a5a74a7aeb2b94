import { createHash } from 'node:crypto'
import type { BackendPlace } from '../../../src-preload/contract/backends'
import { localFiles } from '../files/local-files'
import { shellFiles } from '../files/shell-files'
import { NodeError } from '../node-error'
import type { SharedPane } from '../tmux/pane'
import { createSharedPane } from '../tmux/shared-pane'
import { openContainer } from './container'
import { localShell, type OpenedShell, type RemoteShell, runScript } from './remote-shell'
import type { ShellNode } from './shell-node'
import { type Asking, openSsh } from './ssh'
import { openWsl } from './wsl'

export type { BackendPlace as Place }

export interface ShellNodeOptions {
  id: string
  /**
   * For the local programs that connect: without secrets. May contain variables of the terminal that the app was
   * started in.
   */
  env: Readonly<Record<string, string>>
  asking?: Asking
  /** Aborts whatever is running. */
  signal?: AbortSignal
  /** Distinguishes tmux sessions of this Deckhand installation from those of others. */
  owner?: string
}

/** Connects to a machine. Throws `NodeError`, and then leaves nothing open. */
export async function openShellNode(place: BackendPlace, options: ShellNodeOptions): Promise<ShellNode> {
  if (place.kind === 'local') {
    const node = localShellNode(options, place.tmux)
    if (place.tmux !== undefined) await requireTmux(node.shell)
    return node
  }
  const opened = await openFar(place, options)
  const { shell } = opened
  try {
    // On an ssh host tmux is used if it is installed; elsewhere only if asked for.
    const tmux = place.tmux ?? (place.kind === 'ssh' && (await hasTmux(shell)) ? true : undefined)
    if (place.tmux !== undefined) await requireTmux(shell)
    const panes = tmux === undefined ? null : createPanes(shell, tmux, options.owner)
    return {
      id: options.id,
      kind: panes ? `${place.kind}-tmux` : place.kind,
      label: shell.label,
      shell,
      files: shellFiles(shell),
      argv: opened.argv,
      hasPane: panes !== null,
      paneFor: (workspace) => panes?.for(workspace) ?? null,
      async close() {
        await panes?.close()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

function openFar(place: Exclude<BackendPlace, { kind: 'local' }>, options: ShellNodeOptions): Promise<OpenedShell> {
  if (place.kind === 'container') return openContainer(place, options.env)
  return place.kind === 'wsl' ? openWsl(place, options.env) : openSsh(place, options)
}

/** This machine. Without a session of its own it has the pane that the app was started in, if any. */
export function localShellNode({ id, env, owner }: ShellNodeOptions, tmux?: true | string): ShellNode {
  const shell = localShell(env)
  const inside = env.TMUX && env.TMUX_PANE
  const panes = tmux === undefined ? null : createPanes(shell, tmux, owner)
  const users = !panes && inside ? createSharedPane(shell, { at: inside }) : null
  return {
    id,
    kind: panes ? 'local-tmux' : 'local',
    label: shell.label,
    shell,
    files: localFiles,
    argv: shell.argv,
    hasPane: panes !== null || users !== null,
    paneFor: (workspace) => panes?.for(workspace) ?? users,
    async close() {
      await users?.close()
      await panes?.close()
    },
  }
}

/**
 * Such as `buddy-1a2b`: the same for the same machine and seed, so that it is found again. For a pane the seed is the
 * workspace and the owner.
 */
export function sessionNameFor(label: string, ...seed: (string | undefined)[]): string {
  const parts = [label, ...seed.filter((part) => part !== undefined)]
  return `buddy-${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 4)}`
}

/** One pane for each workspace; a session that the user has named is one pane for all. */
function createPanes(shell: RemoteShell, tmux: true | string, owner: string | undefined) {
  const made = new Map<string, SharedPane & { close(): Promise<void> }>()
  return {
    for(workspace: string): SharedPane {
      const session = tmux === true ? sessionNameFor(shell.label, workspace, owner) : tmux
      const pane = made.get(session) ?? createSharedPane(shell, { own: session, ...(tmux === true && { owner }) })
      made.set(session, pane)
      return pane
    },
    async close(): Promise<void> {
      for (const pane of made.values()) await pane.close()
    },
  }
}

const hasTmux = async (shell: RemoteShell): Promise<boolean> =>
  (await runScript(shell, 'command -v tmux', { timeoutMs: lookMs })).exitCode === 0
const lookMs = 30_000

async function requireTmux(shell: RemoteShell): Promise<void> {
  if (!(await hasTmux(shell))) throw new NodeError('missing', `There is no tmux on ${shell.label}`)
}
