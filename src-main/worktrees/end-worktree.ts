import { rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Worktree, WorktreeEnd } from '../../src-preload/contract/worktrees'
import { type Git, GitFailure } from '../git/git'

const longMs = 120_000

type Place = Pick<Worktree, 'repository' | 'path' | 'branch'>

/** Brings back what was done in a work tree, or takes it away. `remove` is for one that nobody has worked in. */
export async function endWorktree(
  git: Git,
  worktree: Place & { base?: string },
  end: WorktreeEnd | 'remove',
): Promise<void> {
  switch (end) {
    case 'keep':
      return
    case 'merge':
      await merge(git, worktree)
      return remove(git, worktree)
    case 'rebase':
      return rebase(git, worktree, worktree.base ?? 'HEAD')
    case 'discard':
      await keepWhatIsThere(git, worktree)
      return remove(git, worktree)
    case 'remove':
      return remove(git, worktree)
  }
}

async function merge(git: Git, { repository, branch }: Place): Promise<void> {
  const options = { writable: [repository], timeoutMs: longMs }
  await refuseDrivers(git, repository)
  try {
    await git(repository, ['merge', '--no-edit', branch], options)
  } catch (error) {
    await git(repository, ['merge', '--abort'], { ...options, accept: [0, 128] })
    throw error
  }
}

async function rebase(git: Git, { repository, path }: Place, base: string): Promise<void> {
  const options = { writable: [path, join(repository, '.git')], timeoutMs: longMs }
  await refuseDrivers(git, repository)
  try {
    await git(path, ['rebase', '-q', base], options)
  } catch (error) {
    await git(path, ['rebase', '--abort'], { ...options, accept: [0, 128] })
    if (error instanceof GitFailure && /could not apply|conflict/i.test(error.stderr))
      throw new Error('The rebase had conflicts, so everything was put back. Ask the agent to rebase and resolve them.')
    throw error
  }
}

/** A commit of everything that is there, kept under a name that nothing else uses. */
async function keepWhatIsThere(git: Git, { repository, path, branch }: Place): Promise<void> {
  const options = { writable: [path, join(repository, '.git')], timeoutMs: longMs }
  await git(path, ['add', '-A'], options)
  const env = {
    GIT_AUTHOR_NAME: 'Deckhand',
    GIT_AUTHOR_EMAIL: mail,
    GIT_COMMITTER_NAME: 'Deckhand',
    GIT_COMMITTER_EMAIL: mail,
  }
  await git(path, ['commit', '-q', '--allow-empty', '-m', `Discarded: ${branch}`], { ...options, env })
  const name = `refs/deckhand/discarded/${branch.replace('deckhand/', '')}`
  await git(path, ['update-ref', name, 'HEAD'], options)
}

async function remove(git: Git, { repository, path, branch }: Place): Promise<void> {
  const folder = dirname(path)
  const options = { writable: [folder, join(repository, '.git')], timeoutMs: longMs }
  await git(repository, ['worktree', 'remove', '--force', path], options)
  await git(repository, ['branch', '-q', '-D', branch], options)
  try {
    rmdirSync(folder)
  } catch {
    // Other work trees are in it.
  }
}

/** A repository may name programs that merge its files; those are not run by us. */
async function refuseDrivers(git: Git, repository: string): Promise<void> {
  const args = ['config', '--local', '--name-only', '--get-regexp', '^merge\\..*\\.driver$']
  const { stdout } = await git(repository, args, { plain: true, accept: [0, 1] })
  if (stdout.length > 0) throw new Error('The repository has a merge driver of its own. Merge or rebase in a terminal.')
}

/** What is discarded is nobody's commit. */
const mail = 'deckhand@localhost'
