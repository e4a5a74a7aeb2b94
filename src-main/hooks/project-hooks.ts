import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { HookInfo, HooksEvent, ProjectHooks } from '../../src-preload/contract/hooks'
import type { Database } from '../database'
import { isRecord } from '../is-record'
import { readHooks } from './read-hooks'

type HookVerdict = 'trust' | 'later' | 'never' | 'ask'

interface Row {
  verdict: 'trust' | 'never'
  hash: string
}

const files = ['.claude/settings.json', '.claude/settings.local.json']
const maxBytes = 256 * 1024

/** Hooks that a folder brings. None runs until the user has trusted these very words; others are asked about anew. */
export function createProjectHooks(database: Database, publish: (event: HooksEvent) => void) {
  const later = new Set<string>()
  const rowOf = (folder: string): Row | null =>
    database.prepare<Row>('SELECT verdict, hash FROM hook_projects WHERE folder = ?').get(folder) ?? null

  const look = async (folder: string): Promise<ProjectHooks> => {
    const hooks: HookInfo[] = []
    const warnings: string[] = []
    for (const name of files) {
      const text = await readText(join(folder, name))
      if (text === null) continue
      const found = readHooks(hooksIn(text))
      hooks.push(...found.hooks)
      warnings.push(...found.warnings.map((warning) => `${name}: ${warning}`))
    }
    const hash = createHash('sha256').update(JSON.stringify(hooks)).digest('hex')
    const row = rowOf(folder)
    const changed = row?.verdict === 'trust' && row.hash !== hash
    return { folder, state: stateOf(hooks, row, hash, later.has(`${hash} ${folder}`)), hash, changed, hooks, warnings }
  }

  return {
    look,
    /** Whether some words of this folder were trusted; only a look tells whether they still are what is there. */
    isTrusted: (folder: string): boolean => rowOf(folder)?.verdict === 'trust',
    async decide(folder: string, hash: string, verdict: HookVerdict): Promise<void> {
      const same = (await look(folder)).hash === hash
      if (verdict === 'trust' && !same) throw new Error('The file has changed since it was shown. Look at it again.')
      if (verdict === 'later') later.add(`${hash} ${folder}`)
      else if (verdict === 'ask') {
        later.delete(`${hash} ${folder}`)
        database.durably(() => database.prepare('DELETE FROM hook_projects WHERE folder = ?').run(folder))
      } else
        database.durably(() =>
          database.prepare('INSERT OR REPLACE INTO hook_projects VALUES (?, ?, ?)').run(folder, verdict, hash),
        )
      publish({ type: 'hooks', project: await look(folder) })
    },
  }
}

function stateOf(hooks: readonly HookInfo[], row: Row | null, hash: string, isLater: boolean): ProjectHooks['state'] {
  if (hooks.length === 0) return 'none'
  if (row?.verdict === 'never') return 'never'
  if (row?.verdict === 'trust' && row.hash === hash) return 'trusted'
  return isLater ? 'later' : 'asks'
}

function hooksIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value.hooks : undefined
  } catch {
    // Not for us to judge: it holds the settings of another program.
    return undefined
  }
}

/** A pipe or device must not block or be read endlessly. */
async function readText(path: string): Promise<string | null> {
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = await file.stat()
    return stats.isFile() && stats.size <= maxBytes ? await file.readFile('utf8') : null
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
