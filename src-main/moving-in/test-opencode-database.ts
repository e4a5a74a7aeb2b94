import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Sessions as opencode keeps them now, while it runs: the latest words are in the log beside the database only. */
export function writeOpencodeDatabase(home: string, workspace: string): void {
  const path = join(home, '.local/share/opencode/opencode.db')
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-opencode-'))
  const database = new DatabaseSync(join(folder, 'opencode.db'))
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
    CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, title text NOT NULL, time_updated integer NOT NULL);
    CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);
    CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, data text NOT NULL)`)
  const add = (table: string, ...values: (string | number | null)[]): void => {
    database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values)
  }
  add('session', 'ses_2', null, workspace, 'Moorings', 2)
  add('session', 'ses_3', 'ses_2', workspace, 'What an agent of its own did', 3)
  // It was moved over from its files.
  add('session', 'ses_1', null, workspace, 'Tides', 1)
  add('message', 'msg_a', 'ses_1', 1, JSON.stringify({ role: 'user' }))
  add('part', 'prt_a', 'msg_a', 'ses_1', JSON.stringify({ type: 'text', text: 'When is high tide?' }))
  add('message', 'msg_b', 'ses_2', 1, JSON.stringify({ role: 'user' }))
  add('part', 'prt_b', 'msg_b', 'ses_2', JSON.stringify({ type: 'text', text: 'Where do I tie up?' }))
  add('part', 'prt_c', 'msg_b', 'ses_2', JSON.stringify({ type: 'text', text: 'A file', synthetic: true }))
  add('message', 'msg_c', 'ses_2', 2, JSON.stringify({ role: 'assistant' }))
  add('part', 'prt_d', 'msg_c', 'ses_2', JSON.stringify({ type: 'tool', tool: 'bash' }))
  add('part', 'prt_e', 'msg_c', 'ses_2', JSON.stringify({ type: 'text', text: 'At the third buoy.' }))
  for (const ending of ['', '-wal']) copyFileSync(join(folder, `opencode.db${ending}`), `${path}${ending}`)
  database.close()
  rmSync(folder, { recursive: true })
}
