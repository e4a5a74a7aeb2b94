import { createHash } from 'node:crypto'
import type { ReviewFile } from '../../src-preload/contract/review'
import { hashOf, type Image, look } from '../changes/put'
import { decodeText } from '../changes/text-encoding'

/** One side of a difference: what is there, with its content where that can be had. */
export interface Side {
  image: Image | null
  size: number
  /** Names the content: the same name means the same content and permissions. */
  id: string
  /** Why there is no content. */
  why?: string
}

/** A file that differs. `null` stands for nothing there. */
export interface Pair {
  path: string
  kind: ReviewFile['kind']
  from?: string
  left: Side | null
  right: Side | null
  shared?: true
}

export const mostFileBytes = 2 * 1024 * 1024

export const sideOf = (image: Image, size: number): Side => ({ image, size, id: idOf(image) })

export const unknownSide = (size: number, why: string, id: string): Side => ({ image: null, size, why, id })

const idOf = (image: Image): string => {
  if (image.kind === 'link') return `link ${image.target}`
  // Only whether it is executable counts: git records no more.
  if (image.kind === 'folder') return 'folder'
  return `${hashOf(image.data)} ${image.mode & 0o100 ? 'x' : '-'}`
}

/** What is at a path of the workspace now. */
export async function sideOnDisk(root: string, path: string): Promise<Side | null> {
  const found = await look(root, path, mostFileBytes)
  if (found === 'no-way') return unknownSide(0, 'the way there leads through a link', 'no-way')
  if (!found.entry) return null
  const { entry, image } = found
  if (image && image.kind !== 'folder') return sideOf(image, entry.size)
  if (entry.kind === 'folder') return unknownSide(0, 'it is a folder now', 'folder')
  return unknownSide(entry.size, 'it is too large', `${entry.size} ${entry.mtimeMs} ${entry.ino}`)
}

export const stampOf = ({ left, right }: Pair): string =>
  createHash('sha256')
    .update(`${left?.id ?? ''}\n${right?.id ?? ''}`)
    .digest('hex')
    .slice(0, 32)

export const isUnchanged = ({ left, right }: Pair): boolean =>
  left === null || right === null ? left === right : left.id === right.id

/** Both sides as text, empty for a missing file; null where one is no text, or is not at hand. */
export function textsOf({ left, right }: Pair): { left: string; right: string } | null {
  const one = textOf(left)
  const other = textOf(right)
  return one === null || other === null ? null : { left: one, right: other }
}

const textOf = (side: Side | null): string | null => {
  if (side === null) return ''
  if (!side.image) return null
  if (side.image.kind === 'link') return `${side.image.target}\n`
  return side.image.kind === 'file' ? (decodeText(side.image.data)?.text ?? null) : null
}

/** Why no lines can be shown. */
export function noteOf({ left, right }: Pair): string {
  const why = right?.why ?? left?.why
  if (why) return `The difference cannot be shown: ${why}.`
  const sizes = [left, right].flatMap((side) => (side ? [bytes(side.size)] : []))
  return `Binary file, ${sizes.join(' → ')}.`
}

const bytes = (size: number): string => (size === 1 ? '1 byte' : `${size.toLocaleString('en')} bytes`)

/** Files that were only moved: what was deleted here stands there, byte by byte. */
export function findMoves(pairs: Pair[]): Pair[] {
  const gone = new Map<string, Pair>()
  for (const pair of pairs) if (pair.left && !pair.right && pair.left.size > 0) gone.set(pair.left.id, pair)
  return pairs.map((pair) => {
    const from = !pair.left && pair.right && pair.kind === 'add' ? gone.get(pair.right.id) : undefined
    return from ? { ...pair, kind: 'move', from: from.path } : pair
  })
}
