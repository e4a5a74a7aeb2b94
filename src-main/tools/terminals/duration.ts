const unitMs = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** Milliseconds in `250ms`, `30s`, `10m`, `1h` or `2d`; a bare number counts seconds. `null` for anything else. */
export function durationMs(text: string): number | null {
  const [, digits, unit] = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]*)\s*$/i.exec(text) ?? []
  const ms = unitMs.get((unit || 's').toLowerCase())
  return digits === undefined || ms === undefined ? null : Math.round(Number(digits) * ms)
}
