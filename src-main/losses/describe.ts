import { homedir } from 'node:os'
import { relative } from 'node:path'
import type { CopyOffer, Losses, LossGroup, LossItem, LossKind, LossOwner } from '../../src-preload/contract/losses'
import { isInside } from '../approval/paths/paths'
import type { Lost, LostFile } from './lost'

/** So many of each kind are named on the card. */
export const mostNamed = 8

/** A copy of more than this is not taken. */
const copyLimits = { files: 5_000, bytes: 1024 * 1024 * 1024 }

const fileKinds = ['changes', 'untracked', 'file', 'ignored'] as const satisfies LossKind[]

/** What the card says about a loss; `ownerOf` is asked about the files that are named. */
export function describeLosses(
  lost: Lost,
  workspace: string,
  ownerOf: (file: LostFile) => LossOwner | undefined,
): Extract<Losses, { status: 'known' }> {
  const named = (path: string): string => nameOf(path, workspace)
  const groups: LossGroup[] = []
  const add = (kind: LossKind, items: LossItem[], count = items.length): void => {
    if (count > 0) groups.push({ kind, count, ...(lost.cut && { atLeast: true }), items: items.slice(0, mostNamed) })
  }
  add(
    'repository',
    lost.repositories.map(({ path, detail }) => ({ name: named(path), detail })),
  )
  for (const kind of fileKinds) {
    const files = lost.files.filter((file) => file.kind === kind)
    const items = files.slice(0, mostNamed).map((file): LossItem => {
      const owner = ownerOf(file)
      return { name: named(file.path), owner }
    })
    add(kind, items, files.length)
  }
  for (const kind of ['stash', 'branch', 'commits'] as const) {
    const names = lost.names.filter((name) => name.kind === kind)
    add(
      kind,
      names.map(({ name, detail }) => ({ name, ...(detail && { detail }) })),
    )
  }
  add(
    'generated',
    lost.generated.map((path) => ({ name: `${named(path)}/` })),
  )
  return { status: 'known', groups, notes: [...lost.notes], copy: copyOffer(lost) }
}

const nameOf = (path: string, workspace: string): string => {
  if (path === workspace) return '.'
  if (isInside(path, workspace)) return relative(workspace, path)
  const home = homedir()
  return isInside(path, home) ? `~/${relative(home, path)}` : path
}

function copyOffer({ files, names, cut }: Lost): CopyOffer | null {
  if (files.length === 0 && names.length === 0) return null
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const offer = { files: files.length, bytes }
  const obstacle = copyObstacle({ ...offer, cut })
  return obstacle === null ? offer : { ...offer, obstacle }
}

/** Why a copy of so much is not taken; `null` where it is. */
export function copyObstacle({ files, bytes, cut }: { files: number; bytes: number; cut: boolean }): string | null {
  if (files > copyLimits.files)
    return `No copy can be kept: ${files.toLocaleString('en')} files are more than ${copyLimits.files.toLocaleString('en')}.`
  if (bytes > copyLimits.bytes) return `No copy can be kept: ${(bytes / 1024 ** 3).toFixed(1)} GB is more than 1 GB.`
  return cut ? 'No copy can be kept: there was not time to look at everything.' : null
}
