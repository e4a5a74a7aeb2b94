import type { Row } from '../bench/row'

/** What the command line asks of every part. */
export interface SoakOptions {
  /** How many commands or turns; each part has a number of its own when left out. */
  count: number | null
  /** Goes on for this long instead of counting. */
  minutes: number | null
}

export interface Part {
  measure(tell: (line: string) => void, options: SoakOptions): Promise<Row[]>
}

export const atMost = (what: string, found: number, limit: number): Row => ({
  what,
  ours: found.toLocaleString('en'),
  beside: '',
  ratio: '',
  goal: limit === 0 ? '0' : `≤ ${limit.toLocaleString('en')}`,
  met: found <= limit,
})
