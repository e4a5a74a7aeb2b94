import type { FileImage, ReceiptFile } from '../../src-preload/contract/receipts'
import { type Image, put } from '../changes/put'
import { reasons } from '../receipts/image-diff'
import type { Receipts } from '../receipts/receipts'
import type { Marks } from './marks'
import { isUnchanged, type Pair, type Side, sideOf, sideOnDisk, unknownSide } from './sides'

/** The net difference that a session made: from what stood before its first change, or was accepted since, to what is there. */
interface SessionChanges {
  pairs(): Promise<Pair[]>
  pair(path: string): Promise<Pair | null>
}

export function sessionChanges(
  receipts: Pick<Receipts, 'changedFiles' | 'images'>,
  marks: Marks,
  sessionId: string,
  root: string,
): SessionChanges {
  const firsts = (): Map<string, ReceiptFile> => {
    const found = new Map<string, ReceiptFile>()
    for (const file of receipts.changedFiles(sessionId, root)) {
      if (!isFile(file) || file.path.startsWith('.git/')) continue
      const known = found.get(file.path)
      found.set(file.path, known ? { ...known, ...(file.shared && { shared: true }) } : file)
    }
    return found
  }

  const pairOf = async (file: ReceiptFile): Promise<Pair | null> => {
    const accepted = marks.accepted(sessionId, file.path)
    const base = accepted === undefined ? file.before : accepted
    const left = base && sideOfImage(receipts, base)
    const right = await sideOnDisk(root, file.path)
    const pair: Pair = {
      path: file.path,
      kind: !left ? 'add' : !right ? 'delete' : 'update',
      left,
      right,
      shared: file.shared,
    }
    return isUnchanged(pair) ? null : pair
  }

  return {
    pairs: async () => {
      const found: Pair[] = []
      for (const file of firsts().values()) {
        const pair = await pairOf(file)
        if (pair) found.push(pair)
      }
      return found.sort((a, b) => (a.path < b.path ? -1 : 1))
    },
    pair: async (path) => {
      const file = firsts().get(path)
      return file ? pairOf(file) : null
    },
  }
}

const isFile = ({ before, after }: ReceiptFile): boolean =>
  [before, after].every((image) => !image || image.kind === 'file' || image.kind === 'link') &&
  (before ?? after) !== null

function sideOfImage({ images }: Pick<Receipts, 'images'>, base: FileImage): Side {
  const { kind, mode, size, hash, target, unkept } = base
  if (kind === 'link' && target !== undefined) return sideOf({ kind, target }, target.length)
  const data = hash === undefined || unkept ? null : images().read(hash)
  if (data) return sideOf({ kind: 'file', mode, data }, data.length)
  const why = unkept ? reasons[unkept] : 'it is not kept any more'
  return unknownSide(size, `what it was before is not kept: ${why}`, `unkept ${hash ?? size}`)
}

/** What is kept of a text that the user accepted. */
export const imageOf = ({ images }: Pick<Receipts, 'images'>, image: Image | null): FileImage | null => {
  if (!image || image.kind === 'folder') return null
  if (image.kind === 'link') return { kind: 'link', mode: 0o777, size: image.target.length, target: image.target }
  return { kind: 'file', mode: image.mode, size: image.data.length, hash: images().keep(image.data) }
}

/** Writes a file of the workspace, if it still is what was shown. */
export async function putBack(root: string, pair: Pair, image: Image | null): Promise<void> {
  const result = await put(root, pair.path, image, async () => {
    const now = await sideOnDisk(root, pair.path)
    return (now?.id ?? null) === (pair.right?.id ?? null)
  })
  if (result === 'changed') throw new ChangedSince(pair.path)
  if (result !== 'done') throw new Error(`${pair.path} cannot be written: a folder or a link is in the way.`)
}

/** The file is no longer what the user saw. */
export class ChangedSince extends Error {
  constructor(path: string) {
    super(`${path} has changed since it was shown. Nothing was done: look at it again.`)
    this.name = 'ChangedSince'
  }
}
