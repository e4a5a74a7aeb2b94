import type { worktreeCalls } from '../../src-preload/contract/worktree-calls'
import type { Engine } from '../engine'
import { type HandlersFor, nothing } from './handlers'

/** Work trees of sessions. */
export function worktreeHandlers(engine: Engine): HandlersFor<typeof worktreeCalls> {
  const { reviewing, store, worktreeRows } = engine
  return {
    'worktree.list': () => ({ type: 'worktrees', worktrees: worktreeRows.list() }),
    'worktree.get': async ({ sessionId }) =>
      (await reviewing()).worktrees.setupFor(store.sessions.get(sessionId).workspace),
    'worktree.create': async ({ sessionId, name, setup }) => {
      const { workspace: folder, mode, model, toolset, agentId } = store.sessions.get(sessionId)
      const open = (workspace: string): string =>
        engine.createSession({ workspace, mode, model, toolset, agentId, ...(name && { title: name }) }).id
      return (await (await reviewing()).worktrees.create({ folder, name, setup, open })).sessionId
    },
    'worktree.plan': async ({ sessionId }) => (await reviewing()).worktrees.plan(sessionId),
    'worktree.end': async ({ sessionId, end, stamp }) =>
      nothing(await (await reviewing()).worktrees.end(sessionId, end, stamp)),
  }
}
