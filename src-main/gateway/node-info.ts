import type { NodeInfo } from '../../src-preload/contract/nodes'
import { claimsOf } from './greeting'
import type { NodeLink } from './hub'
import type { NodeRow } from './node-rows'
import type { ProbedPrograms } from './probes'

/** What is known of a node besides its row. */
interface NodeState {
  /** Its connection, while there is one. */
  link: NodeLink | undefined
  found: ProbedPrograms | undefined
  processes: number
  now: number
  /** Why its connection was lost. */
  lostBecause: string | null
}

/** A node as the window and the command line show it. */
export function nodeInfo(row: NodeRow, { link, found, processes, now, lostBecause }: NodeState): NodeInfo {
  const runtime = link?.runtime ?? row.runtime
  const approved = new Set(row.approved ?? [])
  return {
    id: row.id,
    local: false,
    state: link ? 'connected' : row.lastSeenAt === null ? 'expected' : 'disconnected',
    role:
      runtime?.role === 'execution' && approved.has('role:execution')
        ? 'execution'
        : runtime
          ? 'specialized'
          : row.role,
    primary: false,
    os: runtime?.os ?? null,
    hostname: runtime?.hostname ?? null,
    version: link?.version ?? row.runtime?.version ?? null,
    workspace: runtime?.workspace ?? null,
    tools: (link?.tools.map(({ name }) => name) ?? row.runtime?.tools ?? []).filter((tool) =>
      allowsTool(row, runtime, tool),
    ),
    capabilities: (runtime?.capabilities ?? []).filter((each) => approved.has(each)),
    newCapabilities: claimsOf(runtime).filter((claim) => row.approved !== null && !approved.has(claim)),
    envKeys: runtime?.envKeys ?? [],
    bins: { ...runtime?.bins, ...(found && Object.fromEntries([...found].map(([bin, { there }]) => [bin, there]))) },
    binsCheckedAt: found ? Math.max(...[...found.values()].map(({ at }) => at)) : (runtime?.binsCheckedAt ?? null),
    latencyMs: link?.peer.latencyMs ?? null,
    address: link?.peer.address ?? null,
    processes,
    addedAt: row.addedAt,
    connectedAt: link?.connectedAt ?? null,
    lastSeenAt: link ? now : row.lastSeenAt,
    problem: link ? null : lostBecause,
  }
}

/** Tools of capabilities that the user has not approved are not available. */
export function allowsTool(
  row: NodeRow,
  runtime: { toolCapabilities: Record<string, string[]> } | null,
  tool: string,
): boolean {
  const needs = runtime && Object.hasOwn(runtime.toolCapabilities, tool) ? runtime.toolCapabilities[tool] : undefined
  return needs?.every((capability) => row.approved?.includes(capability)) ?? false
}
