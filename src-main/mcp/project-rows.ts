import type { Database } from '../database'

/** What the user has said about the file of a folder. */
export interface ProjectRow {
  folder: string
  verdict: 'trust' | 'never'
  /** Of the content that it was said about. */
  hash: string
}

export const createProjectRows = (database: Database) => ({
  all: (): ProjectRow[] =>
    database.prepare<ProjectRow>('SELECT folder, verdict, hash FROM mcp_projects ORDER BY folder').all(),
  find: (folder: string): ProjectRow | null =>
    database.prepare<ProjectRow>('SELECT folder, verdict, hash FROM mcp_projects WHERE folder = ?').get(folder) ?? null,
  save: ({ folder, verdict, hash }: ProjectRow): void => {
    database.durably(() =>
      database.prepare('INSERT OR REPLACE INTO mcp_projects VALUES (?, ?, ?)').run(folder, verdict, hash),
    )
  },
  forget: (folder: string): void => {
    database.durably(() => database.prepare('DELETE FROM mcp_projects WHERE folder = ?').run(folder))
  },
})
