import type { Action } from '../../src-preload/contract/approval'
import type { PastDecision } from '../approval/rules/past'
import type { RuleTarget } from '../approval/types'
import type { Database } from '../database'
import { readJson } from '../storage/read-json'

interface Row {
  session_id: string
  workspace: string
  action: Action
  targets: string
  answer: string
}

/** More would mean nothing to the reader. */
const remembered = 60

/** What the user has said to past questions, so that a new rule can be held against it. */
export const createAnswerRows = (database: Database, now: () => number) => ({
  add: ({ sessionId, workspace, action, targets, answer }: PastDecision): void => {
    database
      .prepare('INSERT INTO answers (at, session_id, workspace, action, targets, answer) VALUES (?, ?, ?, ?, ?, ?)')
      .run(now(), sessionId, workspace, action, JSON.stringify(targets), answer)
    database.prepare('DELETE FROM answers WHERE n <= (SELECT max(n) FROM answers) - ?').run(remembered * 10)
  },
  /** The latest ones, newest first. */
  latest: (): PastDecision[] =>
    database
      .prepare<Row>('SELECT * FROM answers ORDER BY n DESC LIMIT ?')
      .all(remembered)
      .map((row) => ({
        sessionId: row.session_id,
        workspace: row.workspace,
        action: row.action,
        targets: readJson<RuleTarget[]>(row.targets, []),
        answer: row.answer === 'allow' ? 'allow' : 'deny',
      })),
})
