/** One line of the table: a figure of ours, what it is held against in the same run, and whether that is good enough. */
export interface Row {
  what: string
  ours: string
  /** A peer's figure, or the limit's. */
  beside: string
  ratio: string
  goal: string
  met: boolean
}

/** `met` holds when `ours` is at most `most` times what it is held against. */
export function atMost(what: string, ours: number, beside: number, most: number, unit: (value: number) => string): Row {
  const ratio = ours / beside
  const text = { ours: unit(ours), beside: unit(beside), ratio: `${ratio.toFixed(2)} ×`, goal: `≤ ${most} ×` }
  return { what, ...text, met: ratio <= most }
}

export const milliseconds = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`
export const kilobytes = (value: number): string => `${(value / 1000).toFixed(1)} kB`

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}

export function printTable(rows: readonly Row[]): void {
  const lines = rows.map(({ what, ours, beside, ratio, goal, met }) => [
    what,
    ours,
    beside,
    ratio,
    goal,
    met ? 'met' : 'MISSED',
  ])
  const table = [['what', 'ours', 'peer or limit', 'ratio', 'goal', ''], ...lines]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? []
  for (const line of table) {
    console.log(
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
  }
}
