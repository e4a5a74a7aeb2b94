import type { Part } from '../../src-preload/contract/messages'
import type { Database } from '../database'
import { type CallRows, hasEnded } from './call-rows'
import type { MessageRows } from './message-rows'
import type { SessionRows } from './session-rows'

const abortedByCrash = 'Deckhand closed while this was running. It was not started again.'
const neverStarted = 'Deckhand closed before this started. It was not run.'
const interruptedText = 'Deckhand closed in the middle of this turn. Nothing was run again.'

/**
 * Settles what a crashed run left behind. Calls that were running are aborted and never repeated. A question
 * is kept: once answered, its call runs, and then the calls behind it.
 */
export const recover = (
  database: Database,
  rows: { sessions: SessionRows; messages: MessageRows; calls: CallRows },
  isGone: (owner: string) => boolean,
): void => {
  database.transaction(() => {
    const left = database
      .prepare<{ id: string; owner: string | null }>(
        `SELECT id, owner FROM sessions WHERE status IN ('running', 'waiting')`,
      )
      .all()
    for (const session of left) {
      if (session.owner !== null && !isGone(session.owner)) continue
      const asks = rows.calls.awaiting(session.id).some(({ state }) => state.status === 'awaiting')
      for (const call of rows.calls.open(session.id)) {
        // Its text may not have been indexed for the search yet.
        rows.messages.search.add(call.messageId)
        if (call.state.status === 'running') {
          const { display } = call.state
          rows.calls.setState(call.id, { status: 'aborted', message: abortedByCrash, display })
        } else if (call.state.status === 'pending' && !asks) {
          rows.calls.setState(call.id, { status: 'aborted', message: neverStarted })
        } else if (hasEnded(call.state)) {
          // Its row is damaged, so it can neither run nor ask.
          rows.calls.setState(call.id, call.state)
        }
      }
      closeStreaming(database, rows.messages, session.id)
      if (!asks) {
        const parts: Part[] = [{ type: 'notice', notice: { kind: 'interrupted', text: interruptedText } }]
        rows.messages.append({ sessionId: session.id, role: 'system', parts })
      }
      database
        .prepare('UPDATE sessions SET status = ?, owner = NULL WHERE id = ?')
        .run(asks ? 'waiting' : 'interrupted', session.id)
    }
  })
}

/** Keeps the part of a message that had arrived, and removes a message that is empty. */
const closeStreaming = (database: Database, messages: MessageRows, sessionId: string): void => {
  const rows = database
    .prepare<{ id: string; seq: number }>('SELECT id, seq FROM messages WHERE session_id = ? AND streaming = 1')
    .all(sessionId)
  for (const { id, seq } of rows) {
    const message = messages.get(id)
    const isLast = seq === messages.count(sessionId) - 1
    if (message.parts.length === 0 && isLast) messages.removeFrom(sessionId, seq)
    else messages.save({ ...message, streaming: false })
  }
}
