import { randomFillSync } from 'node:crypto'

const idBytes = 9
/** Random bytes for many ids, since a request for them costs much more than the bytes. */
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
