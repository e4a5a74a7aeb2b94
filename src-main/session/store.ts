import type { SearchHit } from '../../src-preload/contract/sessions'
import type { FoundMessage } from '../../src-preload/contract/writing'
import type { Database } from '../database'
import { createAnswerRows } from './answer-rows'
import { createCallRows } from './call-rows'
import { createMessageRows } from './message-rows'
import { isAlive, thisProcess } from './owner'
import { createProcessRows } from './process-rows'
import { createQueueRows } from './queue-rows'
import { recover } from './recover'
import { createRewindRows } from './rewind/rewind-rows'
import { createRuleRows } from './rule-rows'
import { findInSession, searchMessages } from './search'
import type { SessionRows } from './session-rows'
import { createSessionRows } from './session-rows'
import { createUnderWayRows } from './under-way-rows'
import { createUsageRows } from './usage-rows'

/** Another process on the same folder may still offer to undo a deletion. */
const undoMs = 10 * 60 * 1000

export type Store = ReturnType<typeof createStore>

/** Everything that is kept about sessions: rows in, protocol objects out. Nothing here publishes. */
export const createStore = (database: Database, now: () => number = Date.now, owner: string = thisProcess()) => {
  const calls = createCallRows(database, now)
  const sessions = createSessionRows(database, now)
  const messages = createMessageRows(database, calls, now)
  const underWay = createUnderWayRows(database, owner)
  return {
    sessions,
    messages,
    calls,
    queue: createQueueRows(database, now),
    rules: createRuleRows(database, now),
    answers: createAnswerRows(database, now),
    taint: createTaintRows(database, sessions, now),
    usage: createUsageRows(database, now),
    underWay,
    rewinds: createRewindRows(database, now),
    processes: createProcessRows(database, owner),
    /** The name of this process in rows that say who runs a turn. */
    owner,
    transaction: database.transaction,
    durably: database.durably,
    /** What has happened and could not be saved yet. */
    unsaved: database.unsaved,
    /** Whether another process that uses the same folder is at work on this session. */
    runsElsewhere: (sessionId: string): boolean => {
      const other = sessions.owner(sessionId)
      return other !== null && other !== owner && isAlive(other)
    },
    search: (query: string): SearchHit[] => {
      messages.search.flush()
      return searchMessages(database, query)
    },
    findIn: (sessionId: string, query: string): FoundMessage[] => {
      messages.search.flush()
      return findInSession(database, sessionId, query)
    },
    /** Called once, before anything is shown: settles what an earlier run left open, and purges deleted sessions. */
    recover: (): void => {
      database.prepare('DELETE FROM sessions WHERE deleted_at < ?').run(now() - undoMs)
      recover(database, { sessions, messages, calls }, (other) => other !== owner && !isAlive(other))
      underWay.forget((other) => other === owner || !isAlive(other))
      messages.search.catchUp()
    },
    /** Called at the end of this run, so that the next one finds everything in order. */
    leave: (): void => {
      recover(database, { sessions, messages, calls }, (other) => other === owner)
      underWay.forget((other) => other === owner)
      messages.search.flush()
    },
  }
}

/** Sessions that have read untrusted text. The mark is never removed: nobody can tell what a model still remembers. */
const createTaintRows = (database: Database, sessions: Pick<SessionRows, 'lineage'>, now: () => number) => {
  const one = database.prepare('SELECT 1 FROM tainted_sessions WHERE session_id = ?')
  return {
    /** Whether the session, or one that it works for, has read untrusted text. */
    has: (sessionId: string): boolean => sessions.lineage(sessionId).some((id) => one.get(id) !== undefined),
    add: (sessionId: string): void => {
      database.prepare('INSERT OR IGNORE INTO tainted_sessions VALUES (?, ?)').run(sessionId, now())
    },
  }
}
