// Fills a data folder with one long session, in the runtime that has the app's SQLite:
// ELECTRON_RUN_AS_NODE=1 electron long-session.mjs DATA_DIR MESSAGES
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const [dataDir, wanted] = process.argv.slice(2)
const database = new DatabaseSync(join(dataDir, 'deckhand.db'))
const session = 's_long'
const now = Date.now()

const answer = (at) => `Answer number ${at}.\n\n- a point\n- another with \`code\`\n\n\`\`\`sh\necho ${at}\n\`\`\`\n`
const question = (at) => (at === 16 ? 'Where is the lighthouse?' : `Question number ${at}`)

database.exec('BEGIN')
database
  .prepare(
    `INSERT INTO sessions (id, title, auto_title, workspace, model, toolset, mode, status, created_at, updated_at)
     SELECT ?, 'A long session', 0, workspace, model, toolset, mode, 'idle', ?, ? FROM sessions LIMIT 1`,
  )
  .run(session, now, now + 60_000)
const add = database.prepare(
  'INSERT INTO messages (id, session_id, seq, role, parts, created_at) VALUES (?, ?, ?, ?, ?, ?)',
)
const index = database.prepare('INSERT INTO message_text (rowid, text) VALUES (?, ?)')
for (let at = 0; at < Number(wanted); at++) {
  const text = at % 2 === 0 ? question(at) : answer(at)
  const parts = JSON.stringify([{ type: 'text', text }])
  const { lastInsertRowid } = add.run(`m_${at}`, session, at, at % 2 === 0 ? 'user' : 'assistant', parts, now)
  index.run(lastInsertRowid, text)
}
database.exec('COMMIT')
database.close()
