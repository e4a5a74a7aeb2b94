import { makeKept, needsOf } from '../hosts/agent-needs'
import type { AgentLaunch } from '../hosts/find-agents'
import type { CagedAgent, CageWish, HostedPlace } from '../hosts/types'
import { ownProgram } from '../own-process'
import { type Cage, isBelow } from '../sandbox/cage'
import { type Sandbox, withCommits } from '../sandbox/sandbox'

interface CageOptions {
  sandbox: Pick<Sandbox, 'status' | 'cageFor' | 'wrap'>
  home: string
  /** What the user says of this agent: whether it is caged, and hosts besides those that are known. */
  wishFor(agent: string): CageWish
  /** Hosts that the user lets all sandboxed commands reach. */
  sharedHosts(): readonly string[]
}

/**
 * Puts a whole agent into the sandbox: the workspace is writable, and where it keeps its login and its sessions; its own
 * configuration can be read; the network leads to its model alone.
 */
export const createAgentCage =
  ({ sandbox, home, wishFor, sharedHosts }: CageOptions) =>
  async (
    launch: AgentLaunch,
    session: HostedPlace,
    env: Readonly<Record<string, string>>,
    extra: { folders: readonly string[]; onRefused(host: string): void },
  ): Promise<CagedAgent> => {
    const needs = needsOf(launch, env, home)
    const wish = wishFor(launch.id)
    const hosts = [...new Set([...needs.hosts, ...(wish.hosts ?? [])])]
    const outside = (note: string, can: boolean): CagedAgent => ({ argv: null, can, note, hosts, close: () => {} })
    const { available, note } = await sandbox.status()
    if (!available) return outside(note, false)
    if (hosts.length === 0 && needs.ports.length === 0 && wish.on !== true && !session.sandbox)
      return outside('It is not known which hosts this agent needs.', true)
    if (wish.on === false && !session.sandbox) return outside('You turned the sandbox off for this agent.', true)
    makeKept(needs.writable)
    const { openProxy } = await import('../sandbox/network-proxy')
    const proxy = await openProxy({
      hosts: () => [...hosts, ...(wishFor(launch.id).hosts ?? []), ...sharedHosts()],
      ports: needs.ports,
      onRefused: extra.onRefused,
    })
    const bridge = ownProgram('sandbox-bridge')
    const ports = needs.ports.length > 0 ? [`--ports=${needs.ports.join(',')}`] : []
    const base = withCommits(await sandbox.cageFor(session))
    const cage: Cage = {
      ...base,
      // What it keeps is hidden from all others.
      hidden: base.hidden.filter(({ path }) => ![...needs.writable, ...needs.frozen].includes(path)),
      writable: [...base.writable, ...needs.writable],
      // What lies in the workspace is there anyway, and stays writable.
      readable: [...base.readable, ...needs.readable, ...extra.folders].filter(
        (folder) => !isBelow(folder, base.workspace),
      ),
      frozen: [...base.frozen, ...needs.frozen],
      proxy: {
        socketDir: proxy.socketDir,
        socketName: proxy.socketName,
        bridge: { ...bridge, argv: [...bridge.argv, ...ports] },
      },
    }
    const shown = [...needs.ports.map((port) => `localhost:${port}`), ...hosts]
    const close = (): void => void proxy.close().catch(() => {})
    try {
      return { argv: await sandbox.wrap(cage, launch.argv, cage.workspace), can: true, note: '', hosts: shown, close }
    } catch (error) {
      close()
      throw error
    }
  }
