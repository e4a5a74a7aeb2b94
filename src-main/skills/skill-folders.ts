import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isWithin } from './read-inside'

/** A folder that holds skills for any program. */
export interface SkillFolder {
  root: string
  /** `user`: in the user's home; `project`: it came with the workspace. */
  source: 'user' | 'project'
  /** The folder as the user and the agent know it. */
  shown: string
}

const places = ['.agents/skills', '.claude/skills']

/** Where other programs keep skills too: in the home folder, and in the workspace unless a link leads out of it. */
export function skillFolders(home: string, workspace: string | undefined): SkillFolder[] {
  const own = places.map((place) => ({ root: join(home, place), source: 'user' as const, shown: `~/${place}` }))
  if (workspace === undefined || workspace === home) return own
  const project = places
    .map((place) => ({ root: join(workspace, place), source: 'project' as const, shown: place }))
    .filter(({ root }) => staysIn(root, workspace))
  return [...own, ...project]
}

function staysIn(folder: string, workspace: string): boolean {
  // Most workspaces have none, and to look is much cheaper than to fail.
  if (!existsSync(folder)) return false
  try {
    return isWithin(realpathSync(folder), realpathSync(workspace))
  } catch {
    return false // It is gone meanwhile, or not readable.
  }
}
