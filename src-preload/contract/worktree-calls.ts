import { z } from 'zod'
import { call, id, none, read } from './call'
import type { WorktreeEndPlan, WorktreeSetup, WorktreesEvent } from './worktrees'

const end = z.enum(['merge', 'rebase', 'keep', 'discard'])
const setup = z.strictObject({
  command: z.string().max(4000),
  copy: z.array(z.string().min(1).max(1000)).max(50),
})

/** Work trees of sessions. */
export const worktreeCalls = {
  'worktree.list': read<WorktreesEvent>()(none),
  /** What is done for every new work tree of the repository that a session works in. */
  'worktree.get': read<WorktreeSetup>()(() => z.strictObject({ sessionId: id })),
  /** Makes one of the repository of a session, and a session in it. Answers with the id of that. */
  'worktree.create': call<string>()(
    () => z.strictObject({ sessionId: id, name: z.string().max(60), setup }),
    'Make a branch and a folder for a new session?',
  ),
  'worktree.plan': read<WorktreeEndPlan[]>()(() => z.strictObject({ sessionId: id })),
  'worktree.end': call<null>()(
    () => z.strictObject({ sessionId: id, end, stamp: z.string().min(1).max(100) }),
    'Merge, rebase, keep or discard a work tree?',
  ),
} as const
