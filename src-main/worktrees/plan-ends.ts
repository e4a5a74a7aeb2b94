import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Worktree, WorktreeEnd, WorktreeEndPlan } from '../../src-preload/contract/worktrees'
import type { Git } from '../git/git'
import { findRepository, readStatus } from '../git/repository'

interface Facts {
  ahead: number
  behind: number
  /** In no commit. */
  uncommitted: string[]
  conflicts: string[]
  /** Why nobody can tell whether there would be conflicts. */
  unclear: string
  /** What the main folder has checked out, and what is not committed there. */
  mainBranch: string | null
  mainChanged: string[]
  /** What the branch changes. */
  changes: string[]
  busy: string | null
  heads: string
}

/** What each way to end a work tree would do, found out without doing anything. */
export async function planEnds(git: Git, worktree: Worktree, busy: string | null): Promise<WorktreeEndPlan[]> {
  if (!existsSync(worktree.path)) return [gone(worktree)]
  const facts = await factsOf(git, worktree, busy)
  const ends: WorktreeEnd[] = ['merge', 'rebase', 'keep', 'discard']
  return ends.map((end) => {
    const plan = drawn[end](worktree, facts)
    const stamp = createHash('sha256')
      .update(JSON.stringify([plan, facts.heads]))
      .digest('hex')
      .slice(0, 32)
    return { end, conflicts: [], ...plan, stamp }
  })
}

type Draft = Omit<WorktreeEndPlan, 'end' | 'stamp' | 'conflicts'> & { conflicts?: string[] }

async function factsOf(git: Git, { path, repository, branch, base }: Worktree, busy: string | null): Promise<Facts> {
  const here = await findRepository(git, path)
  const main = await findRepository(git, repository)
  if (!here || !main) throw new Error('The repository of this work tree is gone.')
  const readable = { readable: [here.commonDir, here.gitDir, main.root] }
  const lines = async (args: string[], accept = [0]): Promise<string[]> =>
    (await git(path, args, { ...readable, accept })).stdout.toString().split('\n').filter(Boolean)
  const [status, mainStatus] = [await readStatus(git, here), await readStatus(git, main)]
  const [counts = '0\t0'] = await lines(['rev-list', '--left-right', '--count', `${base}...${branch}`])
  const [behind = 0, ahead = 0] = counts.split('\t').map(Number)
  const changes = await lines(['diff', '--name-only', '--no-renames', '--no-ext-diff', `${base}...${branch}`])
  const heads = await lines(['rev-parse', base, branch])
  const merged = await mergeTree(git, path, base, branch, here.commonDir)
  return {
    ...{ ahead, behind, changes, busy, ...merged },
    uncommitted: [...status.staged, ...status.unstaged].map((each) => each.path),
    mainBranch: mainStatus.branch,
    mainChanged: [...mainStatus.staged, ...mainStatus.unstaged].map((each) => each.path),
    heads: heads.join(' '),
  }
}

/** Merges without touching any file or branch, and tells what would conflict. */
async function mergeTree(
  git: Git,
  cwd: string,
  base: string,
  branch: string,
  commonDir: string,
): Promise<Pick<Facts, 'conflicts' | 'unclear'>> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', base, branch]
  const { code, stdout, stderr } = await git(cwd, args, { writable: [commonDir], accept: [0, 1, 2, 128, 129] })
  if (code > 1) return { conflicts: [], unclear: stderr.split('\n')[0] ?? 'git is too old' }
  const [, ...names] = stdout.toString().split('\0')
  return { conflicts: code === 0 ? [] : names.filter(Boolean), unclear: '' }
}

const drawn: Record<WorktreeEnd, (worktree: Worktree, facts: Facts) => Draft> = {
  merge: ({ branch, base, repository, path }, facts) => {
    const inTheWay = facts.mainChanged.filter((each) => facts.changes.includes(each))
    const obstacle =
      facts.busy ??
      (facts.uncommitted.length > 0
        ? `${few(facts.uncommitted)} ${facts.uncommitted.length === 1 ? 'is' : 'are'} not committed. Commit in Review first.`
        : facts.ahead === 0
          ? `${branch} has no commits that ${base} lacks.`
          : facts.mainBranch !== base
            ? `${repository} has ${facts.mainBranch ?? 'no branch'} checked out. Check out ${base} there first.`
            : facts.conflicts.length > 0
              ? 'There would be conflicts. Rebase first, or ask the agent to resolve them.'
              : inTheWay.length > 0
                ? `${few(inTheWay)} in ${repository} has changes that are not committed.`
                : undefined)
    return {
      effects: [
        `Merges ${commits(facts.ahead)} of ${branch} into ${base}: ${few(facts.changes)}.`,
        `Then removes ${path} and the branch. The session goes on in ${repository}.`,
        'Hooks of the repository are not run.',
      ],
      warnings: facts.unclear ? [`Whether there would be conflicts is not known: ${facts.unclear}`] : [],
      conflicts: facts.conflicts,
      obstacle,
    }
  },
  rebase: ({ branch, base }, facts) => {
    if (facts.behind === 0) {
      const obstacle = `${branch} already has everything that ${base} has.`
      return { effects: ['Nothing to rebase.'], warnings: [], obstacle }
    }
    const obstacle =
      facts.busy ??
      (facts.uncommitted.length > 0
        ? `${few(facts.uncommitted)} ${facts.uncommitted.length === 1 ? 'is' : 'are'} not committed. Commit in Review first.`
        : undefined)
    return {
      effects: [
        `Puts ${commits(facts.ahead)} of ${branch} on top of ${base}, which has ${commits(facts.behind)} more.`,
      ],
      warnings: facts.conflicts.length > 0 ? ['With a conflict, everything is put back as it was.'] : [],
      conflicts: facts.conflicts,
      obstacle,
    }
  },
  keep: ({ branch, path }) => ({
    effects: [`Leaves the folder ${path} and the branch ${branch} as they are. The session stays in it.`],
    warnings: [],
  }),
  discard: ({ branch, path, repository }, facts) => ({
    effects: [
      `Removes ${path} and the branch ${branch}. The session goes on in ${repository}.`,
      `What is in it is kept as refs/deckhand/discarded/${branch.replace('deckhand/', '')}, so that git can bring it back.`,
    ],
    warnings: [
      ...(facts.uncommitted.length > 0 ? [`Not committed: ${few(facts.uncommitted)}.`] : []),
      ...(facts.ahead > 0 ? [`Not merged: ${commits(facts.ahead)}.`] : []),
    ],
    obstacle: facts.busy ?? undefined,
  }),
}

const gone = ({ path }: Worktree): WorktreeEndPlan => ({
  end: 'keep',
  effects: [`The folder ${path} no longer exists. The session is no longer tied to it.`],
  warnings: [],
  conflicts: [],
  stamp: 'gone',
})

const commits = (number: number): string => (number === 1 ? '1 commit' : `${number} commits`)

const few = (names: readonly string[]): string =>
  names.length <= 3
    ? names.join(', ') || 'no files'
    : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more files`
