/** How long a result is cached: programs are installed rarely, and prompts are built often. */
const freshMs = 5 * 60 * 1000
/** Longest time that a prompt waits for a slow machine. */
const patienceMs = 4_000

interface ProgramSearch {
  isLocal(hostId: string): boolean
  here(bins: string[], timeoutMs: number): Promise<Record<string, boolean>>
  there(hostId: string, bins: string[], timeoutMs: number): Promise<Record<string, boolean>>
  /** Called if a machine cannot be asked. Programs without a cached result then count as missing. */
  onTrouble(hostId: string, error: unknown): void
  clock?(): number
}

/** Looks for programs on machines and caches the results. */
export function createFindPrograms({ isLocal, here, there, onTrouble, clock = Date.now }: ProgramSearch) {
  const known = new Map<string, Map<string, { found: boolean; at: number }>>()

  return async (hostId: string, bins: string[], fresh: boolean): Promise<Record<string, boolean>> => {
    const host = known.get(hostId) ?? new Map<string, { found: boolean; at: number }>()
    known.set(hostId, host)
    const isStale = (bin: string): boolean =>
      fresh || clock() - (host.get(bin)?.at ?? Number.NEGATIVE_INFINITY) > freshMs
    const wanted = bins.filter(isStale)
    if (wanted.length > 0) {
      try {
        const found = isLocal(hostId) ? await here(wanted, patienceMs) : await there(hostId, wanted, patienceMs)
        for (const bin of wanted)
          host.set(bin, { found: Object.hasOwn(found, bin) && found[bin] === true, at: clock() })
      } catch (error) {
        onTrouble(hostId, error)
      }
    }
    return Object.fromEntries(bins.map((bin) => [bin, host.get(bin)?.found ?? false]))
  }
}
