import { readCommand } from './decide-command'
import { isInside, type Places } from './paths/paths'
import { ownFolder } from './rules/offers'
import type { Access, Policy } from './types'

/** A command that reads in more places than this is no single thing to agree to. */
const MAX_FOLDERS = 3

/**
 * The folders outside the workspace that a command reads in, where nothing else about it asks: once they are open to
 * reading it is a safe read like any inside. Found by looking at the command again as if they were.
 */
export function foldersToRead(access: Access, policy: Policy, places: Places): string[] {
  const opened: string[] = []
  for (;;) {
    const readFolders = [...places.readFolders, ...opened]
    const { finding, parts } = readCommand(access, policy, { ...places, readFolders })
    if (finding.level === 'safe') return opened
    const folders = parts.flatMap(({ outside }) => outside.map((path) => ownFolder(path, places)))
    const more = new Set(folders.filter((folder) => folder !== null && !opened.some((each) => isInside(folder, each))))
    if (more.size === 0 || opened.length + more.size > MAX_FOLDERS) return []
    opened.push(...[...more].flatMap((folder) => folder ?? []))
  }
}
