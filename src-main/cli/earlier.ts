import type { Session } from '../../src-preload/contract/sessions'
import { UsageError } from '../arguments'
import type { Engine } from '../engine'

/** The session that `--session` names. */
export function namedSession(engine: Engine, id: string): Session {
  const found = engine.store.sessions.find(id)
  if (!found) throw new UsageError(`--session: no session ${id}`)
  return found
}

/** The latest session in a folder, sub-agents' aside. */
export const latestSession = (engine: Engine, workspace: string): Session | undefined =>
  engine.store.sessions.list().find((session) => session.workspace === workspace && session.parentId === null)
