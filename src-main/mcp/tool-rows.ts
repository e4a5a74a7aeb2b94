import type { Database } from '../database'

/** A tool as the user knows it. */
interface KnownTool {
  hash: string
  /** Its definition as text, to compare with when it changes. */
  definition: string
  denied: boolean
}

interface Row {
  hash: string
  definition: string
  denied: number
}

export const createToolRows = (database: Database) => ({
  find: (server: string, tool: string): KnownTool | null => {
    const row = database
      .prepare<Row>('SELECT hash, definition, denied FROM mcp_tools WHERE server = ? AND tool = ?')
      .get(server, tool)
    return row ? { hash: row.hash, definition: row.definition, denied: row.denied === 1 } : null
  },
  save: (server: string, tool: string, { hash, definition, denied }: KnownTool): void => {
    database
      .prepare(
        `INSERT INTO mcp_tools (server, tool, hash, definition, denied) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (server, tool) DO UPDATE SET hash = excluded.hash, definition = excluded.definition, denied = excluded.denied`,
      )
      .run(server, tool, hash, definition, denied ? 1 : 0)
  },
  forget: (server: string): void => {
    database.prepare('DELETE FROM mcp_tools WHERE server = ?').run(server)
  },
})
