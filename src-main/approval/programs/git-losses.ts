import type { Danger } from '../finding'
import { canonicalPath, isInside } from '../paths/paths'
import type { Uncommitted } from '../paths/uncommitted'
import type { FileView } from '../types'
import { first, type Standing } from './facts'
import { findRepository, type Repository } from './git-repository'

/** What a command would throw away: changes below these paths (all for none), files git does not know, or one of its own. */
export type Loss =
  | { kind: 'changes'; below: readonly string[]; staged: boolean }
  | { kind: 'untracked'; ignored: boolean }
  | { kind: 'stash' }
  | { kind: 'branch'; names: readonly string[] }
  | { kind: 'history' }

const EVERYTHING: Loss = { kind: 'changes', below: [], staged: true }

/** Git commands that throw away what is kept nowhere else, where there is something to lose. */
export function lossDanger(verb: string | undefined, rest: readonly string[], standing: Standing): Danger | null {
  const loss = lossOf(verb, rest, standing)
  return loss && first(standing.cwds, (cwd) => lossIn(cwd, loss, standing))
}

const has = (words: readonly string[], pattern: RegExp): boolean => words.some((word) => pattern.test(word))

/** What a git command throws away, whether or not there is anything. */
export function lossOf(verb: string | undefined, rest: readonly string[], standing: Standing): Loss | null {
  const force = has(rest, /^(?:-[A-Za-z]*f[A-Za-z]*|--force|--discard-changes)$/)
  const named = rest.filter((word) => !word.startsWith('-'))
  switch (verb) {
    case 'reset':
      return has(rest, /^--(?:hard|merge)$/) ? EVERYTHING : null
    case 'switch':
      return force ? EVERYTHING : null
    case 'read-tree':
      return has(rest, /^--reset$/) && has(rest, /^-[a-z]*u/) ? EVERYTHING : null
    case 'checkout-index':
      return force ? EVERYTHING : null
    case 'checkout':
      return force && !has(rest, /^-[bB]$/) ? EVERYTHING : overwritten(rest, standing)
    case 'restore':
      return has(rest, /^(?:-S|--staged)$/) && !has(rest, /^(?:-W|--worktree)$/) ? null : overwritten(rest, standing)
    case 'rm':
      return force && !rest.includes('--cached') ? overwritten(rest, standing) : null
    case 'clean':
      return force && !has(rest, /^(?:-[a-z]*n[a-z]*|--dry-run)$/)
        ? { kind: 'untracked', ignored: has(rest, /^-[A-Za-z]*[xX]/) }
        : null
    case 'stash':
      return named[0] === 'clear' || named[0] === 'drop' ? { kind: 'stash' } : null
    case 'branch':
      return has(rest, /^-[a-z]*D/) || (force && has(rest, /^(?:-d|--delete)$/))
        ? { kind: 'branch', names: named }
        : null
    case 'worktree':
      return named[0] === 'remove' && force ? EVERYTHING : null
    case 'prune':
      return has(rest, /^(?:-n|--dry-run)$/) ? null : { kind: 'history' }
    case 'gc':
      return has(rest, /^--prune=(?:now|all)$/) ? { kind: 'history' } : null
    default:
      return null
  }
}

/** `git checkout x` means the files x where no branch is called so; what is there may be a file. */
function overwritten(rest: readonly string[], { cwds, places }: Standing): Loss | null {
  if (has(rest, /^(?:-[bB]|--orphan|--detach)$/)) return null
  const dashes = rest.indexOf('--')
  const operands = dashes >= 0 ? rest.slice(dashes + 1) : rest.filter((word) => !word.startsWith('-'))
  const paths = operands.flatMap((word) =>
    cwds.flatMap((cwd) => {
      if (cwd === null) return []
      if (/[*?[]|^:/.test(word)) return [cwd]
      const canonical = canonicalPath(word, cwd, places.files)
      return canonical !== null && places.files.lstat(canonical) !== null ? [canonical] : []
    }),
  )
  return paths.length > 0 ? { kind: 'changes', below: paths, staged: false } : null
}

function lossIn(cwd: string | null, loss: Loss, { places }: Standing): Danger | null {
  const found = cwd === null ? { flaw: 'nobody knows the folder' } : findRepository(cwd, places)
  if (found === null || ('flaw' in found && found.none)) return null
  const repository = 'flaw' in found ? null : found
  switch (loss.kind) {
    case 'branch':
      return deletes(`deletes the branch ${loss.names.join(', ')}, also where its commits are nowhere else`)
    case 'history':
      return deletes('removes the commits that only an undo could still find')
    case 'stash':
      return repository && !hasStash(repository, places.files)
        ? null
        : deletes('throws away what was put aside with git stash')
    default:
      break
  }
  const look = { untracked: loss.kind === 'untracked', ignored: loss.kind === 'untracked' && loss.ignored }
  const state = repository && places.files.uncommitted?.(repository.root, `${repository.folder}/index`, look)
  return repository && state
    ? stateDanger(loss, state, repository, cwd ?? '/')
    : deletes('throws away changes that are not committed, if there are any')
}

function stateDanger(loss: Loss, state: Uncommitted, { root }: Repository, cwd: string): Danger | null {
  if (loss.kind === 'untracked') {
    const gone = state.untracked.filter((path) => isInside(`${root}/${path}`, cwd))
    return gone.length > 0 ? deletes(`deletes files that git does not know: ${listed(gone)}`) : null
  }
  if (loss.kind !== 'changes') return null
  const { below, staged } = loss
  const gone = state.changed.filter(
    (path) => below.length === 0 || below.some((folder) => isInside(`${root}/${path}`, folder)),
  )
  if (gone.length > 0) return deletes(`throws away changes that are not committed: ${listed(gone)}`)
  return staged && state.staged ? deletes('throws away what was added and is not committed') : null
}

const deletes = (reason: string): Danger => ({ word: 'delete', reason })

const listed = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and more` : names.join(', ')

const hasStash = ({ home }: Repository, { readText }: FileView): boolean =>
  readText(`${home}/refs/stash`, 100) !== null ||
  /\srefs\/stash$/m.test(readText(`${home}/packed-refs`, 1_000_000) ?? '')
