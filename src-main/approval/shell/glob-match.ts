import { nameBytes } from '../../file-names'
import type { PatternPiece } from './glob'

/** One byte of ASCII, or the bytes of one character in whatever encoding: the shell counts by its locale. */
const ONE = '(?:[\\x00-\\x7f]|[\\x80-\\xff][^]{0,3})'

/**
 * Compares names byte by byte, since a name need not be text, and since the locale decides what one character is: more
 * names match than the shell finds, never fewer.
 */
export function nameMatcher(component: readonly PatternPiece[]): (name: string) => boolean {
  const first = component[0]
  const dots = first !== undefined && 'literal' in first && first.literal.startsWith('.')
  const source = component.map((piece) =>
    'literal' in piece ? literally(bytesOf(piece.literal)) : piece.wild === '*' ? '[^]*' : ONE,
  )
  const pattern = new RegExp(`^${source.join('')}$`)
  return (name) => (dots || !name.startsWith('.')) && pattern.test(nameBytes(name).toString('latin1'))
}

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
