import { randomBytes } from 'node:crypto'

/** Short, unguessable, safe in a file name; the letter says what it names. */
export const newId = (kind: 's' | 'm' | 'b' | 'c' | 'q' | 'w' | 'r' | 'u'): string =>
  `${kind}_${randomBytes(9).toString('base64url')}`
