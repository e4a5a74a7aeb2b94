import type { Database } from '../database'

/** The user's decision about a folder's file. */
export interface ProjectRow {
  folder: string
  verdict: 'trust' | 'never'
  /** The hash of the content that the decision is about. */
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
