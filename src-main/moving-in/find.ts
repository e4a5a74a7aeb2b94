import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportTool } from '../../src-preload/contract/moving-in'
import { findClaude } from './claude'
import { findCodex } from './codex'
import type { Draft } from './draft'
import { findGemini } from './gemini'
import { findOpencode } from './opencode'
import { findVscode } from './vscode'

const finders: Record<ImportTool, { places: string[]; find(home: string): Promise<Draft[]> }> = {
  claude: { places: ['.claude', '.claude.json'], find: findClaude },
  codex: { places: ['.codex'], find: findCodex },
  opencode: { places: ['.config/opencode', '.local/share/opencode'], find: findOpencode },
  gemini: { places: ['.gemini'], find: findGemini },
  vscode: {
    places: [
      '.config/Code/User/mcp.json',
      '.config/Code/User/prompts',
      'Library/Application Support/Code/User/mcp.json',
    ],
    find: findVscode,
  },
}

/** Which of the other programs have been used here; looks at nothing but the names of their folders. */
export const toolsIn = (home: string): ImportTool[] =>
  (Object.keys(finders) as ImportTool[]).filter((tool) =>
    finders[tool].places.some((place) => existsSync(join(home, place))),
  )

/** All that is found of all programs. Only reads. */
export async function findAll(home: string): Promise<Draft[]> {
  const found = await Promise.all(Object.values(finders).map(({ find }) => find(home)))
  const seen = new Set<string>()
  return found.flat().filter(({ id }) => !seen.has(id) && seen.add(id))
}
