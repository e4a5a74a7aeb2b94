import type { Content } from '../../src-preload/contract/content'

/** A result that a model reads as one compact JSON object. */
export const jsonContent = (value: object): Content[] => [{ type: 'text', text: JSON.stringify(value) }]

/** As many rows as fit into a result, so that the model gets complete JSON. */
export function takeWhileFits<T>(rows: T[], maxBytes: number): T[] {
  let weight = 0
  const end = rows.findIndex((row) => {
    weight += Buffer.byteLength(JSON.stringify(row)) + 1
    return weight > maxBytes
  })
  return end === -1 ? rows : rows.slice(0, end)
}
