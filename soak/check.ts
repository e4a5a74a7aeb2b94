/** One line of the summary: what was looked at, what was found, and what it may be at most. */
export interface Check {
  what: string
  found: string
  limit: string
  met: boolean
}

/** What the command line asks of every part. */
export interface SoakOptions {
  /** How many commands or turns; each part has a number of its own when left out. */
  count: number | null
  /** Goes on for this long instead of counting. */
  minutes: number | null
}

export interface Part {
  soak(options: SoakOptions, tell: (line: string) => void): Promise<Check[]>
}

export const atMost = (what: string, found: number, limit: number, unit = ''): Check => ({
  what,
  found: `${found.toLocaleString('en')}${unit}`,
  limit: limit === 0 ? '0' : `≤ ${limit.toLocaleString('en')}${unit}`,
  met: found <= limit,
})

export function printChecks(checks: readonly Check[]): void {
  const width = Math.max(...checks.map(({ what }) => what.length))
  for (const { what, found, limit, met } of checks)
    console.log(`${what.padEnd(width)}  ${found.padStart(12)}  ${limit.padStart(12)}  ${met ? 'met' : 'MISSED'}`)
}
