import type { NodeCalls } from './node-calls'

/** The programs that were looked for on a node. */
export type ProbedPrograms = ReadonlyMap<string, { there: boolean; at: number }>

const freshMs = 5 * 60 * 1000
const usualMs = 15_000

/** Which programs nodes have. Answers younger than five minutes are not asked for again. */
export function createProbes(options: {
  calls: NodeCalls
  clock: () => number
  requireConnected(nodeId: string): void
  changed(): void
}) {
  const { calls, clock } = options
  const probes = new Map<string, Map<string, { there: boolean; at: number }>>()
  return {
    found: (nodeId: string): ProbedPrograms | undefined => probes.get(nodeId),
    async probe(
      nodeId: string,
      bins: readonly string[],
      { timeoutMs = usualMs }: { timeoutMs?: number } = {},
    ): Promise<Record<string, boolean>> {
      const known = probes.get(nodeId) ?? new Map<string, { there: boolean; at: number }>()
      const stale = bins.filter((bin) => clock() - (known.get(bin)?.at ?? Number.NEGATIVE_INFINITY) > freshMs)
      if (stale.length > 0) {
        options.requireConnected(nodeId)
        const limit = Math.min(120_000, Math.max(1000, timeoutMs))
        for (const [bin, there] of Object.entries(await calls.probe(nodeId, stale, limit)))
          known.set(bin, { there, at: clock() })
        probes.set(nodeId, known)
        options.changed()
      }
      return Object.fromEntries(bins.map((bin) => [bin, known.get(bin)?.there ?? false]))
    },
  }
}
