import { nameBytes } from '../../file-names'
import { canonicalPath } from '../paths/paths'
import type { FileView } from '../types'

/** One byte of ASCII, or the bytes of one character in whatever encoding: the shell counts by its locale. */
const ONE = '(?:[\\x00-\\x7f]|[\\x80-\\xff][^]{0,3})'

/** A piece of a shell pattern: fixed text, or something that stands for other characters. */
export type PatternPiece = { literal: string } | { wild: '*' | '?' | '['; text: string }

const MAX_MATCHES = 500

/**
 * What a pattern stands for right now, in the shell's order of components; `null` if that cannot be told. Brackets are
 * read as "any one character": more matches than the shell finds, never fewer. No match leaves the pattern as it is, and
 * with brackets it is unknown whether there was one.
 */
export function expandPattern(pieces: readonly PatternPiece[], cwd: string, files: FileView): string[] | null {
  const components = splitComponents(pieces)
  const absolute = components.length > 1 && components[0]?.length === 0
  let found: string[] = [absolute ? '/' : '']
  for (const [index, component] of components.entries()) {
    if (absolute && index === 0) continue
    const last = index === components.length - 1
    const next: string[] = []
    for (const base of found) {
      if (component.every((piece) => 'literal' in piece)) {
        next.push(
          base + component.map((piece) => ('literal' in piece ? piece.literal : '')).join('') + (last ? '' : '/'),
        )
        continue
      }
      const folder = canonicalPath(base === '' ? '.' : base, cwd, files)
      const names = folder === null ? null : files.list(folder)
      if (names === null) continue
      // A name that is no text, and one that is spelled like it.
      if (new Set(names).size < names.length) return null
      const matches = nameMatcher(component)
      // Some shells count `.` and `..` among the names that begin with a dot.
      for (const name of ['.', '..', ...names]) if (matches(name)) next.push(base + name + (last ? '' : '/'))
      if (next.length > MAX_MATCHES) return null
    }
    found = next
  }
  found = found.filter((path) => files.lstat(path.startsWith('/') ? path : `${cwd}/${path}`) !== null)
  const written = pieces.map(textOf).join('')
  if (found.length === 0) return [written]
  return pieces.some((piece) => 'wild' in piece && piece.wild === '[') ? [...found.sort(), written] : found.sort()
}

/** A piece as it is written. */
export const textOf = (piece: PatternPiece): string => ('literal' in piece ? piece.literal : piece.text)

function splitComponents(pieces: readonly PatternPiece[]): PatternPiece[][] {
  const components: PatternPiece[][] = [[]]
  for (const piece of pieces) {
    if ('wild' in piece) {
      components.at(-1)?.push(piece)
      continue
    }
    for (const [index, text] of piece.literal.split('/').entries()) {
      if (index > 0) components.push([])
      if (text !== '') components.at(-1)?.push({ literal: text })
    }
  }
  return components
}

/**
 * Compares names byte by byte, since a name need not be text, and since the locale decides what one character is: more
 * names match than the shell finds, never fewer.
 */
function nameMatcher(component: readonly PatternPiece[]): (name: string) => boolean {
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
