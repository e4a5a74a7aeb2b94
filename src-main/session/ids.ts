import { randomFillSync } from 'node:crypto'

const idBytes = 9
/** Filled for many ids at once: to ask for random bytes costs much more than to take them. */
const pool = Buffer.alloc(idBytes * 100)
let used = pool.length

/** Short, unguessable, safe in a file name; the letter says what it names. */
export const newId = (kind: 's' | 'm' | 'b' | 'c' | 'q' | 'w' | 'r' | 'u'): string => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += idBytes
  return `${kind}_${pool.toString('base64url', used - idBytes, used)}`
}
