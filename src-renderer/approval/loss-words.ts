import type { LossGroup, LossKind, LossOwner } from '../../src-preload/contract/losses'
import { count, relativeTime } from '../state/format'

const nouns: Record<Exclude<LossKind, 'changes'>, [one: string, many: string]> = {
  file: ['file', 'files'],
  untracked: ['file not in git', 'files not in git'],
  ignored: ['file that git ignores', 'files that git ignores'],
  generated: ['folder that tools can make again', 'folders that tools can make again'],
  repository: ['repository with its history', 'repositories with their history'],
  commits: ['commit', 'commits'],
  branch: ['branch', 'branches'],
  stash: ['stash', 'stashes'],
}

/** What a group holds, with its number: "Uncommitted changes in 3 files". */
export function groupWords({ kind, count: number, atLeast }: LossGroup): string {
  const least = atLeast ? 'at least ' : ''
  const words =
    kind === 'changes'
      ? `uncommitted changes in ${least}${count(number, 'file')}`
      : `${least}${number.toLocaleString('en')} ${nouns[kind][number === 1 ? 0 : 1]}`
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** How many are not listed; empty if none. */
export const moreWords = ({ count: number, items, atLeast }: LossGroup): string => {
  const more = number - items.length
  if (more <= 0) return ''
  return `and ${atLeast ? 'at least ' : ''}${more.toLocaleString('en')} more`
}

/** Who made a file: the user, this session, or another one. */
export function ownerWords(
  owner: LossOwner,
  sessionId: string,
  titleOf: (id: string) => string | undefined,
  now: number,
): string {
  if (owner.by === 'user') return `yours, ${relativeTime(owner.since, now)}`
  if (owner.sessionId === sessionId) return 'from this session'
  const title = titleOf(owner.sessionId)
  return title === undefined ? 'from a deleted session' : `from “${title || 'New session'}”`
}
