import type { BackendPlace } from '../../../src-preload/contract/backends'
import { isProcessAlive } from '../../process-alive'
import type { LocalNode } from '../local'
import type { Node, NodeProcess } from '../node'
import { clearLeftovers } from '../tmux/leftovers'
import { createTmuxNode } from '../tmux/tmux-node'
import { createDirectNode } from './direct-node'
import { clearStaleScript, forgetScript, leftIn } from './direct-process'
import { type HostFacts, hostFacts } from './host-facts'
import { openShellNode, type ShellNodeOptions, sessionNameFor } from './open-node'
import { type RemoteShell, runScript } from './remote-shell'
import type { ShellNode } from './shell-node'

const clearMs = 10_000

/** A connected machine that is reached through a shell. */
export interface ConnectedNode extends Node, ShellNode {
  readonly facts: HostFacts
  /** The tmux session that its terminals run in; `null` if they are programs of the connection. */
  readonly session: string | null
  /**
   * Resumes a process that continued there; `null` if it is gone, or if processes never continue on this kind of node.
   */
  resume(process: { id: string; pid: number; logPath: string }): Promise<NodeProcess | null>
  /** What it starts from now on belongs to the node of this name. */
  rename(id: string): void
  /** Before it is closed for good: leaves nothing there that only this run would come back for. */
  forget(): Promise<void>
}

/**
 * Connects to a machine, reads its facts, and ends what earlier runs have left there. Its terminals run in tmux if
 * available; with `passing` they are not resumed later, and end when it is closed. Throws `NodeError`, and then leaves
 * nothing open.
 */
export async function connectShellNode(
  place: BackendPlace,
  options: ShellNodeOptions & {
    localNode: LocalNode
    passing: boolean
    onOutOfReach(processId: string): void
    /** Whether a process of this id is still in use. */
    isKnown(processId: string): boolean
  },
): Promise<ConnectedNode> {
  const opened = await openShellNode(place, options)
  const { shell } = opened
  try {
    const facts = await hostFacts(shell, place.kind)
    await clearEarlier(shell, opened.kind.endsWith('-tmux'), options)
    const parts = { ...options, shell, info: facts }
    const named = typeof place.tmux === 'string' ? place.tmux : null
    const session = opened.kind.endsWith('-tmux') ? (named ?? sessionNameFor(shell.label, options.owner)) : null
    const tmux =
      session === null ? null : createTmuxNode({ ...parts, session, owner: named === null ? options.owner : undefined })
    const node = tmux ?? createDirectNode(parts)
    let { id } = options
    return {
      ...opened,
      get id() {
        return id
      },
      role: 'execution',
      outlives: node.outlives,
      facts,
      session,
      info: node.info,
      start: node.start,
      resume: node.resume,
      rename(name) {
        id = name
      },
      forget: node.forget,
      async close() {
        await node.close()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Failing to clean up does no harm, so it is not an error. */
async function clearEarlier(
  shell: RemoteShell,
  tmux: boolean,
  { owner, isKnown }: { owner?: string; isKnown(processId: string): boolean },
): Promise<void> {
  const direct = owner === undefined ? null : clearExitCodes(shell, owner, isKnown).catch(() => {})
  if (tmux && owner !== undefined) await clearLeftovers(shell, owner, isKnown).catch(() => {})
  await direct
}

/** Removes the exit codes that no process of this installation will come back for. */
async function clearExitCodes(shell: RemoteShell, owner: string, isKnown: (id: string) => boolean): Promise<void> {
  const { stdout } = await runScript(shell, clearStaleScript(owner), { timeoutMs: clearMs })
  const isWanted = (id: string, pid: number): boolean => isKnown(id) || (pid !== process.pid && isProcessAlive(pid))
  const unwanted = leftIn(stdout.toString()).filter(({ id, pid }) => !isWanted(id, pid))
  if (unwanted.length > 0) await runScript(shell, forgetScript(...unwanted.map(({ id }) => id)), { timeoutMs: clearMs })
}
