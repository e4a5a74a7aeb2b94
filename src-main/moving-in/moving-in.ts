import type { ImportFound, ImportItem, ImportReport, ImportTool } from '../../src-preload/contract/moving-in'
import type { Database } from '../database'
import type { Carry, Draft } from './draft'

/** How each kind is kept here; throws with words for the user. Answers with what was done. */
export type Keepers = {
  [Kind in Carry['kind']]: (carry: Extract<Carry, { kind: Kind }>, draft: Draft) => Promise<string>
}

interface MovingInOptions {
  database: Database
  home: string
  keep: Keepers
}

export type MovingIn = ReturnType<typeof createMovingIn>

/** What knows the other programs is read when somebody asks about them. */
const finders = () => import('./find')

/** Shows what other agents on this machine have, and takes over what the user ticks. Nothing is written back to them. */
export function createMovingIn({ database, home, keep }: MovingInOptions) {
  const isTaken = (id: string): boolean =>
    database.prepare<{ id: string }>('SELECT id FROM imports WHERE id = ?').get(id) !== undefined
  const note = (id: string): void => {
    database.durably(() => database.prepare('INSERT OR REPLACE INTO imports VALUES (?, ?)').run(id, Date.now()))
  }

  const drafts = async (from: string): Promise<Draft[]> =>
    (await (await finders()).findAll(from)).map((draft) =>
      draft.state === 'ready' && isTaken(draft.id) ? { ...draft, state: 'taken' } : draft,
    )

  const keepOne = (draft: Draft, carry: Carry): Promise<string> =>
    (keep[carry.kind] as (carry: Carry, draft: Draft) => Promise<string>)(carry, draft)

  return {
    /** The programs that have been used here. Cheap. */
    tools: async (from = home): Promise<ImportTool[]> => (await finders()).toolsIn(from),
    async look(from = home): Promise<ImportFound> {
      return { home: from, items: (await drafts(from)).map(itemOf) }
    },
    /** Takes these, one after another; one that fails does not hold up the others. */
    async take(ids: readonly string[], from = home): Promise<ImportReport> {
      const report: ImportReport = { done: [], failed: [] }
      const found = new Map((await drafts(from)).map((draft) => [draft.id, draft]))
      for (const id of new Set(ids)) {
        const draft = found.get(id)
        if (!draft?.carry || draft.state !== 'ready') {
          report.failed.push({
            id,
            words: draft ? 'It cannot be imported, or was imported before.' : 'It is not there any more.',
          })
          continue
        }
        try {
          const words = await keepOne(draft, draft.carry)
          note(id)
          report.done.push({ id, words })
        } catch (error) {
          report.failed.push({ id, words: error instanceof Error ? error.message : String(error) })
        }
      }
      return report
    },
  }
}

const itemOf = ({ carry: _, ...item }: Draft): ImportItem => item
