/** What a start found damaged, what it could save, and what a backup has besides. */
export interface Recovery {
  /** Where the damaged file is; `null` where the database was missing or empty. */
  keptAs: string | null
  /** `null` where nothing could be read. */
  salvaged: {
    sessions: number
    messages: number
    /** Sessions of which only the messages are left. */
    namelessSessions: number
    /** Messages that are known to have been there; each is marked in its place. */
    missingMessages: number
    /** Other tables that have lost rows. */
    incomplete: string[]
  } | null
  /** What the last backup would add; `null` where there is none, or nothing to add. */
  backup: { at: number; sessions: number; messages: number } | null
}
